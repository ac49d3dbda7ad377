"""What the engine can take in at once: documents and exports of other programs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from zapomni_core.errors import ValidationError
from zapomni_core.opening import Opening, milliseconds_since
from zapomni_core.validation import parse_metadata, parse_name, parse_patterns

if TYPE_CHECKING:
    from zapomni_core.importing import Extra, ImportKind
    from zapomni_core.intake import Audit, DocumentsAdded, ImportReport
    from zapomni_core.jobs import Progress
    from zapomni_core.models import Metadata

__all__ = ["IntakeEngine"]

_FOREVER = float("inf")

_log = structlog.get_logger()


class IntakeEngine(Opening):
    """Reads documents and exports, and counts junk."""

    async def add_documents(
        self,
        paths: Sequence[str | PathLike[str]],
        *,
        metadata: Metadata | None = None,
        exclude: Sequence[str] = (),
        is_trusted: bool = False,
        progress: Progress | None = None,
        patience_s: float | None = 20.0,
    ) -> DocumentsAdded:
        """Read files and folders into memories that know where they stand.

        What is stored already is left alone; a file that has changed since replaces what it said.
        `is_trusted` reads what the user has named, wherever it is; otherwise it must lie in a
        folder that agents may read. Work that takes longer than `patience_s` goes on as a job;
        None waits for the end.
        """
        from zapomni_core.intake import Wanted  # noqa: PLC0415  (as in _create_workspace)
        from zapomni_core.intake.files import check_agent_may_read, real_paths  # noqa: PLC0415

        parse_metadata(metadata)
        excluded = parse_patterns(exclude)
        async with self._working() as workspace:
            if is_trusted:
                real = await asyncio.to_thread(real_paths, paths)
            else:
                real = [workspace.code.upkeep.readable(str(path)) for path in paths]
                for path in real:
                    check_agent_may_read(path)
            wanted = Wanted(tuple(real), excluded, dict(metadata or {}))
            added = await workspace.intake.add_documents(wanted, progress, _patience(patience_s))
        _log_documents(added)
        return added

    async def add_document_text(
        self,
        text: str | bytes,
        name: str,
        *,
        metadata: Metadata | None = None,
        progress: Progress | None = None,
        patience_s: float | None = 20.0,
    ) -> DocumentsAdded:
        """Read a document that is handed in; the name says its kind, as that of a file does.

        Another document of the same name is replaced.
        """
        parse_metadata(metadata)
        known_as = parse_name(name, "name")
        content = text.encode() if isinstance(text, str) else text
        if not content.strip():
            raise ValidationError("text", "cannot be empty or contain only whitespace")
        async with self._working() as workspace:
            added = await workspace.intake.add_text(
                known_as, content, dict(metadata or {}), progress, _patience(patience_s)
            )
        _log_documents(added)
        return added

    async def import_export(
        self,
        path: Path,
        kind: ImportKind | None = None,
        *,
        include: Sequence[Extra] = (),
        is_dry_run: bool = False,
        progress: Progress | None = None,
        patience_s: float | None = None,
    ) -> ImportReport:
        """Add what an export of another program holds and the memory does not.

        Running it again adds nothing twice. A dry run counts and changes nothing.
        """
        from zapomni_core.importing import detect  # noqa: PLC0415  (as above)
        from zapomni_core.intake import Export  # noqa: PLC0415

        real = await asyncio.to_thread(path.resolve)
        if not real.exists():
            raise ValidationError("path", f"does not exist: {path}")
        chosen = kind or await asyncio.to_thread(detect, real)
        if chosen is None:
            raise ValidationError("path", f"holds no export of a known kind: {path}")
        export = Export(real, chosen, frozenset(include), is_dry_run)
        async with self._working() as workspace:
            report = await workspace.intake.import_export(export, progress, _patience(patience_s))
        _log.info("export_imported", kind=report.kind, added=report.added, failed=report.failed)
        return report

    async def audit(self, progress: Progress | None = None) -> Audit:
        """Count what is junk among the memories; texts are looked at and not shown."""
        started = time.perf_counter()
        async with self._working() as workspace:
            found = await workspace.audit(progress)
        _log.info("memory_audited", memories=found.memories, ms=milliseconds_since(started))
        return found


def _patience(seconds: float | None) -> float:
    return _FOREVER if seconds is None else seconds


def _log_documents(added: DocumentsAdded) -> None:
    _log.info(
        "documents_added",
        added=added.added,
        updated=added.updated,
        unchanged=added.unchanged,
        failed=added.failed,
        secrets_hidden=sum(added.secrets_hidden.values()),
        seconds=added.job.seconds,
    )
