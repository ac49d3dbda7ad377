"""The commands, each imported when it is called: a person waits for the first answer."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import click

__all__ = ["zapomni"]

# The module of each command.
_COMMANDS = {
    "add": "zapomni_cli.add",
    "audit": "zapomni_cli.audit",
    "backup": "zapomni_cli.backup",
    "brief": "zapomni_cli.brief",
    "completion": "zapomni_cli.completion",
    "doctor": "zapomni_cli.doctor.command",
    "edit": "zapomni_cli.edit",
    "eval": "zapomni_cli.evaluate",
    "export": "zapomni_cli.export",
    "forget": "zapomni_cli.forget",
    "hooks": "zapomni_cli.hooks",
    "import": "zapomni_cli.importing",
    "index": "zapomni_cli.code",
    "install": "zapomni_cli.install",
    "jobs": "zapomni_cli.jobs",
    "list": "zapomni_cli.listing",
    "move": "zapomni_cli.backup",
    "open": "zapomni_cli.page",
    "reembed": "zapomni_cli.reembed",
    "related": "zapomni_cli.related",
    "restore": "zapomni_cli.backup",
    "save-session": "zapomni_cli.session",
    "search": "zapomni_cli.search",
    "serve": "zapomni_cli.serve",
    "show": "zapomni_cli.listing",
    "stats": "zapomni_cli.stats",
    "uninstall": "zapomni_cli.install",
    "watch": "zapomni_cli.code",
    "workspaces": "zapomni_cli.workspaces",
}
# Names that Python has a use for.
_TAKEN = {"eval", "import", "list", "open"}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        name = cmd_name.replace("-", "_") + "_" * (cmd_name in _TAKEN)
        command = getattr(import_module(_COMMANDS[cmd_name]), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            from difflib import get_close_matches  # noqa: PLC0415  (only for a mistake)

            close = get_close_matches(args[0], _COMMANDS, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            ctx.fail(f"There is no command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


def _show_version(ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version  # noqa: PLC0415  (40 ms, needed only here)

        click.echo(f"zapomni {version('zapomni')}")
        ctx.exit()


@click.group(cls=_Commands)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version.",
)
@click.pass_context
def zapomni(ctx: click.Context) -> None:
    """Private long-term memory for AI agents, on your own machine."""
    # As https://no-color.org asks; click itself looks only at whether this is a terminal.
    if os.environ.get("NO_COLOR"):
        ctx.color = False
