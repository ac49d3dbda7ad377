"""The last run of each set, kept to compare the next one with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.recall.scores import Figures, Score

__all__ = ["Run", "load_run", "save_run"]


@dataclass(frozen=True, slots=True)
class Run:
    """When a set was asked, and the score of each question."""

    at: str
    scores: tuple[Score, ...]


def load_run(path: Path) -> Run | None:
    """Return the run that was saved there, if any."""
    if not path.exists():
        return None
    saved = json.loads(path.read_text(encoding="utf-8"))
    return Run(saved["at"], tuple(Score(**score) for score in saved["scores"]))


def save_run(path: Path, scores: Sequence[Score], figures: Mapping[str, Figures]) -> None:
    """Write the figures, for people, and the scores, for the next comparison."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "figures": {name: asdict(figure) for name, figure in figures.items()},
        "scores": [asdict(score) for score in scores],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
