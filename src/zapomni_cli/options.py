"""The options that commands have in common, so that each means the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = ["common", "json_option", "workspace_option", "yes_option"]

type _Decorated = Callable[..., Any]

json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
workspace_option = click.option(
    "--workspace", "-w", metavar="NAME", help="Work in this workspace instead of the default one."
)
yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask.")


def common(command: _Decorated) -> _Decorated:
    """Give a command `--workspace` (as `workspace: str | None`) and `--json` (as `as_json`)."""
    return workspace_option(json_option(command))
