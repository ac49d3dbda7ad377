"""Show a repository at a glance."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from zapomni_core.code.asking import details_of
from zapomni_core.code.results import CodeOverview, SymbolDetails
from zapomni_db.code import CodeIndex, RepositoryRecord

__all__ = ["overview"]

_FOLDERS, _KINDS = 12, 20
_CENTRAL = 60
_CHARS_PER_TOKEN = 4
# What an answer says of a symbol besides its names.
_CHARS_PER_SYMBOL = 60


async def overview(
    index: CodeIndex, repository: RepositoryRecord, max_tokens: int
) -> CodeOverview:
    """Show what a repository consists of, the most important first."""
    census, central, entries, files = await asyncio.gather(
        index.census(), index.most_central(_CENTRAL), index.entry_points(), index.files()
    )
    room = max_tokens * _CHARS_PER_TOKEN
    names = repository.name
    # A third is for where execution begins.
    first = [details_of(each, names, with_doc=False) for each in entries]
    rest_on = [details_of(each.symbol, names, with_doc=False) for each in central]
    entry_points = _fitting(first, room // 3)
    shown = _fitting(rest_on, room - sum(map(_length, entry_points)))
    kept = [path for path, stamp in files.items() if stamp.status != "skipped"]
    is_cut = len(shown) < len(rest_on) or len(entry_points) < len(first)
    return CodeOverview(
        repository=repository.name,
        root=repository.root,
        files=len(kept),
        symbols=sum(census.symbols_by_kind.values()),
        calls=census.calls - census.external_calls,
        languages=_largest(census.files_by_language, _KINDS),
        kinds=_largest(census.symbols_by_kind, _KINDS),
        folders=_largest(Counter(map(_folder, kept)), _FOLDERS),
        central=tuple(shown),
        entry_points=tuple(entry_points),
        notice="More did not fit into max_tokens." if is_cut else None,
    )


def _fitting(symbols: Iterable[SymbolDetails], room: int) -> list[SymbolDetails]:
    fitting = []
    for symbol in symbols:
        room -= _length(symbol)
        if room < 0:
            break
        fitting.append(symbol)
    return fitting


def _length(symbol: SymbolDetails) -> int:
    return len(symbol.signature) + len(symbol.id) + len(symbol.path) + _CHARS_PER_SYMBOL


def _folder(path: str) -> str:
    return "/".join(PurePosixPath(path).parts[:-1][:2]) or "."


def _largest(counts: Mapping[str, int], most: int) -> dict[str, int]:
    ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return {name: count for name, count in ranked[:most] if name}
