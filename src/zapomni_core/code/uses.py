"""Places that name a symbol without a call that is known: they may use it all the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from zapomni_core.code.asking import joined
from zapomni_core.code.finding import CodeFinder
from zapomni_core.code.languages import language_of
from zapomni_core.code.meant import Found
from zapomni_core.code.resolution.modules import world_of
from zapomni_core.code.results import CallGraph, CodeUse
from zapomni_core.code.searching.terms import whole_terms
from zapomni_core.code.sources import lines_of
from zapomni_db.code import CodeStore, Symbol

__all__ = ["Uses"]

# Beyond so many files a name says little; those nearest to the symbol are read.
_MOST_FILES: Final = 30
_MOST_USES: Final = 20
_MOST_KNOWN: Final = 1_000
_MOST_CHARS: Final = 160
_NAMELESS: Final = frozenset({"file", "module"})
# Comments, and imports: who imports a file is told apart from this.
_NO_USE: Final = re.compile(
    r"\s*(?:#|//|/?\*|--\s|;|import\b|from\s.*\bimport\b|use\s|using\s|export\s.*\bfrom\b)"
)

_UNKNOWN: Final = "No call of it is known; search_code finds what names it."
_NAMED: Final = (
    "No call of it is known. What names it may use it all the same, such as reading a property "
    "or handing a function on."
)
_NOWHERE: Final = "No call of it is known, and no other code of the repository names it."
_MORE: Final = "More code names it than is listed; search_code finds it."

type _Place = tuple[str, int]


class Uses:
    """Looks a name up in the words of a repository, and then in its files as they are now."""

    def __init__(self, store: CodeStore, finder: CodeFinder) -> None:
        self._store = store
        self._finder = finder

    async def added(self, graph: CallGraph, found: Found) -> CallGraph:
        """Add the places that name a symbol to those that are known to call it."""
        if found.symbol.kind in _NAMELESS:
            return replace(graph, notice=joined(graph.notice, None if graph.sites else _UNKNOWN))
        holders, known = await asyncio.gather(
            self._finder.paths_with(found.symbol.name, found.repository), self._known(found)
        )
        paths = _nearest(found.symbol, holders)
        root, name = Path(found.repository.root), found.symbol.name
        uses = await asyncio.to_thread(_uses, root, paths[:_MOST_FILES], name, known)
        is_cut = len(uses) > _MOST_USES or len(paths) > _MOST_FILES or not whole_terms(name)
        told = _told(has_sites=bool(graph.sites), has_uses=bool(uses), is_cut=is_cut)
        return replace(graph, uses=tuple(uses[:_MOST_USES]), notice=joined(graph.notice, told))

    async def _known(self, found: Found) -> set[_Place]:
        """Tell where things of this name are defined, called, and may be called."""
        index, name = self._store.index(found.repository.id), found.symbol.name
        starts = [found.symbol.id, *found.overloads]
        graph, possible, defined = await asyncio.gather(
            index.call_graph(starts, "callers", depth=1, limit=_MOST_KNOWN),
            index.possible_calls(name, _MOST_KNOWN),
            index.find(name, _MOST_KNOWN),
        )
        calls = {(link.source_path, line) for link in graph.links for line in link.lines}
        guesses = {(each.path, each.line) for each in possible}
        return calls | guesses | {(each.path, each.line) for each in defined}


def _told(*, has_sites: bool, has_uses: bool, is_cut: bool) -> str | None:
    if has_sites:
        return _MORE if is_cut else None
    if has_uses:
        return joined(_NAMED, _MORE if is_cut else None)
    return _UNKNOWN if is_cut else _NOWHERE


def _uses(root: Path, paths: Sequence[str], name: str, known: Collection[_Place]) -> list[CodeUse]:
    """Read files for lines with a name on them, but for places that are known."""
    named = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return [
        CodeUse(path, line, text.strip()[:_MOST_CHARS])
        for path in paths
        for line, text in enumerate(lines_of(root, path), 1)
        if named.search(text) and not _NO_USE.match(text) and (path, line) not in known
    ]


def _nearest(symbol: Symbol, holders: Sequence[str]) -> list[str]:
    """List the files that hold a name, those nearest to its definition first."""
    own_world, own_folder = world_of(symbol.language), PurePosixPath(symbol.path).parent
    paths = dict.fromkeys([symbol.path, *holders])
    alike = [path for path in paths if world_of(language_of(path)) == own_world]
    return sorted(alike, key=lambda path: _distance(own_folder, path, symbol.path))


def _distance(folder: PurePosixPath, path: str, own: str) -> tuple[bool, int]:
    other = PurePosixPath(path).parent
    shared = sum(one == two for one, two in zip(folder.parts, other.parts, strict=False))
    return path != own, len(folder.parts) + len(other.parts) - 2 * shared
