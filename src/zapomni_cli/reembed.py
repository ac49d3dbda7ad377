"""`zapomni reembed`: change the model that memories are found by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from zapomni_cli.keeping import show, work_on
from zapomni_cli.options import common
from zapomni_cli.progress import progress_bar

if TYPE_CHECKING:
    from zapomni_core.keeping.reembedding import Reembedded
    from zapomni_core.keeping_engine import KeepingEngine

__all__ = ["reembed"]


@click.command()
@click.option("--model", required=True, help="Name of the model, as in EMBEDDING_MODEL.")
@common
def reembed(model: str, workspace: str | None, *, as_json: bool) -> None:
    """Embed every memory with another model, then change over at once.

    The old model serves until the end. If the command is cut off, nothing has changed; run it
    again, and it goes on where it was.
    """

    async def work(engine: KeepingEngine) -> Reembedded:
        with progress_bar("Embedding", is_silent=as_json) as report:
            return await engine.reembed(model, report)

    done = work_on(work, workspace)
    told = (
        f"{done.chunks} pieces of memories are found by {done.model} from now on "
        f"({done.embedded} embedded in {done.seconds:.1f} s). Start every running Zapomni that "
        f"uses this memory again; where EMBEDDING_MODEL is set, set it to {model} or unset it."
    )
    show(done, told, as_json=as_json)
