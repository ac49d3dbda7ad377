"""The questions that code search is measured with, and the projects that they are about.

Ours are in `questions/`, one JSON object a line: {"project", "kind", "query", "relevant"}, where
`relevant` grades files: 2 for one that answers, 1 for one that helps. They were written from the
sources, before any search was run. Half of the projects is for tuning, among them those that
others asked about too; the other half is held out, and no weight may be chosen by it.

Questions of others are measured too if they are there: build/code/questions/<name>.jsonl about
build/code/repos/<name>/, each line {"kind", "query", "relevant", "secondary"} with lists of
"path" or "path:first-last". Those of semble's benchmark (MinishLab/semble, MIT) were used so.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.code.sources import FOLDER, project

__all__ = ["OTHERS", "Block", "Project", "Question", "Target", "blocks"]

_OURS: Final = Path(__file__).parent / "questions"
_HALVES: Final = {"tuning": "tuning half", "held_out": "held-out half"}
OTHERS: Final = "questions of others"
# Two thirds of django are its tests; the others bring a project of another language along.
_PARTS: Final = {
    "django": "django",
    "lupa": "third-party/lua54",
    "uvloop": "vendor/libuv",
    "wandb": "core",
}
# Published with what was compiled from its sources, which a repository does not have.
_EXCLUDED: Final = {
    "zod": ("/locales/", "/mini/", "/v3/", "/v4/", "/v4-mini/", "/index.*"),
}
_LAST_LINE: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Target:
    """A file, or some lines of it, that answers a question."""

    path: str
    grade: int
    first: int = 0
    last: int = _LAST_LINE


@dataclass(frozen=True, slots=True)
class Question:
    """A question and everything that answers it."""

    kind: str
    text: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Project:
    """What is indexed, and what is asked about it."""

    name: str
    folder: Path
    exclude: tuple[str, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Projects whose figures are shown together."""

    title: str
    is_held_out: bool
    projects: tuple[Project, ...]


def blocks(names: frozenset[str]) -> Iterator[Block]:
    """Yield the halves of our questions, then those of others; no names means all."""
    for half, title in _HALVES.items():
        asked = _asked(_OURS / f"{half}.jsonl")
        ours = tuple(_project(name, asked[name]) for name in asked if not names or name in names)
        if ours:
            yield Block(title, half == "held_out", ours)
    others = tuple(_others(names))
    if others:
        yield Block(OTHERS, False, others)


def _asked(file: Path) -> Mapping[str, list[Question]]:
    asked: dict[str, list[Question]] = defaultdict(list)
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        targets = tuple(Target(path, grade) for path, grade in row["relevant"].items())
        asked[row["project"]].append(Question(row["kind"], row["query"], targets))
    return asked


def _project(name: str, questions: list[Question]) -> Project:
    folder = project(name) / _PARTS.get(name, "")
    return Project(name, folder, _EXCLUDED.get(name, ()), tuple(questions))


def _others(names: frozenset[str]) -> Iterator[Project]:
    for file in sorted((FOLDER / "questions").glob("*.jsonl")):
        folder = FOLDER / "repos" / file.stem
        if folder.is_dir() and (not names or f"others/{file.stem}" in names):
            lines = file.read_text("utf-8").splitlines()
            yield Project(f"others/{file.stem}", folder, (), tuple(map(_other, lines)))


def _other(line: str) -> Question:
    row = json.loads(line)
    return Question(
        row["kind"], row["query"], tuple(map(_span, row["relevant"] + row["secondary"]))
    )


def _span(text: str) -> Target:
    path, _, lines = text.partition(":")
    first, _, last = lines.partition("-")
    return Target(path, 1, int(first or 0), int(last or _LAST_LINE))
