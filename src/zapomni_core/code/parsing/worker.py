"""A process that reads one source file after another."""

from __future__ import annotations

import gc
from hashlib import blake2b
from typing import Final

from zapomni_core.code.files.screening import decoded, reason_by_content, reason_by_name
from zapomni_core.code.files.secrets import redacted
from zapomni_core.code.languages import PLAIN_LANGUAGES, language_of
from zapomni_core.code.parsing.cutting import cut_symbols
from zapomni_core.code.parsing.extraction import extract
from zapomni_core.code.parsing.opening import Inside, OpenedFile, Unreadable
from zapomni_core.code.parsing.report import FileReport, Request, packed
from zapomni_core.workers.message import Message
from zapomni_core.workers.serving import serve
from zapomni_db.code.written import written_symbols

__all__ = ["main", "report_on"]

_ALARM_S: Final = 30


def main() -> None:
    """Answer requests until there are no more."""
    # A collection inside of tree-sitter may crash (py-tree-sitter #435), and putting facts
    # together takes about a tenth less without any.
    gc.disable()
    serve(_answer, alarm_s=_ALARM_S)


def report_on(root: str, path: str, known: str | None = None) -> FileReport:
    """Read a file and say what is in it, unless its hash is known."""
    with Inside(root) as inside:
        return _report_on(inside, path, known)


def _report_on(inside: Inside, path: str, known: str | None) -> FileReport:
    try:
        opened = inside.read(path)
    except Unreadable as exc:
        return FileReport(path, "skipped", str(exc))
    report = FileReport(path, "skipped", size=opened.size, mtime_ns=opened.mtime_ns)
    if reason := reason_by_name(path, max(opened.size, len(opened.raw))):
        return report._replace(reason=reason)
    report = report._replace(hash=blake2b(opened.raw, digest_size=16).hexdigest())
    if report.hash == known:
        return report._replace(status="unchanged")
    return _taken_apart(report, opened)


def _taken_apart(report: FileReport, opened: OpenedFile) -> FileReport:
    source = decoded(opened.raw)
    if source is None:
        return report._replace(reason="binary")
    language = language_of(report.path, source.text[:200].partition(b"\n")[0])
    if language is None:
        return report._replace(reason="not source")
    report = report._replace(language=language, encoding=source.encoding)
    if reason := reason_by_content(source.text):
        return report._replace(reason=reason)
    text, secrets = redacted(source.text, has_plain_values=language in PLAIN_LANGUAGES)
    facts = extract(text, report.path, language)
    lines = text.count(b"\n") + (text[-1:] not in {b"", b"\n"})
    cut = cut_symbols(report.path, text, lines, facts)
    return report._replace(
        status="read",
        secrets=secrets,
        lines=lines,
        errors=facts.errors,
        symbols=written_symbols(report.path, language, report.mtime_ns, *cut),
        facts=facts.packed(),
    )


def _answer(message: Message) -> Message:
    root, files = Request.unpacked(message)
    with Inside(root) as inside:
        return packed([_guarded(inside, path, known) for path, known in files])


def _guarded(inside: Inside, path: str, known: str | None) -> FileReport:
    try:
        return _report_on(inside, path, known)
    except Exception as exc:  # noqa: BLE001  (one strange file must not end the work on others)
        return FileReport(path, "skipped", f"parser failed: {type(exc).__name__}")


if __name__ == "__main__":
    main()
