"""Jobs that take much in at once: documents, and exports of other programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import orjson

from zapomni_core.documents import DocumentReader
from zapomni_core.errors import ValidationError
from zapomni_core.importing import Extra, ImportKind
from zapomni_core.intake.documents import DocumentTally, DocumentWork, Wanted
from zapomni_core.intake.exports import Export, ExportTally, ExportWork
from zapomni_core.intake.results import DocumentsAdded, ImportReport
from zapomni_core.intake.storing import Storing
from zapomni_core.jobs import Arguments, Job, Jobs, Progress
from zapomni_core.life.memories import Life
from zapomni_core.models import Metadata

__all__ = ["Intake"]

_DOCUMENTS: Final = "add_document"
_IMPORT: Final = "import"
_TALLIES: Final = 50


class Intake:
    """Begins the jobs of one workspace and tells how they went.

    `prepare` binds the store to its model.
    """

    def __init__(
        self,
        storing: Storing,
        reader: DocumentReader,
        jobs: Jobs,
        life: Life,
        prepare: Callable[[], Awaitable[None]],
        *,
        hides_secrets: bool,
    ) -> None:
        self._storing = storing
        self._reader = reader
        self._jobs = jobs
        self._life = life
        self._prepare = prepare
        self._hides_secrets = hides_secrets
        self._documents: dict[str, DocumentTally] = {}
        self._exports: dict[str, tuple[Export, ExportTally]] = {}
        jobs.teach(_DOCUMENTS, self._resume_documents)
        jobs.teach(_IMPORT, self._resume_import)

    async def add_documents(
        self, wanted: Wanted, progress: Progress | None, patience_s: float
    ) -> DocumentsAdded:
        """Read files, and wait a while for the end."""
        return await self._added(self._begin_documents(wanted), progress, patience_s)

    async def add_text(
        self,
        name: str,
        content: bytes,
        metadata: Metadata,
        progress: Progress | None,
        patience_s: float,
    ) -> DocumentsAdded:
        """Read what was handed in under a name, and wait a while for the end."""
        tally = DocumentTally()

        async def work(report: Progress) -> None:
            await self._prepare()
            await self._reading(tally).read_text(name, content, metadata, report)

        # What was handed in is gone with the process; its name tells whoever takes up the job.
        job = self._jobs.start(_DOCUMENTS, work, {"name": name})
        return await self._added(self._watched(job, tally), progress, patience_s)

    async def import_export(
        self, export: Export, progress: Progress | None, patience_s: float
    ) -> ImportReport:
        """Read an export of another program, and wait a while for the end."""
        job = self._begin_import(export)
        await self._jobs.wait(job, patience_s, progress)
        return _reported(job, *self._exports[job.id])

    def _begin_documents(self, wanted: Wanted, job_id: str | None = None) -> Job:
        tally = DocumentTally()

        async def work(report: Progress) -> None:
            await self._prepare()
            await self._reading(tally).read_files(wanted, report)

        arguments: Arguments = {
            "paths": list(map(str, wanted.paths)),
            "exclude": list(wanted.exclude),
            "metadata": orjson.dumps(wanted.metadata).decode(),
        }
        return self._watched(self._jobs.start(_DOCUMENTS, work, arguments, job_id), tally)

    async def _resume_documents(self, arguments: Arguments, job_id: str) -> Job:
        if "name" in arguments:
            raise ValidationError(
                "job_id",
                f"names a job whose text was not kept; hand the text of {arguments['name']!r} in "
                "again, under the same name: what is stored of it already is left alone",
            )
        wanted = Wanted(
            paths=tuple(map(Path, _texts(arguments["paths"]))),
            exclude=tuple(_texts(arguments["exclude"])),
            metadata=orjson.loads(str(arguments["metadata"])),
        )
        return self._begin_documents(wanted, job_id)

    def _begin_import(self, export: Export, job_id: str | None = None) -> Job:
        tally = ExportTally()

        async def work(report: Progress) -> None:
            if not export.is_dry_run:
                await self._prepare()
            hides = self._hides_secrets
            await ExportWork(self._storing, export, tally, hides_secrets=hides).run(report)

        arguments: Arguments = {
            "path": str(export.path),
            "kind": str(export.kind),
            "include": sorted(export.include),
            "is_dry_run": export.is_dry_run,
        }
        job = self._jobs.start(_IMPORT, work, arguments, job_id)
        tally.note_failure = job.fail_at
        self._exports[job.id] = (export, tally)
        _forget_old(self._exports)
        return job

    async def _resume_import(self, arguments: Arguments, job_id: str) -> Job:
        export = Export(
            path=Path(str(arguments["path"])),
            kind=ImportKind(str(arguments["kind"])),
            include=frozenset(map(Extra, _texts(arguments["include"]))),
            is_dry_run=bool(arguments["is_dry_run"]),
        )
        return self._begin_import(export, job_id)

    def _reading(self, tally: DocumentTally) -> DocumentWork:
        return DocumentWork(
            self._storing, self._reader, self._life, tally, hides_secrets=self._hides_secrets
        )

    def _watched(self, job: Job, tally: DocumentTally) -> Job:
        tally.note_failure = job.fail_at
        self._documents[job.id] = tally
        _forget_old(self._documents)
        return job

    async def _added(
        self, job: Job, progress: Progress | None, patience_s: float
    ) -> DocumentsAdded:
        await self._jobs.wait(job, patience_s, progress)
        tally = self._documents[job.id]
        counts = Counter(each.outcome for each in tally.outcomes)
        skipped = Counter(each.reason for each in tally.outcomes if each.outcome == "skipped")
        return DocumentsAdded(
            job=job.report(),
            added=counts["added"],
            updated=counts["updated"],
            unchanged=counts["unchanged"],
            skipped=dict(skipped),
            failed=counts["failed"],
            memories_added=tally.memories_added,
            memories_removed=tally.memories_removed,
            secrets_hidden=dict(tally.secrets),
            files=tuple(tally.outcomes),
            notice=f"The job failed: {job.error}" if job.state == "failed" else None,
            gone=counts["gone"],
            memories_changed=tally.memories_changed,
        )


def _reported(job: Job, export: Export, tally: ExportTally) -> ImportReport:
    return ImportReport(
        job=job.report(),
        kind=str(export.kind),
        path=str(export.path),
        memories=tally.memories,
        added=tally.added,
        present=tally.present,
        left_out=dict(tally.left_out),
        failed=tally.failed,
        failures=tuple(tally.failures),
        secrets_hidden=dict(tally.secrets),
        is_dry_run=export.is_dry_run,
    )


def _texts(given: object) -> Sequence[str]:
    return [str(each) for each in given] if isinstance(given, list) else []


def _forget_old[T](tallies: dict[str, T]) -> None:
    for old in list(tallies)[:-_TALLIES]:
        del tallies[old]
