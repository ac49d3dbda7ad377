"""Turn what was read out of files into the records of the store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from zapomni_core.code.model import MODULE, CallEdge, FileEdges, FileFacts, symbol_id
from zapomni_core.code.parsing.report import FileReport, SymbolReport
from zapomni_db.code import (
    CallRecord,
    EdgeRecords,
    FileRecord,
    ImportRecord,
    InheritRecord,
    OverrideRecord,
    RefRecord,
    SymbolRecord,
)

__all__ = ["edge_records", "file_record", "is_test_path", "skipped_record"]

_TEST_FOLDERS = frozenset({"test", "tests", "testing", "__tests__", "spec", "specs", "e2e"})
_TEST_NAME = re.compile(r"(?:test_.*|.*[_.-](?:test|tests|spec)|conftest|.*Tests?)")


def file_record(report: FileReport, facts: FileFacts) -> FileRecord:
    """Describe a file that was read."""
    is_test = is_test_path(report.path)
    return FileRecord(
        path=report.path,
        language=report.language,
        hash=report.hash,
        size=report.size,
        mtime_ns=report.mtime_ns,
        status="partial" if facts.errors else "ok",
        lines=report.lines,
        errors=facts.errors,
        is_test=is_test,
        facts=report.facts,
        symbols=tuple(_symbol(report, facts, each, is_test=is_test) for each in report.symbols),
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


def is_test_path(path: str) -> bool:
    """Tell whether a file holds tests, by where it is and what it is called."""
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0] or name
    return not _TEST_FOLDERS.isdisjoint(folders) or _TEST_NAME.fullmatch(stem) is not None


def edge_records(path: str, facts: FileFacts, edges: FileEdges) -> EdgeRecords:
    """Name the ends of edges by the ids of symbols; calls of one by another become one."""
    ids: Mapping[int, str] = {
        MODULE: "",
        **{i: symbol_id(path, each.qname) for i, each in enumerate(facts.definitions)},
    }
    return EdgeRecords(
        tuple(_calls(edges.calls, ids)),
        tuple(RefRecord(ids[each.source], *each[1:]) for each in edges.unresolved),
        tuple(InheritRecord(ids[each.source], *each[1:]) for each in edges.inherits),
        tuple(OverrideRecord(ids[each.source], each.target) for each in edges.overrides),
        tuple(ImportRecord(*each) for each in edges.imports),
    )


def _calls(calls: Iterable[CallEdge], ids: Mapping[int, str]) -> Iterator[CallRecord]:
    sites: dict[tuple[int, str, str, float, bool], list[int]] = {}
    for source, target, line, how, confidence, is_external in calls:
        together = (source, target, how, confidence, is_external)
        lines = sites.get(together)
        if lines is None:
            sites[together] = [line]
        else:
            lines.append(line)
    for (start, end, kind, sure, is_outside), lines in sites.items():
        yield CallRecord(ids[start], end, lines, kind, sure, is_outside)


def _symbol(
    report: FileReport, facts: FileFacts, read: SymbolReport, *, is_test: bool
) -> SymbolRecord:
    if read.definition == MODULE:
        return _module(report, read, is_test=is_test)
    definition = facts.definitions[read.definition]
    parent = ""
    if definition.scope != MODULE:
        parent = symbol_id(report.path, facts.definitions[definition.scope].qname)
    return SymbolRecord(
        id=symbol_id(report.path, definition.qname),
        name=definition.name,
        qname=definition.qname,
        kind=definition.kind,
        line=definition.line,
        end_line=definition.end_line,
        hash=read.hash,
        parent=parent,
        signature=definition.signature,
        doc=definition.doc,
        terms=read.terms,
        text=read.embedded,
        is_exported=definition.exported,
        is_test=is_test,
    )


def _module(report: FileReport, read: SymbolReport, *, is_test: bool) -> SymbolRecord:
    """Describe the code of a file outside of its definitions."""
    return SymbolRecord(
        id=symbol_id(report.path, ""),
        name=PurePosixPath(report.path).stem,
        qname="",
        kind="module",
        line=1,
        end_line=max(report.lines, 1),
        hash=read.hash,
        terms=read.terms,
        text=read.embedded,
        is_test=is_test,
    )
