"""`zapomni stats`: how much is stored and how it is doing."""

from __future__ import annotations

import click

from zapomni_cli.options import common
from zapomni_cli.output import fields, show
from zapomni_cli.running import run

__all__ = ["stats"]


@click.command()
@common
def stats(workspace: str | None, *, as_json: bool) -> None:
    """Count what is stored and say how the parts are doing."""
    found = run(lambda engine: engine.get_stats(), workspace)
    told = fields(
        [
            ("memories", f"{found.total_memories:,}"),
            ("pieces", f"{found.total_chunks:,}"),
            ("graph", found.graph_name),
            ("database", found.database),
            ("in memory", f"{found.database_size_mb:.1f} MB"),
            ("on disk", f"{found.disk_size_mb:.1f} MB"),
            ("model", found.embedding_model),
            ("state", found.state),
        ]
    )
    show(found, told, as_json=as_json)
