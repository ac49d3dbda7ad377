"""Write the graph for other programs: GraphML, Cytoscape, Cypher, JSON-LD, JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from xml.sax.saxutils import escape, quoteattr

import orjson

from zapomni_core.knowledge.results import ExportFormat

__all__ = ["FILE_ENDINGS", "Edge", "Node", "write_graph"]

FILE_ENDINGS: dict[ExportFormat, str] = {
    "graphml": "graphml",
    "cytoscape": "cyjs",
    "cypher": "cypher",
    "jsonld": "jsonld",
    "json": "json",
}
# XML has no way to write these.
_NOT_IN_XML = re.compile(
    "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]",
)
_GRAPHML_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="type" for="node" attr.name="type" attr.type="string"/>
  <key id="mentions" for="node" attr.name="mentions" attr.type="int"/>
  <key id="predicate" for="edge" attr.name="predicate" attr.type="string"/>
  <key id="status" for="edge" attr.name="status" attr.type="string"/>
  <key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>
  <key id="since" for="edge" attr.name="since" attr.type="string"/>
  <key id="until" for="edge" attr.name="until" attr.type="string"/>
  <key id="memories" for="edge" attr.name="memories" attr.type="string"/>
  <graph id="zapomni" edgedefault="directed">
"""
_GRAPHML_TAIL = "  </graph>\n</graphml>\n"
# Terms that linked data already has a word for; the others are ours.
_CONTEXT = {
    "@vocab": "urn:zapomni:",
    "name": "http://schema.org/name",
    "person": "http://schema.org/Person",
    "organisation": "http://schema.org/Organization",
    "place": "http://schema.org/Place",
    "event": "http://schema.org/Event",
    "work": "http://schema.org/CreativeWork",
}


@dataclass(frozen=True, slots=True)
class Node:
    """An entity to be written."""

    id: str
    name: str
    type: str
    mentions: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact to be written, with the memories that say so; dates in ISO 8601, or empty."""

    id: str
    source: str
    target: str
    predicate: str
    confidence: float
    status: str
    since: str
    until: str
    memories: tuple[str, ...]


def write_graph(form: ExportFormat, nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    """Yield the pieces of the file, in order."""
    return _WRITERS[form](nodes, edges)


def _graphml(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    yield _GRAPHML_HEAD
    for node in nodes:
        data = _data(name=node.name, type=node.type, mentions=node.mentions)
        yield f"    <node id={_attribute(node.id)}>{data}</node>\n"
    for edge in edges:
        ends = f"source={_attribute(edge.source)} target={_attribute(edge.target)}"
        data = _data(
            predicate=edge.predicate,
            status=edge.status,
            confidence=edge.confidence,
            since=edge.since,
            until=edge.until,
            memories=" ".join(edge.memories),
        )
        yield f"    <edge id={_attribute(edge.id)} {ends}>{data}</edge>\n"
    yield _GRAPHML_TAIL


def _data(**values: object) -> str:
    given = {key: str(value) for key, value in values.items() if value != ""}
    return "".join(f'<data key="{key}">{_text(value)}</data>' for key, value in given.items())


def _text(value: str) -> str:
    return escape(_NOT_IN_XML.sub("\ufffd", value))


def _attribute(value: str) -> str:
    return quoteattr(_NOT_IN_XML.sub("\ufffd", value))


def _cytoscape(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    yield '{"elements":{"nodes":['
    yield from _joined({"data": asdict(node)} for node in nodes)
    yield '],"edges":['
    yield from _joined({"data": asdict(edge)} for edge in edges)
    yield "]}}\n"


def _json(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    yield '{"format":"zapomni-graph","version":1,"entities":['
    yield from _joined(map(asdict, nodes))
    yield '],"facts":['
    yield from _joined(map(asdict, edges))
    yield "]}\n"


def _jsonld(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    yield f'{{"@context":{orjson.dumps(_CONTEXT).decode()},"@graph":['
    yield from _joined(
        {"@id": _urn(node.id), "@type": node.type, "name": node.name, "mentions": node.mentions}
        for node in nodes
    )
    facts = list(_joined(_statement(edge) for edge in edges))
    yield from ([","] if facts else [])
    yield from facts
    yield "]}\n"


def _statement(edge: Edge) -> dict[str, object]:
    known = {"since": edge.since, "until": edge.until}
    return {
        "@id": _urn(edge.id),
        "@type": "fact",
        "subject": {"@id": _urn(edge.source)},
        "predicate": edge.predicate,
        "object": {"@id": _urn(edge.target)},
        "confidence": edge.confidence,
        "status": edge.status,
        "memories": list(edge.memories),
    } | {key: value for key, value in known.items() if value}


def _urn(identifier: str) -> str:
    return f"urn:zapomni:{identifier}"


def _joined(rows: Iterable[dict[str, object]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield ("," if number else "") + orjson.dumps(row).decode()


def _cypher(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    for node in nodes:
        properties = _properties(node.id, name=node.name, type=node.type, mentions=node.mentions)
        yield f"CREATE (:Entity {properties});\n"
    for edge in edges:
        properties = _properties(
            edge.id,
            predicate=edge.predicate,
            confidence=edge.confidence,
            status=edge.status,
            since=edge.since,
            until=edge.until,
            memories=list(edge.memories),
        )
        yield (
            f"MATCH (a:Entity {{id: {_quoted(edge.source)}}}), "
            f"(b:Entity {{id: {_quoted(edge.target)}}}) CREATE (a)-[:FACT {properties}]->(b);\n"
        )


def _properties(identifier: str, **values: str | float | list[str]) -> str:
    given = {key: value for key, value in values.items() if value not in ("", [])}
    written = [f"{key}: {_literal(value)}" for key, value in {"id": identifier, **given}.items()]
    return "{" + ", ".join(written) + "}"


def _literal(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_quoted, value)) + "]"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(value: str) -> str:
    """Write a string so that nothing in it ends the string; line breaks would end the line."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return "'" + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\0", "") + "'"


_WRITERS: dict[ExportFormat, Callable[[Iterable[Node], Iterable[Edge]], Iterator[str]]] = {
    "graphml": _graphml,
    "cytoscape": _cytoscape,
    "cypher": _cypher,
    "jsonld": _jsonld,
    "json": _json,
}
