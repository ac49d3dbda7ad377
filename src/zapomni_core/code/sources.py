"""Show the source of symbols as it is now, and tell whether it has changed since it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from zapomni_core.code.files.screening import decoded
from zapomni_core.code.files.secrets import redacted
from zapomni_core.code.languages import PLAIN_LANGUAGES, language_of
from zapomni_core.code.parsing.opening import Unreadable, read_inside
from zapomni_db.code import FileNode, Symbol

__all__ = ["Excerpt", "excerpts"]


# Blacking out secrets takes longer than everything else; a search looks at the same files again.
_FILES_KEPT = 128
# Decorators and attributes stand above the line of a definition.
_ABOVE = ("@", "#[")


class Excerpt(NamedTuple):
    """Lines of a file, of which so much could not be parsed; what is gone is stale."""

    text: str
    is_stale: bool
    errors: int


def excerpts(
    root: Path, symbols: Sequence[Symbol], known: Mapping[str, FileNode], most_lines: int
) -> list[Excerpt]:
    """Read the source of symbols; the files are `known` as they were when they were indexed."""
    files: dict[str, tuple[list[str], bool]] = {}
    shown = []
    for symbol in symbols:
        node = known.get(symbol.path)
        if symbol.path not in files:
            files[symbol.path] = _lines(root, symbol.path, node.hash if node else None)
        lines, is_stale = files[symbol.path]
        errors = node.errors if node else 0
        shown.append(Excerpt(_cut(lines, symbol, most_lines), is_stale, errors))
    return shown


def _lines(root: Path, path: str, known: str | None) -> tuple[list[str], bool]:
    try:
        raw = read_inside(str(root), path).raw
    except Unreadable:
        return [], True
    language = language_of(path, raw[:200].partition(b"\n")[0])
    lines = _shown(raw, has_plain_values=language in PLAIN_LANGUAGES)
    return lines, blake2b(raw, digest_size=16).hexdigest() != known


@lru_cache(_FILES_KEPT)
def _shown(raw: bytes, *, has_plain_values: bool) -> list[str]:
    """Give the lines of a file without its secrets."""
    source = decoded(raw)
    if source is None:
        return []
    text, _ = redacted(source.text, has_plain_values=has_plain_values)
    # Not `splitlines`: a parser knows no other end of a line.
    return text.decode(errors="replace").split("\n")


def _cut(lines: list[str], symbol: Symbol, most_lines: int) -> str:
    first = symbol.line - 1
    while first > 0 and lines[first - 1 : first] and lines[first - 1].lstrip().startswith(_ABOVE):
        first -= 1
    wanted = lines[first : symbol.end_line]
    if len(wanted) <= most_lines:
        return "\n".join(wanted)
    left = len(wanted) - most_lines
    return "\n".join([*wanted[:most_lines], f"... {left} more lines"])
