"""What the judgement of the code index computes."""

from __future__ import annotations

import ast
from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.code.bound import truth_of
from benchmarks.code.calls import Edge, happened, score
from benchmarks.code.judging import rows_of, without_ordinals
from benchmarks.code.measures import Agreement, Figure, Row
from benchmarks.code.oracle_ctags import CORPORA, Tag, is_mistake, missed_tags
from benchmarks.code.oracle_python import rows_of_tree
from benchmarks.code.recording import Recorded
from zapomni_core.code.model import Call, Definition, FileFacts
from zapomni_core.code.parsing.extraction import extract

rows: st.SearchStrategy[list[Row]] = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(1, 3)), max_size=12
)

SOURCE = """
import os.path as p, sys.io
from . import *
from ..x import y as z


@outer(1)
class A(make()):
    if True:
        @property
        def f(self, x=default()) -> hint():
            (self
             .run)(lambda: inner())
            def g(): pass

    async def h(self): return table[0]()()
"""


def _definition(name: str, line: int, end_line: int) -> Definition:
    return Definition(name, name, "function", line, end_line=end_line)


@given(rows, rows)
def test_what_is_known_and_found_is_right_missed_or_wrong(
    known: list[Row], found: list[Row]
) -> None:
    agreement = Agreement()
    agreement.add(known, found)

    assert (agreement.known, agreement.found) == (len(known), len(found))
    assert 0 <= agreement.recall <= 1
    assert 0 <= agreement.precision <= 1
    assert (agreement.recall == agreement.precision == 1) == (sorted(known) == sorted(found))


def test_a_row_that_is_found_once_answers_for_one_of_two() -> None:
    agreement = Agreement()
    agreement.add([("a", 1), ("a", 1)], [("a", 1)])

    assert agreement.missed == [("a", 1)]
    assert agreement.recall == 0.5


def test_a_target_is_met_from_its_own_side() -> None:
    assert Figure("recall", 1, 0.9, 0.9).is_met
    assert not Figure("recall", 1, 0.89, 0.9).is_met
    assert Figure("ratio", 1, 2.9, 3, is_ceiling=True).is_met
    assert not Figure("ratio", 1, 3.1, 3, is_ceiling=True).is_met


def test_python_is_read_as_it_is_evaluated() -> None:
    read = rows_of_tree(ast.parse(SOURCE))

    assert read["imports"] == [
        ("", "os.path", "", "p", 2),
        ("", "sys.io", "", "sys", 2),
        ("", ".", "*", "", 3),
        ("", "..x", "y", "z", 4),
    ]
    assert read["definitions"] == [
        ("A", "class", 8, 16),
        ("A.f", "method", 11, 14),
        ("A.f.g", "function", 14, 14),
        ("A.h", "method", 16, 16),
    ]
    assert sorted(read["calls"]) == [
        ("", "make", 8),
        ("", "outer", 7),
        ("A", "default", 11),
        ("A", "hint", 11),
        ("A.f", "inner", 13),
        ("A.f", "run", 13),
    ]


def test_ordinals_are_taken_off_every_part_of_a_name() -> None:
    facts = FileFacts(
        "python", (_definition("f#2.g#13", 1, 2),), (Call("run", "", 2, 0), Call("top", "", 3, -1))
    )

    assert without_ordinals("A.f#2.g#13") == "A.f.g"
    assert rows_of(facts)["calls"] == [("f.g", "run", 2), ("", "top", 3)]


def test_a_tag_is_answered_by_one_definition_that_begins_there_or_spans_it() -> None:
    tags = [Tag("a.c", "run", line, "function") for line in (2, 5, 9)]
    found = {"a.c": [_definition("run", 1, 3), _definition("run", 5, 6)]}

    assert missed_tags(tags, found) == [tags[2]]


def test_a_definition_does_not_answer_twice() -> None:
    tags = [Tag("a.c", "run", 2, "function"), Tag("a.c", "run", 2, "function")]

    assert missed_tags(tags, {"a.c": [_definition("run", 2, 3)]}) == [tags[1]]


def _is_mistake(language: str, tag: Tag, macros: Collection[str] = ()) -> bool:
    return is_mistake(next(each for each in CORPORA if each.language == language), tag, macros)


