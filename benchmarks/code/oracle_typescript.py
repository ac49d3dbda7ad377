"""Let the TypeScript compiler judge what is read out of TypeScript and JavaScript."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from benchmarks.code.judging import Judged, figures_of
from benchmarks.code.measures import Figure, Row
from benchmarks.code.sources import files_of, project
from zapomni_core.code.model import MODULE, FileFacts
from zapomni_core.code.parsing.extraction import extract

__all__ = ["figures", "judge"]

PROGRAM = Path(__file__).with_name("oracle_typescript.js")
TARGET = 0.999
# Folders in which people wrote what is there; a bundle beside them says it all again.
PROJECTS = {
    "zod": ("src", ("typescript", "tsx")),
    "rxjs": ("src", ("typescript", "tsx")),
    "@tanstack/react-query": ("src", ("typescript", "tsx")),
    "@reduxjs/toolkit": ("src", ("typescript", "tsx")),
    "effect": ("src", ("typescript",)),
    "express": ("", ("javascript",)),
    "eslint": ("lib", ("javascript",)),
}
ASPECTS = ("definitions", "calls", "imports")


def figures(show: int) -> Iterator[Figure]:
    """Yield the figures of each project."""
    compiler = project("typescript").resolve() / "lib" / "typescript.js"
    for name, (part, languages) in PROJECTS.items():
        judged = judge(project(name) / part, languages, compiler)
        yield from figures_of(name, judged, TARGET, show)


def judge(folder: Path, languages: tuple[str, ...], compiler: Path) -> Judged:
    """Compare all files that the compiler can parse."""
    files = dict(files_of(folder, languages))
    judged = Judged()
    for path, known in _answers(folder, list(files), compiler):
        if known is None:
            judged.left_out += 1
            continue
        facts = extract((folder / path).read_bytes(), path, files[path])
        judged.add(path, known, _rows(facts))
    return judged


def _answers(
    folder: Path, paths: list[str], compiler: Path
) -> Iterator[tuple[str, dict[str, list[Row]] | None]]:
    command = ["node", str(PROGRAM), str(compiler), str(folder.resolve())]
    try:
        done = subprocess.run(
            command, input="\n".join(paths), capture_output=True, text=True, check=True
        )
    except FileNotFoundError as error:
        raise SystemExit("node is not installed: the TypeScript compiler cannot run") from error
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"the TypeScript compiler did not run: {error.stderr}") from error
    for answer in map(json.loads, done.stdout.splitlines()):
        known = {aspect: [tuple(row) for row in answer[aspect]] for aspect in ASPECTS}
        yield answer["path"], None if answer.get("refused") else known


def _rows(facts: FileFacts) -> dict[str, list[Row]]:
    """Write facts without what is a matter of taste here: how definitions inside are named."""
    names = {place: each.name for place, each in enumerate(facts.definitions)}
    names[MODULE] = ""
    return {
        "definitions": [
            (each.name, each.kind, each.line, each.end_line) for each in facts.definitions
        ],
        "calls": [(names[each.scope], each.name, each.line) for each in facts.calls],
        # Without a module it is a list of exports of the file's own names.
        "imports": [
            (each.module, each.name, each.alias, each.line)
            for each in facts.imports
            if each.module
        ],
    }
