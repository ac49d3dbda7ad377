"""Let compilers judge what calls are bound to: `python -m benchmarks.code.bound FOLDER ...`.

Recall: of the calls that a compiler leads to something in the repository, how many are bound to
it. Precision: of what is bound on lines all of whose calls the compiler knows, how much it leads
to. Edges to overrides (`dispatch`) are left out: a compiler tells what is declared. Overloads
count as one, and once more each by itself.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.code.calls import Edge, Happened, edges_in, print_mismatches, score
from benchmarks.code.judging import without_ordinals
from benchmarks.code.measures import Figure, show
from benchmarks.code.sources import files_of, project
from zapomni_core.code.model import FileFacts, symbol_id
from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.resolution import CONFIGURATION_NAMES

__all__ = ["figures", "judged", "truth_of"]

type _Place = tuple[str, int, str]
# The name, the line and what is meant; None if nobody knows.
type _Calls = list[tuple[str, int, list[_Place] | None]]

PROGRAMS = Path(__file__).parent / "compilers"
# Those of the projects that facts are judged with which are of some size.
PROJECTS = {
    "zod": "src",
    "rxjs": "src",
    "@reduxjs/toolkit": "src",
    "effect": "src",
    "eslint": "lib",
}
RECALL, PRECISION = 0.90, 0.95
EXPORTS = tuple(
    part
    for package in ("code", "tree", "util")
    for part in ("--add-exports", f"jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED")
)


@dataclass(frozen=True, slots=True)
class Compiler:
    """Who judges which languages, and whether functions of one name are told apart there."""

    languages: tuple[str, ...]
    command: tuple[str, ...]
    has_overloads: bool = False


def compilers() -> Iterator[Compiler]:
    """Yield those who judge; TypeScript's compiler is fetched if it is not there."""
    typescript = project("typescript").resolve() / "lib" / "typescript.js"
    node = ("node", "--max-old-space-size=6000", str(PROGRAMS / "calls_typescript.js"))
    yield Compiler(("javascript", "tsx", "typescript"), (*node, str(typescript)))
    yield Compiler(("go",), ("go", "run", str(PROGRAMS / "calls.go")))
    java = ("java", "-Xmx4g", *EXPORTS, str(PROGRAMS / "Calls.java"))
    yield Compiler(("java",), java, has_overloads=True)


def figures(show_count: int) -> Iterator[Figure]:
    """Yield the figures of projects in TypeScript and JavaScript, which npm has."""
    compiler = next(compilers())
    for name, part in PROJECTS.items():
        yield from judged(name, project(name) / part, compiler, show_count, RECALL, PRECISION)


def judged(
    name: str,
    folder: Path,
    compiler: Compiler,
    show_count: int = 0,
    recall: float | None = None,
    precision: float | None = None,
) -> Iterator[Figure]:
    """Yield recall and precision of the calls of a repository, if it has files to judge."""
    files = dict(files_of(folder, compiler.languages))
    if not files:
        return
    facts = {path: extract((folder / path).read_bytes(), path, files[path]) for path in files}
    settings = {
        path.relative_to(folder).as_posix(): path.read_text(errors="replace")
        for path in folder.rglob("*")
        if path.name in CONFIGURATION_NAMES and path.is_file()
    }
    edges = [edge for edge in edges_in(facts, settings) if edge.how != "dispatch"]
    truth = truth_of(_answers(folder, [*files, *settings], compiler), facts)
    found = score([_as_one(edge) for edge in edges], _together(truth))
    yield Figure(f"{name}, recall", found.calls, found.recall, recall, note=f"{len(files)} files")
    yield Figure(f"{name}, precision", found.judged, found.precision, precision)
    if compiler.has_overloads:
        exact = score(edges, truth)
        yield Figure(f"{name}, recall of overloads", exact.calls, exact.recall)
        yield Figure(f"{name}, precision of overloads", exact.judged, exact.precision)
    print_mismatches(name, found, show_count)


def _answers(
    folder: Path, paths: Sequence[str], compiler: Compiler
) -> Iterator[tuple[str, _Calls]]:
    try:
        done = subprocess.run(
            [*compiler.command, str(folder.resolve())],
            input="\n".join(paths),
            capture_output=True,
            text=True,
            check=True,
        )
    except FileNotFoundError as error:
        raise SystemExit(f"{compiler.command[0]} is not installed") from error
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"the compiler did not run: {error.stderr[-2000:]}") from error
    for answer in map(json.loads, done.stdout.splitlines()):
        yield answer["path"], answer["calls"]


def truth_of(
    answers: Iterator[tuple[str, _Calls]],
    facts: Mapping[str, FileFacts],
) -> Happened:
    """Turn declarations into symbols; a line with a call that nobody knows is not judged."""
    symbols: dict[_Place, set[str]] = {}
    for path, of_file in facts.items():
        for each in of_file.definitions:
            key = path, each.line, each.name
            symbols.setdefault(key, set()).update(
                _as_called(symbol_id(path, each.qname), each.name)
            )
    truth = Happened()
    unknown = set()
    for path, calls in answers:
        for _, line, targets in calls:
            found = {
                one
                for each in targets or ()
                for one in symbols.get((each[0], each[1], each[2]), ())
            }
            truth.complete.add((path, line))
            if found:
                truth.reached[path, line].add(tuple(sorted(found)))
            elif targets is None or targets:
                # Something without a name, or of which nobody knows what it is.
                unknown.add((path, line))
    truth.complete -= unknown
    return truth


def _as_called(symbol: str, name: str) -> set[str]:
    """Return a class with its constructor, and a constructor with its class: either is right."""
    owner = symbol.rpartition(".")[0]
    is_constructor = name == "constructor" or without_ordinals(owner).endswith(name)
    return {symbol, owner} if is_constructor else {symbol, f"{symbol}.constructor"}


def _as_one(edge: Edge) -> Edge:
    return Edge(edge.path, edge.line, without_ordinals(edge.target), edge.how)


def _together(truth: Happened) -> Happened:
    reached = {
        site: {tuple(sorted({without_ordinals(each) for each in group})) for group in groups}
        for site, groups in truth.reached.items()
    }
    return Happened(reached, truth.complete)


def main() -> None:
    """Judge repositories by every compiler that has something to say about them."""
    parser = argparse.ArgumentParser(prog="benchmarks.code.bound", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--show", type=int, default=0, help="how many mismatches to print of each")
    arguments = parser.parse_args()
    for compiler in compilers():
        found = [
            figure
            for folder in arguments.folders
            for figure in judged(folder.resolve().name, folder, compiler, arguments.show)
        ]
        if found:
            show(f"Calls in {', '.join(compiler.languages)}", found)


if __name__ == "__main__":
    main()
