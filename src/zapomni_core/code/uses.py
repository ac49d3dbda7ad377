"""Places that name a symbol without a call that is known: they may use it all the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from zapomni_core.code.asking import joined, starts_of
from zapomni_core.code.finding import CodeFinder
from zapomni_core.code.lines import Sort
from zapomni_core.code.looking import Hit, Look, Named, Place
from zapomni_core.code.meant import Found
from zapomni_core.code.results import CallGraph, CodeUse
from zapomni_db.code import CodeIndex, CodeStore, RepositoryRecord, Symbol

__all__ = ["SeenUses", "Uses"]

_MOST_USES: Final = 20
_MOST_KNOWN: Final = 200
_MOST_NAMESAKES: Final = 100
_NAMESAKES_TOLD: Final = 5
_SPECIAL: Final = re.compile(r"__\w+__")
_MOST_LINES: Final = 5
# The last of names that are joined.
_LAST_NAME: Final = re.compile(r"(?:^|[.:#>/])([^\W\d]\w{1,99})(?:\(\))?\Z")
# What stands behind a name that is given a value or a type, and in front of one that is declared.
_SETTING: Final = re.compile(r"[ \t]{0,20}(?::?=(?![=>])|:[ \t]*[\w\[(])")
_SAYING: Final = re.compile(
    r"\b(?:const|let|var|val|static|final|define|attr_\w{1,10}|field)\b[^=;]{0,80}\Z"
)
# What JavaScript calls a function that is exported without a name.
_NAMELESS: Final = "default"

_NO_CALL: Final = "No call of it is known."
_POSSIBLE: Final = "No call of it is known for sure, only possible ones by its name."
_NAMED: Final = "What names it may use it all the same."
_NOT_SURE: Final = "No call of it is known for sure; guesses are left out."
_NOWHERE: Final = (
    "No other code that is indexed seems to name it; what a language, a framework or a test "
    "runner calls by itself is not known."
)
_UNSEEN: Final = "Not all files were read for its name; search_code finds it."
_NO_IMPORT: Final = "Nothing that imports it is known either."
_BY_LANGUAGE: Final = (
    "The language calls it: by an operator, a `with`, a loop, or where an object is made. That "
    "is followed only for objects that are made."
)
_MORE: Final = "More code names it than is listed; search_code finds it."
_MAYBE_MORE: Final = "More code may name it than is listed; search_code finds it."


@dataclass(frozen=True, slots=True)
class _Known:
    """Where things of a name are called or may be, and what else is defined under it."""

    calls: set[Place]
    is_cut: bool
    namesakes: Sequence[Symbol]

    @property
    def places(self) -> set[Place]:
        """Places that need not be told as uses."""
        return self.calls | {(each.path, each.line) for each in self.namesakes}


class Uses:
    """Looks a name up in the words of a repository, and then in its files as they are now."""

    def __init__(self, store: CodeStore, finder: CodeFinder) -> None:
        self._store = store
        self._finder = finder

    async def of(self, found: Found) -> SeenUses:
        """Find lines that name a symbol, but for those that define it or are known to call it."""
        symbol = found.symbol
        if reason := _reason_against(symbol):
            return SeenUses(symbol, reason=reason)
        index = self._store.index(found.repository.id)
        (holders, are_all), known = await asyncio.gather(
            self._finder.paths_with(symbol.name, found.repository), _known(index, found)
        )
        nodes = await index.file_nodes([symbol.path, *holders])
        # Nobody may look into what is left out: secrets, or what the user has excluded.
        languages = {each.path: each.language for each in nodes if each.status != "skipped"}
        of = Named(symbol.name, symbol.language, symbol.path)
        root = Path(found.repository.root)
        look = Look(root, of, known.places, has_all=not known.is_cut)
        seen = await asyncio.to_thread(look.through, languages)
        return SeenUses(symbol, seen.hits, known.namesakes, is_whole=seen.is_whole and are_all)

    async def standing(self, wanted: str, repository: RepositoryRecord) -> list[CodeUse]:
        """Find lines that name what is no symbol, such as a constant: where it is set first."""
        found = _LAST_NAME.search(wanted.strip())
        if found is None:
            return []
        holders, _ = await self._finder.paths_with(found[1], repository)
        nodes = await self._store.index(repository.id).file_nodes(holders)
        languages = {each.path: each.language for each in nodes if each.status != "skipped"}
        look = Look(Path(repository.root), Named(found[1]))
        seen = await asyncio.to_thread(look.through, languages)
        hits = sorted(seen.hits, key=lambda hit: (not _is_set(hit, found[1]), hit.sort))
        return [hit.use() for hit in hits[:_MOST_LINES]]


@dataclass(frozen=True, slots=True)
class SeenUses:
    """What names a symbol, and what else is defined under its name; or why nobody looked."""

    symbol: Symbol
    hits: Sequence[Hit] = ()
    namesakes: Sequence[Symbol] = ()
    is_whole: bool = True
    reason: str | None = None

    def added_to(self, graph: CallGraph, *, with_guesses: bool) -> CallGraph:
        """Add them to what is known of a symbol."""
        if self.reason:
            told = None if graph.sites else joined(_NO_CALL, self.reason)
            return replace(graph, notice=joined(graph.notice, told))
        imported = {site.symbol.path for site in graph.sites if site.relation == "imports"}
        hits = _ranked(self.hits, imported)
        told = _told(graph, hits, is_whole=self.is_whole, with_guesses=with_guesses)
        also = None if graph.sites else _also(self.symbol, self.namesakes)
        return replace(
            graph,
            uses=tuple(hit.use() for hit in hits[:_MOST_USES]),
            notice=joined(graph.notice, told, also, _more(hits, self.is_whole)),
        )


def _is_set(hit: Hit, name: str) -> bool:
    """Tell whether a line gives a name a value or says that there is one."""
    behind = hit.line.text[hit.line.at + len(name) :]
    return bool(_SETTING.match(behind) or _SAYING.search(hit.line.text[: hit.line.at]))


def _reason_against(symbol: Symbol) -> str | None:
    """Tell why nobody looks for what names something, if that has no name of its own."""
    if symbol.kind == "file" or not symbol.qname or symbol.name == _NAMELESS:
        return _NO_IMPORT
    is_special = symbol.language == "python" and _SPECIAL.fullmatch(symbol.name)
    return _BY_LANGUAGE if is_special else None


async def _known(index: CodeIndex, found: Found) -> _Known:
    name = found.symbol.name
    starts = starts_of(found, "callers")
    possible, namesakes = await asyncio.gather(
        index.possible_calls(name, _MOST_KNOWN), index.find(name, _MOST_NAMESAKES)
    )
    same = [each for each in namesakes if each.name == name and each.qname]
    # What is bound to others of the name is no use of this one.
    callers = await asyncio.gather(
        index.call_graph(starts, "callers", depth=1, limit=_MOST_KNOWN),
        index.call_graph([each.id for each in same], "callers", depth=1, limit=_MOST_KNOWN),
    )
    calls = {
        (link.source_path, line)
        for graph in callers
        for link in graph.links
        for line in link.lines
    }
    calls |= {(each.path, each.line) for each in possible}
    is_cut = any(graph.is_cut for graph in callers) or len(possible) >= _MOST_KNOWN
    return _Known(calls, is_cut, same)


def _ranked(hits: Sequence[Hit], imported: Collection[str]) -> list[Hit]:
    """Put code first; a file that is told to import something need not be told again."""
    kept = [hit for hit in hits if hit.sort != Sort.IMPORT or hit.path not in imported]
    return sorted(kept, key=lambda hit: hit.sort)


def _told(
    graph: CallGraph, hits: Sequence[Hit], *, is_whole: bool, with_guesses: bool
) -> str | None:
    if graph.sites:
        return None
    if graph.possible or not with_guesses:
        return joined(_POSSIBLE if graph.possible else _NOT_SURE, _NAMED if hits else None)
    return joined(_NO_CALL, _NAMED if hits else _NOWHERE if is_whole else _UNSEEN)


def _more(hits: Sequence[Hit], is_whole: bool) -> str | None:
    if len(hits) > _MOST_USES:
        return _MORE
    return _MAYBE_MORE if hits and not is_whole else None


def _also(symbol: Symbol, namesakes: Sequence[Symbol]) -> str | None:
    """Name what else has this name: what it implements, what replaces it."""
    others = [f"{each.path}:{each.line}" for each in namesakes if each.id != symbol.id]
    if not others:
        return None
    more = f" and {len(others) - _NAMESAKES_TOLD} more" if len(others) > _NAMESAKES_TOLD else ""
    return f"Others of this name are defined at {', '.join(others[:_NAMESAKES_TOLD])}{more}."