def test_only_known_mistakes_of_ctags_are_left_out() -> None:
    assert _is_mistake("c", Tag("a.c", "TEST", 1, "function"), {"TEST"})
    assert not _is_mistake("c", Tag("a.c", "TEST", 1, "macro"), {"TEST"})
    assert _is_mistake("csharp", Tag("a.cs", "Attribute", 1, "property", "where T: Attribute"))
    assert _is_mistake("csharp", Tag("a.cs", "T", 1, "class", "class C<T> where T : Enum"))
    assert not _is_mistake("csharp", Tag("a.cs", "C", 1, "class", "class C<T> where T : Enum"))
    assert not _is_mistake("rust", Tag("a.rs", "new", 1, "function"))
    assert not _is_mistake("cpp", Tag("a.cpp", "operator []", 1, "function"))


def test_what_ctags_takes_for_functions_has_to_be_written_as_one() -> None:
    assert _is_mistake("kotlin", Tag("a.kt", "x", 1, "method", "/^  xs.map { x -> x + 1 }$/"))
    assert not _is_mistake("kotlin", Tag("a.kt", "f", 1, "method", "/^  override fun f() {$/"))
    assert _is_mistake("lua", Tag("a.lua", "x", 1, "function", "x = map(xs, function (a)"))
    assert not _is_mistake("lua", Tag("a.lua", "x", 1, "function", "local x = y or function (a)"))
    assert not _is_mistake("lua", Tag("a.lua", "f", 1, "function", "function t.f (a)"))
    assert _is_mistake("objc", Tag("a.m", "prop", 1, "method", "/^{      \\\\$/"))
    assert not _is_mistake("objc", Tag("a.m", "prop", 1, "method", "/^{$/"))


def test_each_part_of_a_namespace_is_found_in_the_whole() -> None:
    module = Definition("a.b", "a.b", "module", 1, end_line=9)
    tags = [Tag("x.cpp", name, 1, "namespace") for name in ("a", "b", "c")]

    assert missed_tags(tags, {"x.cpp": [module]}) == tags[2:]


def test_calls_are_judged_on_lines_all_of_whose_calls_happened() -> None:
    sources = {"src/a.py": b"f(g())\nx or h()\nf(\n)\n"}
    calls = [
        Recorded("src/a.py", 1, 6, ("src/a.py::f",)),
        Recorded("src/a.py", 1, 5, ("src/a.py::G", "src/a.py::G.__init__")),
        Recorded("src/a.py", 4, 1, ()),
    ]
    truth = happened(calls, sources)
    edges = [
        Edge("src/a.py", 1, "src/a.py::G.__init__", "local"),
        Edge("src/a.py", 2, "src/a.py::h", "local"),
        Edge("src/a.py", 3, "src/a.py::f", "local"),
    ]
    result = score(edges, truth)

    assert truth.complete == {("src/a.py", 1), ("src/a.py", 3)}
    assert result.missed == [(("src/a.py", 1), ("src/a.py::f",))]
    assert result.wrong == [edges[2]]
    assert (result.recall, result.precision) == (0.5, 0.5)


def test_lines_on_which_tests_put_functions_of_their_own_are_not_judged() -> None:
    sources = {"src/a.py": b"f()\n"}
    truth = happened([Recorded("src/a.py", 1, 3, ("tests/t.py::fake",))], sources)
    result = score([Edge("src/a.py", 1, "src/a.py::f", "local")], truth)

    assert (result.calls, result.judged) == (0, 0)


def test_compilers_judge_lines_on_which_they_know_everything() -> None:
    source = (
        "class A { A(int a) {} void f() { new A(1); g(); h(); } void g() {} void g(int a) {} }"
    )
    facts = {"A.java": extract(source.encode(), "A.java", "java")}
    answers = [
        (
            "A.java",
            [
                ("A", 1, [("A.java", 1, "A")]),
                ("g", 2, [("A.java", 1, "g")]),
                ("h", 3, None),
                ("println", 4, []),
                ("lambda", 5, [("A.java", 1, "unnamed")]),
            ],
        )
    ]
    truth = truth_of(iter(answers), facts)

    assert truth.complete == {("A.java", 1), ("A.java", 2), ("A.java", 4)}
    assert {"A.java::A", "A.java::A.A"} <= set(next(iter(truth.reached["A.java", 1])))
    assert {"A.java::A.g", "A.java::A.g#2"} <= set(next(iter(truth.reached["A.java", 2])))
    assert score([Edge("A.java", 2, "A.java::A.g#2", "self")], truth).precision == 1.0
    assert score([Edge("A.java", 4, "A.java::A.g", "unique")], truth).precision == 0.0
