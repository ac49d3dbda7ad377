"""The options that narrow down which memories are meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from zapomni_core import SearchFilters

__all__ = ["filter_options", "filters_of"]

_DAY = click.DateTime(["%Y-%m-%d"])
_OPTIONS = (
    click.option("--tag", "tags", multiple=True, help="Only memories with this tag; repeatable."),
    click.option("--source", help="Only memories from this source."),
    click.option("--date-from", type=_DAY, metavar="YYYY-MM-DD", help="Only from this day on."),
    click.option("--date-to", type=_DAY, metavar="YYYY-MM-DD", help="Only up to this day."),
)


def filter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--tag`, `--source`, `--date-from` and `--date-to`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def filters_of(
    tags: Sequence[str],
    source: str | None,
    date_from: datetime | None,
    date_to: datetime | None,
) -> SearchFilters:
    """Return what these options ask for."""
    from zapomni_core import SearchFilters  # noqa: PLC0415  (see `running`)

    return SearchFilters(
        tags=tuple(tags),
        source=source,
        date_from=date_from.date() if date_from else None,
        date_to=date_to.date() if date_to else None,
    )
