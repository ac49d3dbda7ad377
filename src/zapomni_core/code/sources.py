"""Show the source of symbols as it is now, and tell whether it has changed since it was read."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
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
_WORD = re.compile(r"\w+")
_TELLING = 3


class Excerpt(NamedTuple):
    """Lines of a file, of which so much could not be parsed; what is gone is stale."""

    text: str
    is_stale: bool
    errors: int


def excerpts(
    root: Path,
    symbols: Sequence[Symbol],
    known: Mapping[str, FileNode],
    most_lines: int,
    query: str = "",
) -> list[Excerpt]:
    """Read the source of symbols; the files are `known` as they were when they were indexed.

    What is too long is cut behind its beginning; the code outside of definitions, which has none
    that says what it is, around the line that says most of a query.
    """
    words = {word for word in _WORD.findall(query.casefold()) if len(word) >= _TELLING}
    files: dict[str, tuple[list[str], bool]] = {}
    shown = []
    for symbol in symbols:
        node = known.get(symbol.path)
        if symbol.path not in files:
            files[symbol.path] = _lines(root, symbol.path, node.hash if node else None)
        lines, is_stale = files[symbol.path]
        errors = node.errors if node else 0
        shown.append(Excerpt(_cut(lines, symbol, most_lines, words), is_stale, errors))
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


def _cut(lines: list[str], symbol: Symbol, most_lines: int, words: Collection[str]) -> str:
    first = symbol.line - 1
    while first > 0 and lines[first - 1 : first] and lines[first - 1].lstrip().startswith(_ABOVE):
        first -= 1
    wanted = lines[first : symbol.end_line]
    if len(wanted) <= most_lines:
        return "\n".join(wanted)
    start = _where(wanted, most_lines, words) if symbol.kind == "module" else 0
    above, below = start, len(wanted) - most_lines - start
    shown = wanted[start : start + most_lines]
    head = [f"... {above} lines above"] if above else []
    return "\n".join([*head, *shown, *([f"... {below} more lines"] if below else [])])


def _where(lines: list[str], most_lines: int, words: Collection[str]) -> int:
    """Choose the first of the lines to show, so that the most telling one is among them."""
    said = [sum(word in line.casefold() for word in words) for line in lines]
    best = said.index(max(said))
    if best < most_lines:
        return 0
    return min(best - most_lines // 4, len(lines) - most_lines)
