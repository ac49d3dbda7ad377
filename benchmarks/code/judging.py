"""Put what is read out of a file side by side with what an oracle says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.code.measures import Agreement, Figure, Row
from zapomni_core.code.model import MODULE, FileFacts

__all__ = ["Judged", "figures_of", "rows_of", "without_ordinals"]

ORDINAL = re.compile(r"#\d+")
ASPECTS = ("definitions", "calls", "imports")


@dataclass(slots=True)
class Judged:
    """How definitions, calls and imports agree over many files."""

    agreements: dict[str, Agreement] = field(default_factory=dict)
    files: int = 0
    left_out: int = 0

    def add(
        self, path: str, known: Mapping[str, Sequence[Row]], found: Mapping[str, Sequence[Row]]
    ) -> None:
        """Compare one file in every aspect that the oracle knows."""
        self.files += 1
        for aspect, rows in known.items():
            self.agreements.setdefault(aspect, Agreement()).add(
                ((path, *row) for row in rows), ((path, *row) for row in found[aspect])
            )


def rows_of(facts: FileFacts) -> dict[str, list[Row]]:
    """Write facts as the rows that oracles know."""
    names = {place: without_ordinals(each.qname) for place, each in enumerate(facts.definitions)}
    names[MODULE] = ""
    return {
        "definitions": [
            (names[place], each.kind, each.line, each.end_line)
            for place, each in enumerate(facts.definitions)
        ],
        "calls": [(names[each.scope], each.name, each.line) for each in facts.calls],
        "imports": [
            (names[each.scope], each.module, each.name, each.alias, each.line)
            for each in facts.imports
        ],
    }


def without_ordinals(qname: str) -> str:
    """Take the numbers off names that are defined more than once."""
    return ORDINAL.sub("", qname)


def figures_of(name: str, judged: Judged, target: float, show: int) -> Iterator[Figure]:
    """Yield recall and precision of each aspect, and print the first mismatches."""
    left_out = f", {judged.left_out} that the oracle refuses" if judged.left_out else ""
    for aspect, agreement in judged.agreements.items():
        note = f"{judged.files} files{left_out}"
        yield Figure(
            f"{name} {aspect} recall", agreement.known, agreement.recall, target, note=note
        )
        yield Figure(f"{name} {aspect} precision", agreement.found, agreement.precision, target)
        print_mismatches(f"{name} {aspect}", agreement, show)


def print_mismatches(name: str, agreement: Agreement, show: int) -> None:
    """Print the first rows that only one side has."""
    for label, rows in (("missed", agreement.missed), ("wrong", agreement.wrong)):
        for row in rows[:show]:
            print(f"  {label} {name}: {row}")
