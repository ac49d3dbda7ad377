"""Turn what was read out of files into the records of the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

from zapomni_core.code.files.tests import is_test_path
from zapomni_core.code.parsing.report import FileReport
from zapomni_db.code import (
    CodeCensus,
    FileRecord,
    NumberedEdges,
)

__all__ = [
    "batches_of",
    "counts_of",
    "file_record",
    "places_of_calls",
    "skipped_record",
]

_SYMBOLS_PER_WRITE = 1500
_FILES_PER_WRITE = 200


async def batches_of(reports: AsyncIterator[FileReport]) -> AsyncIterator[list[FileReport]]:
    """Collect reports into as much as is written at once."""
    batch: list[FileReport] = []
    symbols = 0
    async for report in reports:
        batch.append(report)
        symbols += len(report.symbols.keys)
        if symbols >= _SYMBOLS_PER_WRITE or len(batch) >= _FILES_PER_WRITE:
            yield batch
            batch, symbols = [], 0
    if batch:
        yield batch


def counts_of(census: CodeCensus) -> dict[str, int]:
    """Describe a whole index in numbers."""
    return {
        "files": sum(n for status, n in census.files.items() if status != "skipped"),
        "symbols": sum(census.symbols_by_kind.values()),
        "calls": census.calls - census.external_calls,
        "unresolved": census.unresolved_names,
    }


def places_of_calls(edges: NumberedEdges) -> Counter[str]:
    """Count in how many places symbols are called by others."""
    places: Counter[int] = Counter()
    for one in edges.files.values():
        for source, target, lines, _, _, is_external in zip(*one.calls, strict=True):
            if not is_external and source != target:
                places[target] += len(lines)
    return Counter({edges.names[target]: count for target, count in places.items()})


def file_record(report: FileReport) -> FileRecord:
    """Describe a file that was read."""
    return FileRecord(
        path=report.path,
        language=report.language,
        hash=report.hash,
        size=report.size,
        mtime_ns=report.mtime_ns,
        status="partial" if report.errors else "ok",
        lines=report.lines,
        errors=report.errors,
        is_test=is_test_path(report.path),
        facts=report.facts,
        symbols=report.symbols,
    )


def skipped_record(path: str, reason: str, report: FileReport | None = None) -> FileRecord:
    """Describe a file that was left out."""
    stamp = report or FileReport(path, "skipped")
    return FileRecord(
        path=path,
        language=stamp.language,
        hash=stamp.hash,
        size=stamp.size,
        mtime_ns=stamp.mtime_ns,
        status="skipped",
        reason=reason,
        is_test=is_test_path(path),
    )
