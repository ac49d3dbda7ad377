"""A progress bar on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import click

__all__ = ["progress_bar"]

type Report = Callable[[int, int], Awaitable[None]]


@contextmanager
def progress_bar(label: str, *, is_silent: bool = False) -> Iterator[Report]:
    """Show how far some work is, on standard error, while it goes on."""
    if is_silent or not sys.stderr.isatty():
        yield _nobody_looks
        return
    # The length is known with the first report.
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        async def report(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield report


async def _nobody_looks(_done: int, _total: int) -> None:
    pass
