"""Let the calls that happen while a project's tests run judge the edges of the call graph.

Recall: of what was called from a line, how much is bound there. Precision: of what is bound on
lines all of whose calls happened, how much was really called. What a test never reaches is not
judged; an edge to an override that no test uses counts as wrong.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.code.judging import without_ordinals
from benchmarks.code.measures import Figure
from benchmarks.code.oracle_python import called_name
from benchmarks.code.recording import Recorded, recorded
from benchmarks.code.sources import files_of, project
from zapomni_core.code.model import FileFacts, symbol_id
from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.resolution import Repository

__all__ = [
    "Edge",
    "Happened",
    "Score",
    "Site",
    "edges_in",
    "figures",
    "happened",
    "print_mismatches",
    "score",
]

# Recall that is asked for, without and with what is bound through overrides.
TARGETS = {"flask": (0.75, 0.85), "click": (0.90, 0.93), "jinja2": (None, None)}
PRECISION = 0.95
NAME_ONLY = "name"
OWN = "src/"

type Site = tuple[str, int]


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A call that is bound: on this line, to this symbol, for this reason."""

    path: str
    line: int
    target: str
    how: str


@dataclass(slots=True)
class Happened:
    """What was called from each line, and the lines all of whose calls happened."""

    reached: dict[Site, set[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(set))
    complete: set[Site] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Score:
    """How edges and calls that happened agree."""

    calls: int
    missed: list[tuple[Site, tuple[str, ...]]]
    judged: int
    wrong: list[Edge]

    @property
    def recall(self) -> float:
        """Return the share of the calls that are bound."""
        return 1 - len(self.missed) / self.calls if self.calls else 1.0

    @property
    def precision(self) -> float:
        """Return the share of the judged edges that were called."""
        return 1 - len(self.wrong) / self.judged if self.judged else 1.0


def figures(show: int) -> Iterator[Figure]:
    """Yield recall and precision of each project's own code, and of name matching beside it."""
    for name, (recall, recall_of_all) in TARGETS.items():
        folder = project(name)
        facts = _facts(folder)
        calls = [each for each in recorded(name) if each.path.startswith(OWN)]
        truth = happened(calls, {path: (folder / path).read_bytes() for path in facts})
        edges = list(_edges(facts))
        chosen = {
            "without unique, dispatch": _without(edges, {"unique", "dispatch"}),
            "without dispatch": _without(edges, {"dispatch"}),
            "all": edges,
            "by name only": list(_edges_by_name(facts)),
        }
        targets = {"without dispatch": (PRECISION, recall), "all": (None, recall_of_all)}
        for label, of_label in chosen.items():
            result = score(of_label, truth)
            precision_target, recall_target = targets.get(label, (None, None))
            title = f"{name} {label}"
            yield Figure(f"{title}, precision", result.judged, result.precision, precision_target)
            yield Figure(f"{title}, recall", result.calls, result.recall, recall_target)
            if label == "all":
                print_mismatches(name, result, show)


def happened(calls: Iterable[Recorded], sources: dict[str, bytes]) -> Happened:
    """Turn the ends of calls into lines as the index knows them.

    Functions of the tests that the project's own code calls are not asked for, and lines on which
    they take the place of others are not judged.
    """
    truth = Happened()
    ends = {path: _lines_by_end(source) for path, source in sources.items()}
    waiting = {path: dict(of_path) for path, of_path in ends.items()}
    replaced: set[Site] = set()
    for call in calls:
        end = (call.end_line, call.end_column)
        line = ends.get(call.path, {}).get(end)
        # Decorators and class statements call as well, but no call is written there.
        if line is None:
            continue
        waiting[call.path].pop(end, None)
        site = call.path, line
        truth.complete.add(site)
        named = tuple(each for each in call.reached if "<" not in each)
        if any(each.startswith(OWN) for each in named):
            truth.reached[site].add(named)
        elif call.reached and call.path.startswith(OWN):
            replaced.add(site)
    truth.complete -= replaced
    for path, of_path in waiting.items():
        truth.complete.difference_update((path, line) for line in of_path.values())
    return truth


def score(edges: Collection[Edge], truth: Happened) -> Score:
    """Compare bound calls with those that happened."""
    bound: dict[Site, set[str]] = defaultdict(set)
    for edge in edges:
        bound[edge.path, edge.line].add(edge.target)
    calls = [(site, reached) for site, groups in truth.reached.items() for reached in groups]
    missed = [(site, reached) for site, reached in calls if bound[site].isdisjoint(reached)]
    judged = {edge for edge in edges if (edge.path, edge.line) in truth.complete}
    wrong = [edge for edge in judged if not _was_called(edge, truth)]
    return Score(len(calls), sorted(missed), len(judged), sorted(wrong))


def _was_called(edge: Edge, truth: Happened) -> bool:
    groups = truth.reached.get((edge.path, edge.line), set())
    return any(edge.target in reached for reached in groups)


def _lines_by_end(source: bytes) -> dict[tuple[int, int], int]:
    """Map the end of each call to the line of the called name."""
    lines = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            named = called_name(node)
            line = named[1] if named else node.func.end_lineno or node.lineno
            lines[node.end_lineno, node.end_col_offset] = line
    return lines


def _facts(folder: Path) -> dict[str, FileFacts]:
    return {
        path: extract((folder / path).read_bytes(), path, language)
        for path, language in files_of(folder, ["python"])
        if path.startswith((OWN, "tests/"))
    }


def edges_in(
    facts: Mapping[str, FileFacts], settings: Mapping[str, str] | None = None
) -> Iterator[Edge]:
    """Bind the calls of a repository, with what files of its configuration say."""
    repository = Repository()
    for path, text in (settings or {}).items():
        repository.configure(path, text)
    for path, of_file in facts.items():
        repository.put(path, of_file)
    for path in facts:
        for each in repository.edges_of(path).calls:
            if not each.is_external:
                yield Edge(path, each.line, each.target, each.how)


def _edges(facts: Mapping[str, FileFacts]) -> Iterator[Edge]:
    for each in edges_in(facts):
        yield Edge(each.path, each.line, without_ordinals(each.target), each.how)


def _edges_by_name(facts: dict[str, FileFacts]) -> Iterator[Edge]:
    """Bind every call to everything of that name, as a search for the name would."""
    named: dict[str, set[str]] = defaultdict(set)
    for path, of_file in facts.items():
        for each in of_file.definitions:
            named[each.name].add(without_ordinals(symbol_id(path, each.qname)))
    for path, of_file in facts.items():
        for call in of_file.calls:
            for target in named.get(call.name, ()):
                yield Edge(path, call.line, target, NAME_ONLY)


def _without(edges: Iterable[Edge], reasons: set[str]) -> list[Edge]:
    return [edge for edge in edges if edge.how not in reasons]


def print_mismatches(name: str, result: Score, show: int) -> None:
    """Print the first calls that are missed or bound to something else."""
    for (path, line), reached in result.missed[:show]:
        print(f"  missed {name}: {path}:{line} calls {reached[0]}")
    for edge in result.wrong[:show]:
        print(f"  wrong {name}: {edge.path}:{edge.line} is bound to {edge.target} ({edge.how})")
