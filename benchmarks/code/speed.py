"""Measure what the index costs beside parsing alone, in the same process and on the same files."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from benchmarks.code.measures import Figure
from benchmarks.code.sources import files_of, project
from zapomni_core.code.model import FileFacts
from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.parsing.grammars import parser
from zapomni_core.code.resolution import Repository

__all__ = ["Taken", "figures", "parsing_alone"]

# The least of these counts: the others only tell what else ran on the machine.
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds of one run."""

    cpu: float
    wall: float


def figures(_show: int) -> Iterator[Figure]:
    """Yield the ratios to parsing alone on Django, by CPU time and by the clock."""
    folder = project("django")
    files = {path: (folder / path).read_bytes() for path, _ in files_of(folder, ["python"])}
    parsing = _least(lambda: _parse(files))
    steps = {"parse + extract": _least(lambda: _extract(files))}
    facts = _extract(files)
    resolving = _least(lambda: _resolve(facts))
    extracting = steps["parse + extract"]
    # The whole index, with its store and its processes, is measured in `answering`.
    steps["parse + extract + resolve"] = Taken(
        extracting.cpu + resolving.cpu, extracting.wall + resolving.wall
    )
    print(f"  parsing alone: {parsing.cpu:.2f} s of CPU, {parsing.wall:.2f} s by the clock")
    for name, taken in steps.items():
        note = f"{taken.cpu:.2f} s of CPU, {taken.wall:.2f} s by the clock"
        ratio = taken.cpu / parsing.cpu
        yield Figure(f"{name}, CPU", len(files), ratio, is_ceiling=True, note=note)
        yield Figure(f"{name}, clock", len(files), taken.wall / parsing.wall, is_ceiling=True)


def parsing_alone() -> float:
    """Measure how many seconds all Python files of Django take to parse, and nothing else.

    It is the median of some rounds, for something that is measured once to be compared with.
    """
    folder = project("django")
    files = {path: (folder / path).read_bytes() for path, _ in files_of(folder, ["python"])}
    return median(_timed(lambda: _parse(files)).wall for _ in range(ROUNDS))


def _parse(files: dict[str, bytes]) -> None:
    python = parser("python")
    for source in files.values():
        python.parse(source)


def _extract(files: dict[str, bytes]) -> dict[str, FileFacts]:
    return {path: extract(source, path, "python") for path, source in files.items()}


def _resolve(facts: dict[str, FileFacts]) -> None:
    repository = Repository()
    for path, of_file in facts.items():
        repository.put(path, of_file)
    for path in facts:
        repository.edges_of(path)


def _least(work: Callable[[], object]) -> Taken:
    taken = [_timed(work) for _ in range(ROUNDS)]
    return Taken(min(each.cpu for each in taken), min(each.wall for each in taken))


def _timed(work: Callable[[], object]) -> Taken:
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Taken(time.process_time() - cpu, time.perf_counter() - wall)
