"""Places that name a symbol without a call that is known: they may use it all the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from zapomni_core.code.asking import joined, starts_of
from zapomni_core.code.files.tests import is_test_path
from zapomni_core.code.finding import CodeFinder
from zapomni_core.code.languages import TEXT_LANGUAGES, language_of
from zapomni_core.code.lines import Sort, named, naming_lines
from zapomni_core.code.meant import Found
from zapomni_core.code.parsing.opening import Unreadable, read_inside
from zapomni_core.code.resolution.modules import world_of
from zapomni_core.code.results import CallGraph, CodeUse
from zapomni_core.code.sources import lines_of
from zapomni_db.code import CodeIndex, CodeStore, Impact, Symbol

__all__ = ["Uses"]

_MOST_FILES: Final = 200
# To be sure that nothing names a symbol, all files are read.
_MOST_FILES_AT_ALL: Final = 5_000
_MOST_USES: Final = 20
_ENOUGH_USES: Final = 60
_MOST_KNOWN: Final = 1_000
_MOST_NAMESAKES: Final = 100
_NAMESAKES_TOLD: Final = 5
_MOST_CHARS: Final = 160
# Sentences that only happen to have a word in them; tables, templates and markup name code.
_PROSE: Final = frozenset({"asciidoc", "latex", "markdown", "org", "rst", "text", "typst"})
_MARKUP: Final = frozenset(TEXT_LANGUAGES) - _PROSE
_SPECIAL: Final = re.compile(r"__\w+__")

_NO_CALL: Final = "No call of it is known."
_POSSIBLE: Final = "No call of it is known for sure, only possible ones by its name."
_NAMED: Final = "What names it may use it all the same."
_NOWHERE: Final = (
    "No other code of the repository names it; what a language, a framework or a test runner "
    "calls by itself is not known."
)
_BY_LANGUAGE: Final = (
    "The language calls it: by an operator, a `with`, a loop, or where an object is made. That "
    "is followed only for objects that are made."
)
_MORE: Final = "More code names it than is listed; search_code finds it."
_MAYBE_MORE: Final = "More code may name it than is listed; search_code finds it."

type _Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class _Known:
    """Where things of a name are called or may be, and what else is defined under it."""

    calls: set[_Place]
    namesakes: Sequence[Symbol]
    importers: Sequence[str]

    @property
    def places(self) -> set[_Place]:
        """Places that need not be told as uses."""
        return self.calls | {(each.path, each.line) for each in self.namesakes}


class _Seen(NamedTuple):
    """What a look through files has found, and whether they were all read."""

    uses: list[tuple[Sort, CodeUse]]
    is_whole: bool


class Uses:
    """Looks a name up in the words of a repository, and then in its files as they are now."""

    def __init__(self, store: CodeStore, finder: CodeFinder) -> None:
        self._store = store
        self._finder = finder

    async def added(self, graph: CallGraph, found: Found) -> CallGraph:
        """Add the places that name a symbol to those that are known to call it."""
        symbol = found.symbol
        if symbol.kind == "file" or not symbol.qname:
            return replace(graph, notice=joined(graph.notice, None if graph.sites else _NO_CALL))
        if symbol.language == "python" and _SPECIAL.fullmatch(symbol.name):
            told = None if graph.sites else joined(_NO_CALL, _BY_LANGUAGE)
            return replace(graph, notice=joined(graph.notice, told))
        index = self._store.index(found.repository.id)
        (holders, are_all), known = await asyncio.gather(
            self._finder.paths_with(symbol.name, found.repository), _known(index, found)
        )
        root = Path(found.repository.root)
        paths = _nearest(symbol, [*known.importers, *holders])
        seen = await asyncio.to_thread(_seen, root, paths, symbol, known.places)
        if not (seen.uses or graph.sites or graph.possible):
            # Words far down in something very long are in no index.
            paths = _nearest(symbol, await index.files())[:_MOST_FILES_AT_ALL]
            seen = await asyncio.to_thread(_seen, root, paths, symbol, known.places)
        imported = {site.symbol.path for site in graph.sites if site.relation == "imports"}
        uses = _ranked(seen.uses, imported)
        told = joined(_told(graph, uses), _also(graph, symbol, known.namesakes))
        more = _more(uses, is_whole=seen.is_whole and are_all)
        return replace(
            graph, uses=tuple(uses[:_MOST_USES]), notice=joined(graph.notice, told, more)
        )


async def _known(index: CodeIndex, found: Found) -> _Known:
    name = found.symbol.name
    starts = starts_of(found, "callers")
    possible, namesakes, reached = await asyncio.gather(
        index.possible_calls(name, _MOST_KNOWN),
        index.find(name, _MOST_NAMESAKES),
        index.impact([found.symbol.id, found.symbol.path], depth=1, limit=_MOST_FILES),
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
    return _Known(calls, same, _importers(reached.reached))


def _importers(reached: Iterable[Impact]) -> list[str]:
    return [each.path for each in reached if each.via == "IMPORTS"]


def _seen(root: Path, paths: Sequence[str], symbol: Symbol, known: Collection[_Place]) -> _Seen:
    """Read files for lines with a name on them, but for places that are known."""
    name = named(symbol.name, symbol.language)
    uses: list[tuple[Sort, CodeUse]] = []
    for count, path in enumerate(paths):
        if count >= _MOST_FILES and (uses or count >= _MOST_FILES_AT_ALL):
            return _Seen(uses, is_whole=False)
        if sum(sort == Sort.CODE for sort, _ in uses) >= _ENOUGH_USES:
            return _Seen(uses, is_whole=False)
        if _holds(root, path, name):
            uses += _in_file(root, path, name, known)
    return _Seen(uses, is_whole=True)


def _holds(root: Path, path: str, name: re.Pattern[str]) -> bool:
    # Most files do not, and to blank out secrets takes longer than everything else.
    try:
        raw = read_inside(str(root), path).raw
    except Unreadable:
        return False
    return name.search(raw.decode("utf-8", "replace")) is not None or b"\0" in raw


def _in_file(
    root: Path, path: str, name: re.Pattern[str], known: Collection[_Place]
) -> list[tuple[Sort, CodeUse]]:
    lines, language = lines_of(root, path), language_of(path) or ""
    uses = []
    for number, at, found_sort in naming_lines(lines, language, name):
        if (path, number) not in known:
            sort = found_sort
            if sort == Sort.CODE:
                is_test = is_test_path(path)
                sort = Sort.MARKUP if language in _MARKUP else Sort.TEST if is_test else sort
            uses.append((sort, CodeUse(path, number, _cut(lines[number - 1], at))))
    return uses


def _cut(line: str, at: int) -> str:
    """Show a part of a long line with the name in it."""
    text = line.strip()
    start = max(0, at - (len(line) - len(line.lstrip())) - _MOST_CHARS // 2)
    return text if len(text) <= _MOST_CHARS else text[start : start + _MOST_CHARS]


def _ranked(uses: Sequence[tuple[Sort, CodeUse]], imported: Collection[str]) -> list[CodeUse]:
    """Put code first; a file that is told to import something need not be told again."""
    kept = [(sort, use) for sort, use in uses if sort != Sort.IMPORT or use.path not in imported]
    return [use for _, use in sorted(kept, key=lambda each: each[0])]


def _nearest(symbol: Symbol, paths: Iterable[str] | Mapping[str, object]) -> list[str]:
    """List files that can name a symbol, those nearest to its definition first."""
    own_world, own_folder = world_of(symbol.language), PurePosixPath(symbol.path).parent
    alike = [path for path in dict.fromkeys([symbol.path, *paths]) if _can_name(path, own_world)]
    return sorted(alike, key=lambda path: _distance(own_folder, path, symbol.path))


def _can_name(path: str, world: str) -> bool:
    language = language_of(path) or ""
    return world_of(language) == world or language in _MARKUP


def _distance(folder: PurePosixPath, path: str, own: str) -> tuple[bool, bool, int]:
    other = PurePosixPath(path).parent
    shared = sum(one == two for one, two in zip(folder.parts, other.parts, strict=False))
    away = len(folder.parts) + len(other.parts) - 2 * shared
    return path != own, is_test_path(path), away


def _told(graph: CallGraph, uses: Sequence[CodeUse]) -> str | None:
    if graph.sites:
        return None
    return joined(
        _POSSIBLE if graph.possible else _NO_CALL,
        _NAMED if uses else None,
        None if uses or graph.possible else _NOWHERE,
    )


def _more(uses: Sequence[CodeUse], *, is_whole: bool) -> str | None:
    if len(uses) > _MOST_USES:
        return _MORE
    return _MAYBE_MORE if uses and not is_whole else None


def _also(graph: CallGraph, symbol: Symbol, namesakes: Sequence[Symbol]) -> str | None:
    """Name what else has this name: what it implements, what replaces it."""
    others = [f"{each.path}:{each.line}" for each in namesakes if each.id != symbol.id]
    if graph.sites or not others:
        return None
    more = f" and {len(others) - _NAMESAKES_TOLD} more" if len(others) > _NAMESAKES_TOLD else ""
    return f"Others of this name are defined at {', '.join(others[:_NAMESAKES_TOLD])}{more}."
