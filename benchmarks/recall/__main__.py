"""Measure on public question sets how often the right memory is found.

One document is one memory, one question is one search in the memory of its own group. Questions
without evidence do not count. Embeddings and filled stores are kept between runs, so the times
of the engine are without embedding; those over MCP are with it.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

from benchmarks.recall.abstention import abstentions_of
from benchmarks.recall.access import Access, open_engine, open_server
from benchmarks.recall.asking import Opener, ask_set
from benchmarks.recall.embeddings import StoredEmbedder
from benchmarks.recall.options import Options, parse_options
from benchmarks.recall.recipes import EVERYTHING, HYBRID, ablations, hybrid, legs
from benchmarks.recall.report import (
    figures_by_category,
    show_abstention,
    show_folds,
    show_set,
    show_variants,
)
from benchmarks.recall.runs import load_run, save_run
from benchmarks.recall.scores import scores_of
from benchmarks.recall.sets import Group, memories_of, read_set
from benchmarks.recall.stores import Store, kept_store
from zapomni_core import MAX_QUERY_CHARS, Settings, configure_logs, load_settings
from zapomni_core.embedding import open_embedder
from zapomni_core.retrieval.recipe import Recipe, recipe_for

KEPT = Path(__file__).parents[2] / "build" / "eval"


class Bench:
    """Asks sets, one after another, with one embedder."""

    def __init__(self, options: Options, embedder: StoredEmbedder) -> None:
        self._options = options
        self._embedder = embedder

    async def measure(self, name: str) -> None:
        """Ask one set and print what came out."""
        options = self._options
        path = options.data / f"{name}.jsonl.gz"
        if not path.exists():
            print(f"\n{name}: not there; the sets are not part of this repository ({path.parent})")
            return
        groups = read_set(path)
        several = len(groups) > 1
        await self._embed_questions(groups)
        asked = await ask_set(
            groups, self._keep, self._openers(), ask_foreign=options.abstention and several
        )
        scores = {variant: scores_of(answers) for variant, answers in asked.items()}
        whole, saved = scores[EVERYTHING], KEPT / f"{name}-{options.shape}-{options.via}.json"
        show_set(f"{name} ({options.shape}, {options.via})", whole, load_run(saved))
        if options.legs or options.ablations:
            show_variants(scores)
        if options.folds and several:
            show_folds(whole, scores[HYBRID])
        if options.abstention and several:
            show_abstention(abstentions_of(asked[EVERYTHING]))
        if options.save:
            save_run(saved, whole, figures_by_category(whole))

    async def _embed_questions(self, groups: Sequence[Group]) -> None:
        """Take embedding out of the times, or they would depend on what is kept already."""
        if self._options.via == "engine":
            for question in (question for group in groups for question in group.questions):
                await self._embedder.embed([question.text[:MAX_QUERY_CHARS].strip()], "query")

    def _openers(self) -> dict[str, Opener]:
        if self._options.via == "mcp":
            return {EVERYTHING: open_server}
        return {name: partial(self._engine, recipe=r) for name, r in self._recipes().items()}

    def _recipes(self) -> dict[str, Recipe]:
        usual = recipe_for(self._embedder.model_id)
        return {
            **(legs(usual) if self._options.legs else {}),
            **({HYBRID: hybrid(usual)} if self._options.folds else {}),
            EVERYTHING: usual,
            **(ablations(usual) if self._options.ablations else {}),
        }

    def _engine(
        self, folder: Path, recipe: Recipe | None = None
    ) -> AbstractAsyncContextManager[Access]:
        return open_engine(folder, self._embedder, recipe)

    def _keep(self, group: Group) -> AbstractAsyncContextManager[Store]:
        options = self._options
        return kept_store(
            KEPT / "stores",
            # Not the set's name: sets with the same documents share a store.
            f"{'graph-' if options.graph else ''}{group.name}-{options.shape}-{options.via}",
            memories_of(group, options.shape),
            self._embedder.model_id,
            open_server if options.via == "mcp" else self._engine,
            has_graph=options.graph,
        )


async def main() -> None:
    """Measure the sets that are there."""
    options = parse_options(__doc__)
    configure_logs("ERROR")
    if options.fresh:
        shutil.rmtree(KEPT / "stores", ignore_errors=True)
    async with _embedder(load_settings()) as embedder:
        bench = Bench(options, embedder)
        for name in options.sets:
            await bench.measure(name)


@asynccontextmanager
async def _embedder(settings: Settings) -> AsyncIterator[StoredEmbedder]:
    with ThreadPoolExecutor(settings.cpu_workers) as executor:
        configured = open_embedder(settings, executor)
        yield StoredEmbedder(configured, KEPT)
        await configured.close()


if __name__ == "__main__":
    asyncio.run(main())
