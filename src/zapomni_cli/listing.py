"""`zapomni list` and `zapomni show`: look at what is stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import click

from zapomni_cli.filters import filter_options, filters_of
from zapomni_cli.options import common
from zapomni_cli.output import dim, fields, moment, one_line, plain, show_json, strong
from zapomni_cli.output import show as show_result
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.life.results import MemoryDetails, MemoryPage, MemorySummary, Order

__all__ = ["list_", "show"]

_ORDERS = ("newest", "oldest", "last_added", "first_added")
_SHOWN_CHARS = 160


@click.command("list")
@click.option("--limit", "-n", default=20, show_default=True, help="Memories on a page.")
@click.option(
    "--order",
    type=click.Choice(_ORDERS),
    default="newest",
    show_default=True,
    help="By when it was said (newest, oldest) or stored (last_added, first_added).",
)
@click.option("--cursor", help="Go on behind the page that has printed this.")
@filter_options
@common
def list_(
    limit: int,
    order: Order,
    cursor: str | None,
    tags: Sequence[str],
    source: str | None,
    date_from: datetime | None,
    date_to: datetime | None,
    workspace: str | None,
    *,
    as_json: bool,
) -> None:
    """List memories in order, page by page."""

    async def work(engine: MemoryEngine) -> MemoryPage:
        wanted = filters_of(tags, source, date_from, date_to)
        return await engine.list_memories(wanted, order=order, cursor=cursor, limit=limit)

    page = run(work, workspace)
    show_result(page, "\n".join(_page(page)), as_json=as_json)


@click.command()
@click.argument("memory_id")
@click.option("--history", is_flag=True, help="Show what it said before it was changed, too.")
@common
def show(memory_id: str, workspace: str | None, *, history: bool, as_json: bool) -> None:
    """Show all that is known of one memory: its whole text, its metadata, its history.

    The first eight digits of MEMORY_ID are enough if no other id begins with them.
    """

    async def work(engine: MemoryEngine) -> MemoryDetails:
        return await engine.get_memory(await engine.find_memory(memory_id))

    details = run(work, workspace)
    if as_json:
        show_json(details)
    else:
        click.echo("\n".join(_details(details, with_history=history)))


def _page(page: MemoryPage) -> Iterator[str]:
    if not page.memories:
        yield "No memories match."
    for memory in page.memories:
        yield from _summary(memory)
    if page.memories:
        yield dim(f"{len(page.memories)} of {page.total} memories")
    if page.next_cursor:
        yield dim(f"Next page: the same command with --cursor {page.next_cursor}")
    if page.notice:
        yield dim(page.notice)


def _summary(memory: MemorySummary) -> Iterator[str]:
    tags = " ".join(f"#{plain(tag)}" for tag in memory.tags)
    pin = "pinned" if memory.is_pinned else ""
    about = [moment(memory.timestamp), one_line(memory.source, 40), tags, pin]
    yield f"{strong(memory.memory_id)}  {dim('  '.join(filter(None, about)))}"
    yield f"  {one_line(memory.text, _SHOWN_CHARS)}"


def _details(details: MemoryDetails, *, with_history: bool) -> Iterator[str]:
    yield fields(
        [
            ("id", details.memory_id),
            ("said", moment(details.timestamp)),
            ("stored", moment(details.created_at)),
            ("changed", moment(details.changed_at)),
            ("expires", moment(details.expires_at)),
            ("pinned", "yes" if details.is_pinned else ""),
            ("source", plain(details.source)),
            ("tags", plain(", ".join(details.tags))),
            ("names", plain(", ".join(details.names))),
            ("like", details.similar_to),
            ("pieces", len(details.chunks)),
            ("versions", len(details.history) or ""),
        ]
    )
    yield ""
    yield plain(details.text)
    for version in details.history if with_history else ():
        yield ""
        yield dim(f"From {moment(version.since)} to {moment(version.until)}:")
        yield plain(version.text)
