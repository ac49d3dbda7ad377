"""The training data as files: pairs of a query and its passage, and dialogues with questions."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

__all__ = [
    "Dialogue",
    "Pair",
    "Question",
    "read_dialogues",
    "read_pairs",
    "write_dialogues",
    "write_pairs",
]


class Pair(NamedTuple):
    """A text to search for, and the text that should be found."""

    query: str
    passage: str


class Question(NamedTuple):
    """A question about a dialogue, and the numbers of the turns that answer it."""

    text: str
    turns: list[int]


class Dialogue(NamedTuple):
    """What was said, each turn as `speaker: text`, and questions about it."""

    turns: list[str]
    questions: list[Question]


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """Write one pair to a line."""
    _write_lines(path, pairs)


def read_pairs(path: Path) -> list[Pair]:
    """Read what write_pairs() has written."""
    return [Pair(*row) for row in _read_lines(path)]


def write_dialogues(path: Path, dialogues: Iterable[Dialogue]) -> None:
    """Write one dialogue to a line."""
    _write_lines(path, dialogues)


def read_dialogues(path: Path) -> list[Dialogue]:
    """Read what write_dialogues() has written."""
    rows = _read_lines(path)
    return [Dialogue(turns, [Question(*each) for each in asked]) for turns, asked in rows]


def _write_lines(path: Path, rows: Iterable[tuple[object, ...]]) -> None:
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{path.name}: {len(lines)}")


def _read_lines(path: Path) -> list[Any]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
