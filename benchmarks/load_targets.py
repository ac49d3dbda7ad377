"""What the server must hold under load, and how a run compares with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = ["TARGETS", "Figures", "Target"]

type Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Target:
    """A bound on one figure of one phase."""

    phase: str
    figure: str
    bound: Literal["at most", "at least"]
    limit: float

    def is_met(self, figures: Mapping[str, Figures]) -> bool:
        """Tell whether a run has kept to it; a figure that is missing has not."""
        value = figures.get(self.phase, {}).get(self.figure)
        if value is None:
            return False
        return value <= self.limit if self.bound == "at most" else value >= self.limit

    def line(self, figures: Mapping[str, Figures]) -> str:
        """Say how a run compares."""
        verdict = "met   " if self.is_met(figures) else "MISSED"
        value = figures.get(self.phase, {}).get(self.figure, float("nan"))
        name = f"{self.phase}.{self.figure}"
        return f"  {verdict} {name:40} {value:10.2f}  {self.bound} {self.limit:g}"


TARGETS = (
    Target("connecting", "p95_ms", "at most", 100),
    Target("connecting", "mb_per_connection", "at most", 10),
    Target("load", "failures", "at most", 0),
    Target("load", "lost_memories", "at most", 0),
    Target("load", "calls_per_minute", "at least", 1000),
    Target("load", "get_stats_p95_ms", "at most", 500),
    Target("load", "event_loop_lag_max_ms", "at most", 100),
    Target("load", "total_mb_end", "at most", 500),
    Target("load", "server_growth_mb", "at most", 50),
    Target("closed_loop", "failures", "at most", 0),
    Target("closed_loop", "calls_per_minute", "at least", 1000),
    Target("aborts", "failures", "at most", 0),
    Target("aborts", "sessions_left", "at most", 0),
    Target("aborts", "server_growth_mb", "at most", 20),
)
