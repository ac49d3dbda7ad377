"""Questions with the answers that are expected, and how well results fit them."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Asked", "BadQuestion", "Question", "Score", "read_questions", "score_of"]

_FIELDS = {"query", "memory_ids", "texts"}
_SPACE = re.compile(r"\s+")


class BadQuestion(Exception):
    """A line of the file cannot be used; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and what it should find: memories by their ids, or by what they contain."""

    query: str
    memory_ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A result: the ids of the memories that say it, and the text."""

    memory_ids: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Score:
    """At which places, from 1, the expected things came; None if one did not."""

    query: str
    places: tuple[int | None, ...]

    def recall(self, cut: int) -> float:
        """Return the share that came within the first results."""
        return sum(place is not None and place <= cut for place in self.places) / len(self.places)

    @property
    def reciprocal_rank(self) -> float:
        """1 / the first place, 0 if nothing came."""
        return max((1 / place for place in self.places if place is not None), default=0.0)


def read_questions(path: Path) -> list[Question]:
    """Read a file of JSON lines; blank lines are passed over."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as exc:
        raise BadQuestion(f"{path} is not UTF-8") from exc
    questions = [_question(line, n) for n, line in enumerate(lines, start=1) if line.strip()]
    if not questions:
        raise BadQuestion(f"{path} has no questions")
    return questions


def score_of(question: Question, results: Sequence[Asked]) -> Score:
    """Find the place of each expected thing among results, best first."""
    by_id = (
        _place([each in result.memory_ids for result in results]) for each in question.memory_ids
    )
    by_text = (
        _place([_folded(each) in _folded(result.text) for result in results])
        for each in question.texts
    )
    return Score(question.query, (*by_id, *by_text))


def _place(fits: Sequence[bool]) -> int | None:
    return fits.index(True) + 1 if True in fits else None


def _folded(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _question(line: str, number: int) -> Question:
    try:
        data = json.loads(line)
    except ValueError as exc:
        raise BadQuestion(f"line {number} is not JSON: {exc}") from exc
    if not isinstance(data, dict):
        raise BadQuestion(f"line {number} is not a JSON object")
    if unknown := sorted(set(data) - _FIELDS):
        known = ", ".join(sorted(_FIELDS))
        raise BadQuestion(f"line {number}: unknown field {unknown[0]!r}; there are {known}")
    query = data.get("query")
    if not isinstance(query, str) or not query.strip():
        raise BadQuestion(f"line {number}: query has to be a text")
    ids, texts = (_listed(data.get(name), name, number) for name in ("memory_ids", "texts"))
    if not ids and not texts:
        raise BadQuestion(f"line {number}: memory_ids or texts has to say what is expected")
    return Question(query, tuple(_canonical(each, number) for each in ids), texts)


def _listed(value: object, name: str, number: int) -> tuple[str, ...]:
    given = [] if value is None else value
    if not isinstance(given, list) or not all(isinstance(e, str) and e.strip() for e in given):
        raise BadQuestion(f"line {number}: {name} has to be a list of texts")
    return tuple(given)


def _canonical(memory_id: str, number: int) -> str:
    try:
        return str(uuid.UUID(memory_id))
    except ValueError as exc:
        raise BadQuestion(f"line {number}: {memory_id!r} is not the id of a memory") from exc
