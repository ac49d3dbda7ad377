"""Which symbols stand first, and why."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.code.searching.query import read_query
from zapomni_core.code.searching.ranking import Candidate, rank


def symbol(place: str, **known: object) -> Candidate:
    path, _, qname = place.partition("::")
    plain = Candidate(place, qname.rpartition(".")[2], qname, path, "function", 1.0)
    return plain._replace(**known)  # type: ignore[arg-type]


def order(query: str, *candidates: Candidate, limit: int = 10) -> list[str]:
    return [each.id for each in rank(read_query(query), candidates, limit)]


def test_the_definition_stands_before_what_only_uses_the_name() -> None:
    used = symbol("app.py::main", lexical=9.0, similarity=0.9)
    defined = symbol("store.py::Session", kind="class", lexical=2.0, similarity=0.1)

    assert order("Session", used, defined)[0] == defined.id


def test_the_written_case_stands_before_another_case() -> None:
    assert order("Session", symbol("b.py::session"), symbol("c.py::Session"))[0] == "c.py::Session"


def test_a_class_stands_before_a_method_of_the_same_name() -> None:
    method = symbol("a.py::Store.Session", kind="method")
    defined = symbol("b.py::Session", kind="class")

    assert order("Session", method, defined)[0] == defined.id


def test_a_qualified_name_finds_the_member_of_that_class() -> None:
    other, meant = symbol("a.py::Store.close"), symbol("b.py::Session.close")

    assert order("Session.close", other, meant)[0] == meant.id


def test_a_name_inside_a_sentence_raises_its_definition() -> None:
    meant, other = symbol("a.py::RouterGroup"), symbol("b.py::handle", lexical=1.2)

    assert order("how RouterGroup handles requests", other, meant)[0] == meant.id


def test_the_file_that_is_called_like_the_subject_stands_first() -> None:
    assert order("cookie parsing", symbol("misc.py::read"), symbol("cookies.py::read"))[0] == (
        "cookies.py::read"
    )


def test_a_file_with_several_hits_stands_before_a_file_with_one() -> None:
    several = [symbol(f"b.py::f{i}", lexical=2.0) for i in range(3)]

    assert order("parse the header", symbol("a.py::f", lexical=2.0), *several)[0] == "b.py::f0"


def test_one_file_does_not_fill_the_answer() -> None:
    many = [symbol(f"a.py::f{i}", lexical=5.0) for i in range(10)]
    other = symbol("b.py::g", lexical=3.0)

    assert other.id in order("parse the header", *many, other, limit=3)


@pytest.mark.parametrize(
    "place", ["examples/app.py::run", "pkg/_compat/app.py::run", "types/app.d.ts::run"]
)
def test_what_stands_aside_is_not_preferred(place: str) -> None:
    assert order("run", symbol(place), symbol("src/app.py::run"))[0] == "src/app.py::run"


@pytest.mark.parametrize("mark", ["is_test", "is_generated"])
def test_tests_and_generated_code_are_not_preferred(mark: str) -> None:
    marked = symbol("a.py::run", lexical=2.0, **{mark: True})

    assert order("run", marked, symbol("b.py::run"))[0] == "b.py::run"


def test_snippets_are_ranked_by_meaning_rather_than_by_words() -> None:
    worded = [symbol(f"{i}.py::f{i}", lexical=5.0 - i, similarity=0.2) for i in range(3)]
    meant = symbol("9.py::g", lexical=1.0, similarity=0.8)

    assert order("sort a list of tuples", *worded, meant)[0] == meant.id


def test_symbols_without_vectors_are_still_ranked() -> None:
    found = rank(read_query("parse the header"), [symbol("a.py::f"), symbol("b.py::g")], 10)

    assert len(found) == 2
    assert all(each.signals.vectors == 0 < each.signals.words for each in found)


def test_a_hit_says_what_spoke_for_it() -> None:
    [hit] = rank(read_query("Session"), [symbol("session.py::Session", kind="class")], 1)

    assert hit.signals.definition > 0
    assert hit.score == hit.signals.score


CANDIDATES = st.lists(
    st.builds(
        symbol,
        st.from_regex(r"[ab]/[cd]\.py::[e-h]{1,3}", fullmatch=True),
        lexical=st.floats(0, 50),
        similarity=st.none() | st.floats(-1, 1),
        is_test=st.booleans(),
    ),
    max_size=20,
    unique_by=lambda each: each.id,
)


@given(st.sampled_from(["efg", "sort the list", "a/c.py", ""]), CANDIDATES, st.integers(0, 25))
def test_the_answer_is_in_order_and_does_not_depend_on_the_order_of_candidates(
    query: str, candidates: list[Candidate], limit: int
) -> None:
    read = read_query(query)
    found = rank(read, candidates, limit)
    scores = [each.score for each in found]

    assert len(found) == min(limit, len(candidates))
    assert scores == sorted(scores, reverse=True)
    assert [each.id for each in rank(read, candidates[::-1], limit)] == [e.id for e in found]
