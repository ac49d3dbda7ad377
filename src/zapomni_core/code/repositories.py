"""Which repositories a question is about."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path
from typing import get_args

from zapomni_core.code.files.patterns import parsed
from zapomni_core.code.languages import LANGUAGES, language_named
from zapomni_core.code.model import Kind
from zapomni_core.errors import ValidationError
from zapomni_db.code import RepositoryRecord

__all__ = [
    "check_kinds",
    "check_pattern",
    "chosen",
    "known_languages",
    "named",
    "overlapping",
    "repository_id",
    "unfinished",
]

_WELL_KNOWN = "known are python, typescript, java, go, rust, cpp, csharp and others"


def repository_id(root: Path) -> str:
    """Name the index of a folder."""
    return blake2b(os.fsencode(root), digest_size=8).hexdigest()


def named(root: Path, others: Sequence[RepositoryRecord]) -> str:
    """Call a repository by its folder, and by those around it as long as that is taken."""
    taken = {each.name for each in others if each.root != str(root)}
    name = root.name
    for around in root.parents:
        if name not in taken:
            break
        name = f"{around.name}/{name}"
    return name


def overlapping(one: RepositoryRecord, all_: Iterable[RepositoryRecord]) -> list[str]:
    """Name the other repositories that hold files of one as well."""
    return [
        each.name
        for each in all_
        if each.root.startswith(f"{one.root}/") or one.root.startswith(f"{each.root}/")
    ]


def chosen(records: Sequence[RepositoryRecord], wanted: str | None) -> list[RepositoryRecord]:
    """Find the repositories that are meant: by name or folder, all if none is named."""
    if wanted is None:
        return list(records)
    folder = os.path.realpath(wanted) if os.path.isabs(wanted) else None  # noqa: PTH117
    found = [each for each in records if each.name == wanted or each.root == folder]
    if not found:
        known = ", ".join(each.name for each in records) or "none yet"
        raise ValidationError("repository", f"is not indexed; indexed are: {known}")
    return found


def unfinished(records: Sequence[RepositoryRecord]) -> str | None:
    """Say of which repositories more is to be read before answers are complete."""
    names = [each.name for each in records if not _is_finished(each)]
    if not names:
        return None
    return (
        f"The index of {', '.join(names)} is incomplete: reading it did not get to the end, or "
        "goes on just now. index_codebase reads the rest."
    )


def _is_finished(record: RepositoryRecord) -> bool:
    # The mark of the settings is taken away before anything is written, and comes with the end.
    return record.indexed_ms > 0 and "settings" in record.counts


def known_languages(names: Iterable[str]) -> tuple[str, ...]:
    """Call languages as the index does; refuse those that nobody can parse."""
    known = {name: language_named(name) for name in names}
    if unknown := [name for name, language in known.items() if language is None]:
        close = get_close_matches(unknown[0].lower(), LANGUAGES)
        meant = f"did you mean {' or '.join(close)}?" if close else _WELL_KNOWN
        raise ValidationError("languages", f"has no {unknown[0]!r}; {meant}")
    return tuple(dict.fromkeys(language for language in known.values() if language))


def check_kinds(kinds: Collection[str]) -> None:
    """Refuse kinds that no symbol has."""
    known = get_args(Kind.__value__)
    if not frozenset(kinds) <= frozenset(known):
        raise ValidationError("kinds", f"must be of: {', '.join(known)}")


def check_pattern(path: str | None) -> None:
    """Refuse a pattern that no path can match."""
    if path is not None and not any(not each.is_negated for each in parsed(path.encode())):
        raise ValidationError("path", "must be a pattern of files, such as 'src/api/**' or '*.ts'")
