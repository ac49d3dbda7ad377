"""`zapomni related`: what is known about a person or a thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from zapomni_cli.options import common
from zapomni_cli.output import dim, one_line, plain, show, strong
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.knowledge.results import Related, Relation

__all__ = ["related"]

_SHOWN_CHARS = 200


@click.command()
@click.argument("entity", nargs=-1, required=True)
@click.option("--depth", default=1, show_default=True, help="Over how many steps to go.")
@click.option("--relation", "relations", multiple=True, help="Only this relation; repeatable.")
@click.option("--limit", "-n", default=20, show_default=True, help="Most relations.")
@click.option("--as-of", metavar="DATE", help="What was true then; such as 2025-06-30.")
@common
def related(
    entity: Sequence[str],
    depth: int,
    relations: Sequence[str],
    limit: int,
    as_of: str | None,
    workspace: str | None,
    *,
    as_json: bool,
) -> None:
    """Tell what memories say about ENTITY, a person or a thing."""

    async def work(engine: MemoryEngine) -> Related:
        return await engine.get_related(
            " ".join(entity), depth=depth, relations=relations or None, limit=limit, as_of=as_of
        )

    found = run(work, workspace)
    show(found, "\n".join(_told(found)), as_json=as_json)


def _told(found: Related) -> Iterator[str]:
    if found.entity is None:
        close = ", ".join(plain(name) for name in found.suggestions)
        yield "Nothing is known by this name." + (f" Did you mean {close}?" if close else "")
    else:
        known = found.entity
        yield f"{strong(plain(known.name))}  {dim(f'{known.type}, {known.mentions} mentions')}"
        for relation in found.relations:
            yield from _lines(relation)
    if found.notice:
        yield dim(found.notice)


def _lines(relation: Relation) -> Iterator[str]:
    arrow = "→" if relation.is_outgoing else "←"
    name = strong(plain(relation.entity.name))
    status = "" if relation.status == "current" else f" ({relation.status})"
    predicate = relation.predicate.replace("_", " ")
    yield f"  {arrow} {predicate} {name}{click.style(status, fg='yellow')}"
    for evidence in relation.evidence[:1]:
        yield f"      {one_line(evidence.text, _SHOWN_CHARS)}"
        yield f"      {dim(evidence.memory_id)}"
