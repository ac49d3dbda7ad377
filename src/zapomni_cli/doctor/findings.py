"""What a check says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "State", "ok", "problem", "warning"]

type State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check in one sentence, and what mends it."""

    check: str
    state: State
    message: str
    mend: str | None = None


def ok(check: str, message: str) -> Finding:
    """Say that something is as it should be."""
    return Finding(check, "ok", message)


def warning(check: str, message: str, mend: str | None = None) -> Finding:
    """Say that something should be looked after."""
    return Finding(check, "warning", message, mend)


def problem(check: str, message: str, mend: str | None = None) -> Finding:
    """Say that something does not work."""
    return Finding(check, "problem", message, mend)
