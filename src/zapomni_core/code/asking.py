"""Answer what is asked about symbols: where they are, who calls them, what a change may break."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path

from zapomni_core.code.languages import language_of
from zapomni_core.code.meant import Found, as_symbol
from zapomni_core.code.resolution.modules import world_of
from zapomni_core.code.results import (
    CallGraph,
    CallSite,
    Direction,
    SymbolDetails,
    SymbolView,
)
from zapomni_core.code.sources import Excerpt, excerpts
from zapomni_db.code import (
    CodeIndex,
    CodeStore,
    FileNode,
    Impact,
    PossibleCall,
    RepositoryRecord,
    Symbol,
)

__all__ = ["Asking", "details_of", "joined", "starts_of"]

_NEIGHBOURS = 20
_MEMBERS = 100
_MOST_POSSIBLE = 20
_MOST_LINES = 400
_GUESSES = ("unique", "dispatch")
# Who makes an object calls its constructor.
_WITH_CONSTRUCTORS = frozenset({"class", "struct", "enum"})
_CONSTRUCTORS = {
    "python": "__init__",
    **dict.fromkeys(("astro", "javascript", "svelte", "tsx", "typescript", "vue"), "constructor"),
    "php": "__construct",
    "ruby": "initialize",
    "swift": "init",
}
_MOST_CONSTRUCTORS = 8


class Asking:
    """Answers questions about the code of one workspace."""

    def __init__(self, store: CodeStore) -> None:
        self._store = store

    async def symbol(self, found: Found) -> SymbolView:
        """Show everything about a symbol."""
        index, symbol = self._index(found.repository), found.symbol
        relatives, callers, callees, (shown,) = await asyncio.gather(
            index.relatives(symbol.id),
            self._sites(found, "callers", 1, _NEIGHBOURS, ()),
            self._sites(found, "callees", 1, _NEIGHBOURS, ()),
            self.sources(found.repository, [symbol], _MOST_LINES),
        )
        members = [relatives.symbols[one] for one in relatives.members if one in relatives.symbols]
        if symbol.kind == "file":
            members = await index.symbols_in(symbol.path)
        name = found.repository.name
        notices = (
            _overloaded(found),
            _unread(shown.errors),
            _more(len(members) > _MEMBERS, callers.is_cut or callees.is_cut),
        )
        return SymbolView(
            symbol=details_of(symbol, name),
            source=shown.text,
            is_stale=shown.is_stale,
            members=tuple(details_of(each, name) for each in members[:_MEMBERS] if each.qname),
            bases=relatives.bases,
            subclasses=relatives.subclasses,
            callers=callers.sites,
            callees=callees.sites,
            notice=joined(*notices),
        )

    async def sources(
        self,
        repository: RepositoryRecord,
        symbols: Sequence[Symbol],
        most_lines: int,
        query: str = "",
    ) -> list[Excerpt]:
        """Read the source of symbols as it is now."""
        paths = sorted({symbol.path for symbol in symbols})
        nodes = await self._index(repository).file_nodes(paths)
        known = {node.path: node for node in nodes}
        root = Path(repository.root)
        return await asyncio.to_thread(excerpts, root, symbols, known, most_lines, query)

    async def call_graph(
        self, found: Found, direction: Direction, depth: int, limit: int, *, with_guesses: bool
    ) -> CallGraph:
        """Walk from a symbol to those that call it, that it calls, or that it may break."""
        without = () if with_guesses else _GUESSES
        if direction == "impact":
            return await self._impact(found, depth, limit, without)
        return await self._sites(found, direction, depth, limit, without)

    def _index(self, repository: RepositoryRecord) -> CodeIndex:
        return self._store.index(repository.id)

    async def _sites(
        self, found: Found, direction: Direction, depth: int, limit: int, without: Sequence[str]
    ) -> CallGraph:
        assert direction != "impact"
        index, name = self._index(found.repository), found.repository.name
        with_possible = direction == "callers" and not without
        graph = await index.call_graph(
            starts_of(found, direction),
            direction,
            depth=depth,
            limit=limit,
            without=without,
            possible_of=found.symbol.name if with_possible else "",
        )
        # Two calls may stand on one line, and one may lead to an object and to its constructor.
        sites: dict[tuple[str, str, int], CallSite] = {}
        externals: list[str] = []
        for link in graph.links:
            if link.is_external:
                externals.append(link.target)
                continue
            end, start = link.target, link.source
            if direction == "callers":
                end, start = start, end
            reached = graph.symbols.get(end) or _code_of(end)
            details = details_of(reached, name, with_doc=False)
            how, confidence = link.how, link.confidence
            for line in link.lines:
                site = CallSite(details, link.depth, "calls", start, line, how, confidence)
                sites.setdefault((link.source, end, line), site)
        files = dict.fromkeys(site.symbol.path for site in sites.values())
        tests = {one.path for one in graph.symbols.values() if one.is_test}
        possible = _possible(found, graph.possible)
        return CallGraph(
            symbol=details_of(found.symbol, name),
            direction=direction,
            sites=tuple(sites.values())[:limit],
            externals=tuple(dict.fromkeys(externals)),
            possible=possible,
            files=tuple(files),
            tests=tuple(path for path in files if path in tests),
            is_cut=graph.is_cut or len(sites) > limit,
            notice=_overloaded(found),
        )

    async def _impact(
        self, found: Found, depth: int, limit: int, without: Sequence[str]
    ) -> CallGraph:
        index, name = self._index(found.repository), found.repository.name
        starts = starts_of(found, "impact")
        graph, possible = await asyncio.gather(
            index.impact(starts, depth=depth, limit=limit, without=without),
            index.possible_calls(found.symbol.name, 0 if without else _MOST_POSSIBLE),
        )
        symbols = await index.symbols([each.id for each in graph.reached])
        sites = [
            _affected(each, symbols.get(each.id) or _code_of(each.path), name)
            for each in graph.reached
        ]
        files = dict.fromkeys(each.path for each in graph.reached)
        tests = {each.path for each in graph.reached if each.is_test}
        return CallGraph(
            symbol=details_of(found.symbol, name),
            direction="impact",
            sites=tuple(sites),
            possible=_possible(found, possible),
            files=tuple(files),
            tests=tuple(path for path in files if path in tests),
            is_cut=graph.is_cut,
            notice=_overloaded(found),
        )


def details_of(symbol: Symbol, repository: str, *, with_doc: bool = True) -> SymbolDetails:
    """Describe a symbol to those who asked."""
    return SymbolDetails(
        id=symbol.id,
        name=symbol.name,
        qualified_name=symbol.qname or symbol.name,
        kind=symbol.kind,
        language=symbol.language,
        repository=repository,
        path=symbol.path,
        line=max(symbol.line, 1),
        end_line=max(symbol.end_line, 1),
        signature=symbol.signature,
        doc=symbol.doc if with_doc else "",
    )


def starts_of(found: Found, direction: Direction) -> list[str]:
    """Give the ids from which calls are followed; one that is not there leads nowhere."""
    symbol = found.symbol
    starts = [symbol.id, *found.overloads]
    if direction == "callers" and symbol.kind in _WITH_CONSTRUCTORS:
        made = f"{symbol.id}.{_CONSTRUCTORS.get(symbol.language, symbol.name)}"
        starts += [made, *(f"{made}#{n}" for n in range(2, _MOST_CONSTRUCTORS + 1))]
    return starts


def _possible(found: Found, calls: Collection[PossibleCall]) -> tuple[str, ...]:
    """List calls that may be meant, without those in files of other languages."""
    own = world_of(found.symbol.language)
    worlds = {path: world_of(language_of(path)) for path in {one.path for one in calls}}
    alike = [one for one in calls if worlds[one.path] in (own, "")]
    return tuple(dict.fromkeys(f"{one.path}:{one.line}" for one in alike))


def _overloaded(found: Found) -> str | None:
    if not found.overloads:
        return None
    others = ", ".join(found.overloads)
    return f"More than one has this name; calls of all are told. The others: {others}."


def _unread(errors: int) -> str | None:
    if not errors:
        return None
    places = "one place" if errors == 1 else f"{errors} places"
    return f"The file could not be parsed in {places}: what is defined there may be missing."


def _more(has_members: bool, has_calls: bool) -> str | None:
    told = []
    if has_members:
        told.append("It defines more than is shown; search_code with its path finds the rest.")
    if has_calls:
        told.append("There are more calls than are shown; get_call_graph tells them.")
    return joined(*told)


def joined(*notices: str | None) -> str | None:
    """Put the notices that there are into one."""
    return " ".join(filter(None, notices)) or None


def _code_of(path: str) -> Symbol:
    """Stand for the code of a file outside of its definitions."""
    return as_symbol(FileNode(path, "", "", 0, 0, "ok", "", 1, 0, False, False))


def _affected(impact: Impact, symbol: Symbol, repository: str) -> CallSite:
    return CallSite(
        symbol=details_of(symbol, repository, with_doc=False),
        depth=impact.depth,
        relation=impact.via.lower(),
        via="",
        line=impact.on_line,
        how=impact.how,
        confidence=impact.confidence,
    )
