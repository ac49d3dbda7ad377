"""Turn what was read out of files into the records of the store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zapomni_core.code.files.tests import is_test_path
from zapomni_core.code.parsing.report import FileReport
from zapomni_db.code import (
    CallRecord,
    CodeCensus,
    EdgeRecords,
    FileRecord,
    ImportRecord,
    InheritRecord,
    OverrideRecord,
    RefRecord,
    records_of,
)

__all__ = ["counts_of", "edge_records", "file_record", "skipped_record"]

type _Rows = Iterable[Iterable[Any]]


def counts_of(census: CodeCensus) -> dict[str, int]:
    """Describe a whole index in numbers."""
    return {
        "files": sum(n for status, n in census.files.items() if status != "skipped"),
        "symbols": sum(census.symbols_by_kind.values()),
        "calls": census.calls - census.external_calls,
        "unresolved": census.unresolved_names,
    }


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
        texts=report.texts,
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


def edge_records(
    calls: _Rows, unresolved: _Rows, inherits: _Rows, overrides: _Rows, imports: _Rows
) -> EdgeRecords:
    """Describe what a file refers to, by the rows of its links."""
    return EdgeRecords(
        records_of(CallRecord, calls),
        records_of(RefRecord, unresolved),
        records_of(InheritRecord, inherits),
        records_of(OverrideRecord, overrides),
        records_of(ImportRecord, imports),
    )
