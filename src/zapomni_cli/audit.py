"""`zapomni audit`: how much junk is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from zapomni_cli.options import common
from zapomni_cli.output import dim, show
from zapomni_cli.progress import progress_bar
from zapomni_cli.running import run

if TYPE_CHECKING:
    from zapomni_core import MemoryEngine
    from zapomni_core.intake import Audit

__all__ = ["audit"]


@click.command()
@common
def audit(workspace: str | None, *, as_json: bool) -> None:
    """Count duplicates, leftovers, secrets and other junk; nothing is changed."""

    async def work(engine: MemoryEngine) -> Audit:
        with progress_bar("Looking", is_silent=as_json) as report:
            return await engine.audit(report)

    found = run(work, workspace)
    show(found, _told(found), as_json=as_json)


def _told(found: Audit) -> str:
    lines = [f"{found.memories:,} memories looked at in {found.seconds:.1f} s."]
    problems = [each for each in found.findings if each.count]
    if not problems:
        return f"{lines[0]} No junk found."
    for each in problems:
        lines.append(f"\n{each.count:>8,}  {each.meaning}")
        lines += [dim(f"          {example}") for example in each.examples]
        lines.append(f"          Way out: {each.remedy}")
    return "\n".join(lines)
