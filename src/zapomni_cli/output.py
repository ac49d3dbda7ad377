"""Print results: for people, with colour where it is wanted, or as JSON for programs."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import click

__all__ = ["dim", "fields", "moment", "one_line", "plain", "show", "show_json", "strong"]

# What a memory may hold and a terminal would obey: escape sequences, bells, backspaces.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SPACE = re.compile(r"\s+")


def show(result: Any, told: str, *, as_json: bool) -> None:
    """Print a result for people, or as JSON."""
    if as_json:
        show_json(result)
    else:
        click.echo(told)


def show_json(result: Any) -> None:
    """Print a result as JSON, with the names that its fields have."""
    click.echo(json.dumps(_data(result), indent=2, default=_written))


def plain(text: str) -> str:
    """Return a text that a terminal shows and does not obey."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: str, width: int) -> str:
    """Return the beginning of a text on one line."""
    line = _SPACE.sub(" ", plain(text)).strip()
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


def moment(when: datetime | None) -> str:
    """Write a moment as people read it, in their own time."""
    return "" if when is None else f"{when.astimezone():%Y-%m-%d %H:%M}"


def fields(pairs: Iterable[tuple[str, object]]) -> str:
    """Line up names and values; what is empty is left out."""
    shown = [(name, str(value)) for name, value in pairs if value not in (None, "", ())]
    width = max((len(name) for name, _ in shown), default=0)
    return "\n".join(f"{dim(name.ljust(width))}  {value}" for name, value in shown)


def dim(text: str) -> str:
    """Return a text that stands back."""
    return click.style(text, dim=True)


def strong(text: str) -> str:
    """Return a text that stands out."""
    return click.style(text, bold=True)


def _data(result: Any) -> Any:
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return dataclasses.asdict(result)
    if isinstance(result, Sequence) and not isinstance(result, str):
        return [_data(each) for each in result]
    return result


def _written(value: object) -> str:
    match value:
        case datetime() | date():
            return value.isoformat()
        case Enum():
            return str(value.value)
        case Path():
            return str(value)
    raise TypeError(f"no way to write a {type(value).__name__} as JSON")
