"""`zapomni search`: find the memories that answer a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from zapomni_cli.filters import filter_options, filters_of
from zapomni_cli.options import common
from zapomni_cli.output import dim, one_line, plain, show, strong
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import Explanation, MemoryEngine, SearchResultItem, SearchResults

__all__ = ["search"]

_SHOWN_CHARS = 300


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", "-n", default=10, show_default=True, help="Most results.")
@filter_options
@click.option("--min-score", default=0.0, help="Leave out what is less likely (0 to 1).")
@click.option("--max-tokens", type=int, help="Most tokens of all texts together.")
@click.option("--explain", is_flag=True, help="Say of each result why it was found.")
@click.option("--full", is_flag=True, help="Show whole texts instead of their beginnings.")
@common
def search(
    query: Sequence[str],
    limit: int,
    tags: Sequence[str],
    source: str | None,
    date_from: datetime | None,
    date_to: datetime | None,
    min_score: float,
    max_tokens: int | None,
    workspace: str | None,
    *,
    explain: bool,
    full: bool,
    as_json: bool,
) -> None:
    """Find the memories that answer QUERY, best first.

    QUERY is a question or some words; quotes around it are not needed.
    """

    async def work(engine: MemoryEngine) -> SearchResults:
        return await engine.search_memory(
            " ".join(query),
            limit,
            filters_of(tags, source, date_from, date_to),
            min_score=min_score,
            max_tokens=max_tokens,
            explain=explain,
        )

    found = run(work, workspace)
    show(found, "\n".join(_told(found, is_full=full)), as_json=as_json)


def _told(found: SearchResults, *, is_full: bool) -> Iterator[str]:
    if not found.results:
        yield "Nothing was found."
    for item in found.results:
        yield from _lines(item, is_full=is_full)
    if found.notice:
        yield dim(found.notice)


def _lines(item: SearchResultItem, *, is_full: bool) -> Iterator[str]:
    tags = " ".join(f"#{plain(tag)}" for tag in item.tags)
    about = [f"{item.timestamp.astimezone():%Y-%m-%d}", one_line(item.source, 40), tags]
    score = click.style(f"{item.similarity_score:.2f}", fg="green", bold=True)
    yield f"{score}  {dim('  '.join(filter(None, about)))}"
    text = plain(item.text) if is_full else one_line(item.highlight or item.text, _SHOWN_CHARS)
    yield from (f"      {line}" for line in text.splitlines())
    for mention in item.code:
        if mention.is_stale:
            yield click.style(f"      {mention.name}: {mention.why or 'has changed'}", fg="yellow")
    if item.why is not None:
        yield from (f"      {line}" for line in _reasons(item.why))
    yield f"      {dim(item.memory_id)}"


def _reasons(why: Explanation) -> Iterator[str]:
    places = [("by meaning", why.vector_rank), ("by words", why.word_rank)]
    ranks = ", ".join(f"{name} at place {rank}" for name, rank in places if rank is not None)
    words = ", ".join(plain(word) for word in why.matched_words)
    if ranks:
        yield f"{strong('found')} {ranks}"
    if words:
        yield f"{strong('words')} {words}"
    if why.period:
        yield f"{strong('time')} {plain(why.period)}"
