"""The code of an open workspace: indexed, searched, asked about."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import get_args

from zapomni_core.code.asking import Asking, details_of, joined
from zapomni_core.code.finding import CodeFinder, CodeSearch, FoundCode
from zapomni_core.code.meant import Found, left_out, likeness, meant_by
from zapomni_core.code.memories import CodeMemories
from zapomni_core.code.overview import overview
from zapomni_core.code.repositories import (
    check_kinds,
    check_pattern,
    chosen,
    known_languages,
    unfinished,
)
from zapomni_core.code.results import (
    CallGraph,
    CodeHit,
    CodeHits,
    CodeOverview,
    CodeStatus,
    Direction,
    RepositoryStatus,
    SymbolDetails,
    SymbolView,
)
from zapomni_core.code.searching.ranking import Signals
from zapomni_core.code.sources import Excerpt
from zapomni_core.code.upkeep import Upkeep
from zapomni_core.code.uses import Uses
from zapomni_core.embedding.protocol import Embedder
from zapomni_core.errors import ValidationError
from zapomni_core.jobs import Jobs
from zapomni_core.models import moment_of
from zapomni_core.settings import Settings
from zapomni_db import Store
from zapomni_db.code import RepositoryRecord

__all__ = ["Codebase"]

_LINES_PER_HIT = 40
_IMPACT_DEPTH = 3
_CLOSE = 5
_LOOKED_AT = 100
_NOT_EXACTLY = "Nothing has exactly this name; these come close."
_NO_DEFINITION = "No function, class or other definition has it, but these lines name it: "
_IN_SEVERAL = "More than one repository has it; name the one that is meant as `repository`."
_NOBODY = "No call of it is known; `impact` tells what names it otherwise."
_LEARNING = (
    "Not everything is found by its meaning yet, only by its words; code_status tells how far "
    "that is."
)


class Codebase:
    """The indexed repositories of one store."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        executor: Executor,
        memories: CodeMemories,
        jobs: Jobs,
        settings: Settings,
        snapshots: Path,
    ) -> None:
        self._store = store.code
        self._memories = memories
        self._jobs = jobs
        self._asking = Asking(store.code)
        self._finder = CodeFinder(store.code, embedder, executor, snapshots)
        self._uses = Uses(store.code, self._finder)
        self.upkeep = Upkeep(store.code, embedder, jobs, settings, self._finder.warm_up)

    async def close(self) -> None:
        """End the parsers and save the word indexes; jobs are over by now."""
        await self.upkeep.close()
        await self._finder.save()

    async def search(
        self, search: CodeSearch, repository: str | None, *, explain: bool
    ) -> CodeHits:
        """Find code that answers a query."""
        search = replace(search, languages=frozenset(known_languages(search.languages)))
        check_kinds(search.kinds)
        check_pattern(search.path)
        records = chosen(await self._store.repositories(), repository)
        if not records:
            return CodeHits((), "No repository is indexed; index_codebase reads one.")
        self.upkeep.learning.keep_up(records)
        path, inside = _inside(search.path, records)
        found = await self._finder.search(replace(search, path=path), inside)
        learning = _LEARNING if self.upkeep.learning.is_going_on else None
        notice = joined(learning, unfinished(records))
        hits = await self._hits(found, search.query, explain=explain)
        return CodeHits(tuple(hits), notice)

    async def symbol(self, wanted: str, repository: str | None) -> SymbolView:
        """Show one symbol, with what is remembered about it."""
        records = chosen(await self._store.repositories(), repository)
        found, others = await meant_by(self._store, wanted, records)
        if found is None:
            memories = [] if others else await self._memories.about_gone(wanted, records)
            suggestions, notice = await self._instead(wanted, others, records)
            return SymbolView(
                None,
                suggestions=suggestions,
                memories=tuple(memories),
                notice=joined(notice, unfinished(records)),
            )
        view, memories = await asyncio.gather(
            self._asking.symbol(found), self._memories.about(found.symbol)
        )
        notice = joined(view.notice, unfinished([found.repository]))
        return replace(view, memories=tuple(memories), notice=notice)

    async def call_graph(
        self,
        wanted: str,
        direction: Direction,
        repository: str | None,
        *,
        depth: int | None,
        limit: int,
        with_guesses: bool,
    ) -> CallGraph:
        """Tell who calls a symbol, what it calls, or what a change of it may break."""
        if direction not in get_args(Direction.__value__):
            raise ValidationError("direction", "must be callers, callees or impact")
        records = chosen(await self._store.repositories(), repository)
        found, others = await meant_by(self._store, wanted, records)
        if found is None:
            suggestions, notice = await self._instead(wanted, others, records)
            notice = joined(notice, unfinished(records))
            return CallGraph(None, direction, suggestions=suggestions, notice=notice)
        steps = depth or (_IMPACT_DEPTH if direction == "impact" else 1)
        asking = self._asking.call_graph(found, direction, steps, limit, with_guesses=with_guesses)
        if direction == "impact":
            known, uses = await asyncio.gather(asking, self._uses.of(found))
            graph = uses.added_to(known, with_guesses=with_guesses)
        else:
            graph = await asking
        nobody = _NOBODY if direction == "callers" and not graph.sites else None
        notice = joined(graph.notice, nobody, unfinished([found.repository]))
        return replace(graph, notice=notice)

    async def overview(self, repository: str | None, max_tokens: int) -> CodeOverview:
        """Show a repository at a glance."""
        records = chosen(await self._store.repositories(), repository)
        if len(records) != 1:
            names = ", ".join(each.name for each in records) or "none yet"
            raise ValidationError("repository", f"must name one; indexed are: {names}")
        seen = await overview(self._store.index(records[0].id), records[0], max_tokens)
        return replace(seen, notice=joined(seen.notice, unfinished(records)))

    async def status(self) -> CodeStatus:
        """List the repositories and the jobs."""
        records = await self._store.repositories()
        self.upkeep.learning.keep_up(records)
        repositories = [await self._status(record) for record in records]
        return CodeStatus(tuple(repositories), tuple(job.report() for job in self._jobs.all()))

    async def _instead(
        self, wanted: str, others: Sequence[Found], records: Sequence[RepositoryRecord]
    ) -> tuple[tuple[SymbolDetails, ...], str | None]:
        """Name what may be meant by a name that stands for several, or for nothing."""
        if others:
            told = tuple(details_of(one.symbol, one.repository.name) for one in others)
            return told, None if len({one.id for one in told}) == len(told) else _IN_SEVERAL
        if why := await left_out(self._store, wanted, records):
            return (), why
        found = await self._finder.search(CodeSearch(wanted, _LOOKED_AT), records)
        alike = sorted(
            ((likeness(one.symbol, wanted), one) for one in found), key=lambda each: -each[0]
        )
        close = [one for likely, one in alike if likely][:_CLOSE]
        suggestions = tuple(details_of(one.symbol, one.repository.name) for one in close)
        standing = [use for each in records for use in await self._uses.standing(wanted, each)]
        lines = "; ".join(f"{use.path}:{use.line}: {use.text}" for use in standing[:_CLOSE])
        where = f"{_NO_DEFINITION}{lines}" if lines else None
        return suggestions, joined(_NOT_EXACTLY if close else None, where)

    async def _hits(
        self, found: Sequence[FoundCode], query: str, *, explain: bool
    ) -> list[CodeHit]:
        shown: dict[tuple[str, str], Excerpt] = {}
        for record in {each.repository.id: each.repository for each in found}.values():
            symbols = [each.symbol for each in found if each.repository.id == record.id]
            texts = await self._asking.sources(record, symbols, _LINES_PER_HIT, query)
            shown |= {
                (record.id, symbol.id): text for symbol, text in zip(symbols, texts, strict=True)
            }
        return [
            CodeHit(
                symbol=details_of(each.symbol, each.repository.name),
                score=round(each.ranked.score, 4),
                source=shown[each.repository.id, each.symbol.id].text,
                is_stale=shown[each.repository.id, each.symbol.id].is_stale,
                why=_reasons(each.ranked.signals) if explain else (),
            )
            for each in found
        ]

    async def _status(self, record: RepositoryRecord) -> RepositoryStatus:
        index = self._store.index(record.id)
        census, embeddings = await asyncio.gather(index.census(), index.embedding_counts())
        return RepositoryStatus(
            name=record.name,
            root=record.root,
            files=sum(n for status, n in census.files.items() if status != "skipped"),
            symbols=sum(census.symbols_by_kind.values()),
            indexed_at=moment_of(record.indexed_ms) if record.indexed_ms else None,
            embedded=embeddings.embedded,
            to_embed=embeddings.wanted - embeddings.embedded,
            skipped={reason: count for reason, (count, _) in census.skipped.items()},
        )


def _inside(
    path: str | None, records: Sequence[RepositoryRecord]
) -> tuple[str | None, Sequence[RepositoryRecord]]:
    """Read a pattern of files as the index names them, with the repositories it may be of."""
    if path is None:
        return None, records
    of_root = [each for each in records if f"{path}/".startswith(f"{each.root}/")]
    if of_root:
        records = [max(of_root, key=lambda each: len(each.root))]
        path = path.removeprefix(records[0].root).removeprefix("/")
    path = path.removeprefix("./")
    return None if path in {"", "."} else path, records


def _reasons(signals: Signals) -> tuple[str, ...]:
    """Name what counted, the weightiest first."""
    weights = {name: float(value) for name, value in signals._asdict().items() if value}
    if signals.place == 1.0:
        del weights["place"]
    ranked = sorted(weights.items(), key=lambda each: -abs(each[1]))
    return tuple(f"{name} {value:.2f}" for name, value in ranked)
