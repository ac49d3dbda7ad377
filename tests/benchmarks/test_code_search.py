"""What the measurement of code search computes, and what its questions look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.code.search import ndcg
from benchmarks.code.search_questions import Question, Target
from benchmarks.code.sources import NPM_PACKAGES, PYTHON_PACKAGES
from zapomni_db.code import Symbol

QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "code" / "questions"
paths = st.sampled_from([f"{letter}.py" for letter in "abcdef"])
grades = st.dictionaries(paths, st.sampled_from([1, 2]), min_size=1)


class Row(TypedDict):
    """A line of a file of questions."""

    project: str
    kind: str
    query: str
    relevant: dict[str, int]


def _symbol(path: str, line: int = 1) -> Symbol:
    return Symbol(
        path, path, "f", "f", "function", "python", line, line + 9, "", "", "", True, False, 0
    )


def _question(relevant: Mapping[str, int]) -> Question:
    return Question("semantic", "", tuple(Target(*each) for each in relevant.items()))


@given(grades, st.lists(paths, max_size=14))
def test_a_gain_lies_between_nothing_and_everything(
    relevant: dict[str, int], found: list[str]
) -> None:
    assert 0 <= ndcg(_question(relevant), [_symbol(path) for path in found]) <= 1.000001


@given(grades)
def test_the_best_files_first_are_everything(relevant: dict[str, int]) -> None:
    best = sorted(relevant, key=lambda path: -relevant[path])

    assert ndcg(_question(relevant), [_symbol(path) for path in best]) == pytest.approx(1)


@given(grades)
def test_what_stands_beyond_the_tenth_place_is_worth_nothing(relevant: dict[str, int]) -> None:
    others = [_symbol("other.py")] * 10

    assert ndcg(_question(relevant), [*others, *map(_symbol, relevant)]) == 0


def test_a_file_counts_where_the_first_of_its_symbols_stands() -> None:
    question = _question({"a.py": 2})
    late = ndcg(question, [_symbol("b.py"), _symbol("a.py")])

    assert ndcg(question, [_symbol("b.py"), _symbol("a.py"), _symbol("a.py", 50)]) == late
    assert ndcg(question, [_symbol("a.py"), _symbol("a.py", 50)]) == 1


def test_a_file_that_answers_is_worth_more_than_one_that_helps() -> None:
    question = _question({"a.py": 2, "b.py": 1})

    assert ndcg(question, [_symbol("a.py")]) > ndcg(question, [_symbol("b.py")])


def test_only_the_lines_that_are_meant_count() -> None:
    question = Question("semantic", "", (Target("a.py", 1, 40, 60),))

    assert ndcg(question, [_symbol("a.py", 1), _symbol("a.py", 55)]) == ndcg(
        question, [_symbol("b.py"), _symbol("a.py", 55)]
    )


def test_no_project_is_in_both_halves_and_each_can_be_fetched() -> None:
    tuning, held_out = ({row["project"] for row in _rows(half)} for half in ("tuning", "held_out"))

    assert not tuning & held_out
    assert tuning | held_out <= PYTHON_PACKAGES.keys() | NPM_PACKAGES.keys()


@pytest.mark.parametrize("half", ["tuning", "held_out"])
def test_every_question_has_a_kind_and_a_file_that_answers_it(half: str) -> None:
    rows = _rows(half)

    assert {row["kind"] for row in rows} == {"architecture", "semantic", "symbol"}
    assert all(2 in row["relevant"].values() for row in rows)
    assert all({1, 2} >= set(row["relevant"].values()) for row in rows)
    assert len({(row["project"], row["query"]) for row in rows}) == len(rows)


def _rows(half: str) -> list[Row]:
    text = (QUESTIONS / f"{half}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]
