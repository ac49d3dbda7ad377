"""`zapomni eval`: the file of questions, the measures, and the command."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zapomni_cli.conftest import Terminal
from zapomni_cli.questions import Asked, BadQuestion, Question, Score, read_questions, score_of

ID = "83557326-b097-4d29-8b9c-8ced7e932f0d"


def test_a_file_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    lines = [
        {"query": "by id", "memory_ids": [ID.upper()]},
        {"query": "by text", "texts": ["dumplings"]},
    ]
    path.write_text("\n\n".join(map(json.dumps, lines)), encoding="utf-8")

    assert read_questions(path) == [
        Question("by id", memory_ids=(ID,)),
        Question("by text", texts=("dumplings",)),
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "is not JSON"),
        ("[]", "not a JSON object"),
        ('{"query": " ", "texts": ["x"]}', "query has to be"),
        ('{"query": "x"}', "what is expected"),
        ('{"query": "x", "texts": "y"}', "texts has to be a list"),
        ('{"query": "x", "memory_ids": ["1"]}', "is not the id"),
        ('{"query": "x", "text": ["y"]}', "unknown field 'text'"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f'{{"query": "fine", "texts": ["x"]}}\n{line}\n')

    with pytest.raises(BadQuestion, match=complaint) as caught:
        read_questions(path)

    assert "line 2" in str(caught.value)


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")

    with pytest.raises(BadQuestion, match="no questions"):
        read_questions(tmp_path / "empty")


def test_results_are_found_by_id_and_by_what_they_say() -> None:
    results = [Asked(("a",), "The canteen\nhas DUMPLINGS."), Asked(("b", ID), "else")]

    score = score_of(Question("q", (ID, "c"), ("has dumplings",)), results)

    assert score.places == (2, None, 1)
    assert score.recall(1) == pytest.approx(1 / 3)
    assert score.recall(10) == pytest.approx(2 / 3)
    assert score.reciprocal_rank == 1


@given(st.lists(st.none() | st.integers(1, 50), min_size=1))
def test_more_results_never_make_it_worse(places: list[int | None]) -> None:
    score = Score("q", tuple(places))
    recalls = [score.recall(cut) for cut in range(60)]

    assert recalls == sorted(recalls)
    assert recalls[0] == 0
    assert recalls[-1] == sum(place is not None for place in places) / len(places)
    assert 0 <= score.reciprocal_rank <= 1


def test_the_command_measures_the_users_own_questions(terminal: Terminal, tmp_path: Path) -> None:
    lunch, _ = terminal.remember("The canteen has dumplings on Thursdays.", "The bus is late.")
    path = tmp_path / "questions.jsonl"
    questions = [
        {"query": "What is for lunch on Thursday?", "memory_ids": [lunch]},
        {"query": "When does the bus come?", "texts": ["never said"]},
    ]
    path.write_text("\n".join(map(json.dumps, questions)))

    measured = json.loads(terminal.out("eval", "--json", "--limit", "5", path))
    told = terminal.out("eval", path)

    assert measured == {
        "questions": 2,
        "limit": 5,
        "recall": {"1": 0.5, "3": 0.5, "5": 0.5},
        "mrr": 0.5,
        "missed": ["When does the bus come?"],
    }
    assert "recall@10  0.500" in told


def test_a_bad_file_is_refused_before_anything_is_asked(
    terminal: Terminal, tmp_path: Path
) -> None:
    (tmp_path / "bad").write_text("no")

    done = terminal.run("eval", tmp_path / "bad")

    assert done.exit_code == 1
    assert "line 1 is not JSON" in done.stderr
