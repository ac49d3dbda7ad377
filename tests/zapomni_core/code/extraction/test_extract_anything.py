"""Whatever a file holds, extraction ends with facts that hold together."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zapomni_core.code.languages import CODE_LANGUAGES
from zapomni_core.code.model import MODULE, FileFacts
from zapomni_core.code.parsing.extraction import extract

WORDS = (
    "def class function f A x y . :: -> => = := == ( ) [ ] { } < > , ; : ! ? @ # $ & * \\ / ' \" `"
    " import from as use package namespace module require new return const let var fn func impl"
    " struct enum interface type trait export default async await self this super for in of with"
    " end do then if else try catch public private static void int <?php /* */ // -- \n \n\n \t"
)
SOURCES = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from(WORDS.split(" ")), max_size=60).map(
        lambda parts: " ".join(parts).encode()
    ),
)


def assert_holds_together(facts: FileFacts, source: bytes) -> None:
    names = [each.qname for each in facts.definitions]
    assert len(names) == len(set(names))
    for place, each in enumerate(facts.definitions):
        assert 0 <= each.start < each.end <= len(source)
        assert 1 <= each.line <= each.end_line <= source.count(b"\n") + 1
        assert MODULE <= each.scope < place
        if each.scope != MODULE:
            around = facts.definitions[each.scope]
            assert around.start <= each.start
            assert each.end <= around.end
    scopes = [each.scope for each in facts.calls]
    scopes += [each.scope for each in facts.imports]
    scopes += [each.scope for each in facts.bindings]
    assert all(MODULE <= scope < len(names) for scope in scopes)
    assert all(each.name for each in facts.calls)
    assert FileFacts.unpacked(facts.packed()) == without_looks(facts)


def without_looks(facts: FileFacts) -> FileFacts:
    return facts._replace(
        definitions=tuple(
            each._replace(end_line=0, start=0, end=0, signature="", doc="", exported=True)
            for each in facts.definitions
        )
    )


@pytest.mark.parametrize("language", CODE_LANGUAGES)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(source=SOURCES)
def test_anything_can_be_read(language: str, source: bytes) -> None:
    assert_holds_together(extract(source, "file", language), source)


@pytest.mark.parametrize("language", ["python", "javascript", "rust", "c"])
def test_very_deep_nesting_ends(language: str) -> None:
    source = b"(" * 20_000 + b")" * 20_000

    assert_holds_together(extract(source, "file", language), source)


def test_definitions_nested_thousands_deep_end() -> None:
    source = b"function f(){" * 3_000 + b"}" * 3_000

    facts = extract(source, "f.js", "javascript")

    assert_holds_together(facts, source)
    assert 0 < len(facts.definitions) < 100


def test_one_chain_of_many_calls_ends() -> None:
    facts = extract(b"a" + b".b()" * 5_000, "f.py", "python")

    assert len(facts.calls) == 5_000
    assert facts.calls[1].receiver == "a.b()"


@pytest.mark.parametrize("language", ["python", "javascript", "c"])
@pytest.mark.parametrize("source", [b"(\n" * 100_000, b"a.b()." * 60_000 + b"c()"])
def test_what_no_query_would_come_back_from_is_left_without_facts(
    language: str, source: bytes
) -> None:
    facts = extract(source, "x", language)

    assert (facts.definitions, facts.calls) == ((), ())
