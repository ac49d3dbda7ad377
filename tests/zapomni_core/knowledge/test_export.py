"""Exports: every format can be read back by its own parser, whatever the names are."""

import json
import string
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.knowledge.export import FILE_ENDINGS, Edge, Node, write_graph

HOSTILE = [
    'O\'Brien "the" <b>&amp;</b>',
    "'}) DETACH DELETE n //",
    "line\nbreak\rand\ttab",
    "\\",
    "مرحبا \u202eabc",
    "😀" * 50,
    "nul\0bell\x07",
]
NODES = [Node(f"n{i}", name, "person", i) for i, name in enumerate(HOSTILE)]
EDGES = [
    Edge("f1", "n0", "n1", "works_at", 0.9, "current", "2021-03-01", "", ("m1", "m2")),
    Edge("f2", "n1", "n2", "lives_in", 0.5, "superseded", "", "2020-01-01", ()),
]
NAMESPACE = {"g": "http://graphml.graphdrawing.org/xmlns"}


def written(form: str, nodes: list[Node] = NODES, edges: list[Edge] = EDGES) -> str:
    return "".join(write_graph(form, nodes, edges))  # type: ignore[arg-type]


def test_graphml_is_xml_with_every_node_and_edge() -> None:
    root = ET.fromstring(written("graphml"))

    names = [node.findtext("g:data[@key='name']", "", NAMESPACE) for node in root.iter()]
    assert "".join(HOSTILE[0].split()) in "".join("".join(names).split())
    assert len(root.findall(".//g:node", NAMESPACE)) == len(NODES)
    edge = root.find(".//g:edge[@id='f1']", NAMESPACE)
    assert edge is not None
    assert (edge.get("source"), edge.get("target")) == ("n0", "n1")


@pytest.mark.parametrize("form", ["cytoscape", "jsonld", "json"])
def test_json_formats_keep_names_as_they_are(form: str) -> None:
    text = json.dumps(json.loads(written(form)), ensure_ascii=False)

    for name in HOSTILE:
        assert json.dumps(name, ensure_ascii=False)[1:-1] in text


def test_linked_data_states_each_fact_with_its_ends() -> None:
    graph = json.loads(written("jsonld"))["@graph"]

    fact = next(entry for entry in graph if entry["@id"] == "urn:zapomni:f1")
    assert fact["subject"] == {"@id": "urn:zapomni:n0"}
    assert fact["object"] == {"@id": "urn:zapomni:n1"}
    assert "until" not in fact


@pytest.mark.parametrize("form", FILE_ENDINGS)
def test_an_empty_graph_can_be_written(form: str) -> None:
    text = written(form, [], [])

    if form == "graphml":
        ET.fromstring(text)
    elif form == "cypher":
        assert text == ""
    else:
        json.loads(text)


NAMES = st.text(alphabet=string.printable + "'\\\u2028", min_size=1)


@given(st.lists(NAMES, max_size=5))
def test_a_name_never_leaves_its_string_in_cypher(names: list[str]) -> None:
    nodes = [Node(f"n{i}", name, "person", 1) for i, name in enumerate(names)]

    lines = written("cypher", nodes, []).split("\n")[:-1]

    assert len(lines) == len(nodes)
    for line, node in zip(lines, nodes, strict=True):
        inside = _first_strings(line)
        assert inside[1] == node.name


def _first_strings(line: str) -> list[str]:
    """Read the quoted strings of a line, the way a Cypher parser does."""
    found: list[str] = []
    current: str | None = None
    characters = iter(line)
    for character in characters:
        if current is None:
            current = "" if character == "'" else None
        elif character == "\\":
            escaped = next(characters)
            current += {"n": "\n", "r": "\r"}.get(escaped, escaped)
        elif character == "'":
            found.append(current)
            current = None
        else:
            current += character
    assert current is None
    return found
