"""What the engine answers about documents, imports and junk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from zapomni_core.jobs import JobReport

__all__ = [
    "Audit",
    "AuditFinding",
    "AuditKind",
    "DocumentOutcome",
    "DocumentsAdded",
    "ImportFailure",
    "ImportReport",
    "Outcome",
]

type Outcome = Literal["added", "updated", "unchanged", "skipped", "failed", "gone"]
type AuditKind = Literal[
    "duplicates",
    "repeated",
    "near_duplicates",
    "expired",
    "recalled",
    "too_short",
    "secrets",
    "without_source",
    "unfinished",
    "orphans",
]


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """What became of one file; `memories` counts those that it has now."""

    path: str
    outcome: Outcome
    reason: str = ""
    memories: int = 0


@dataclass(frozen=True, slots=True)
class DocumentsAdded:
    """What became of every file; the counts grow while the job still runs.

    `gone` counts files that were read before and are no more; their memories stay.
    `memories_changed` counts those of unchanged files that were given tags or other metadata.
    """

    job: JobReport
    added: int
    updated: int
    unchanged: int
    skipped: Mapping[str, int]
    failed: int
    memories_added: int
    memories_removed: int
    secrets_hidden: Mapping[str, int]
    files: tuple[DocumentOutcome, ...]
    notice: str | None = None
    gone: int = 0
    memories_changed: int = 0


@dataclass(frozen=True, slots=True)
class ImportFailure:
    """Something in an export that could not be read, and why."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, or would do.

    `memories` counts those that were read so far, `left_out` by reason what was left out on
    purpose. Of what failed, the first are named.
    """

    job: JobReport
    kind: str
    path: str
    memories: int
    added: int
    present: int
    left_out: Mapping[str, int]
    failed: int
    failures: tuple[ImportFailure, ...]
    secrets_hidden: Mapping[str, int] = field(default_factory=dict)
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """How much there is of one kind of junk, some examples (ids, no texts), and the way out."""

    kind: AuditKind
    count: int
    examples: tuple[str, ...]
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit has found among all memories."""

    memories: int
    findings: tuple[AuditFinding, ...]
    seconds: float
