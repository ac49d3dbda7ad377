"""Choose the files of a walk whose language can be read."""

from __future__ import annotations

from collections.abc import Collection

from zapomni_core.code.files.walk import FoundFile, SkippedFile, Walk
from zapomni_core.code.languages import language_of

__all__ = ["sources_of"]


def sources_of(walk: Walk, languages: Collection[str] | None = None) -> Walk:
    """Move files of no language, or of none of those asked for, to the skipped ones.

    A script may name its language in its first line only; it is left to whoever reads it.
    """
    reasons = {file.path: _reason_against(file, languages) for file in walk.files}
    skipped = [SkippedFile(path, reason) for path, reason in reasons.items() if reason]
    kept = [file for file in walk.files if reasons[file.path] is None]
    return Walk(kept, sorted(walk.skipped + skipped))


def _reason_against(file: FoundFile, languages: Collection[str] | None) -> str | None:
    language = language_of(file.path)
    if language is None:
        may_be_script = file.is_executable or "." not in file.path.rpartition("/")[2]
        return None if may_be_script else "not source"
    return None if languages is None or language in languages else "language not asked for"
