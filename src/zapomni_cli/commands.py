"""The commands, each imported when it is called: a person waits for the first answer."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

__all__ = ["zapomni"]

# The module of each command.
_COMMANDS = {
    "backup": "zapomni_cli.backup",
    "export": "zapomni_cli.export",
    "hooks": "zapomni_cli.hooks",
    "import": "zapomni_cli.importing",
    "index": "zapomni_cli.code",
    "install": "zapomni_cli.install",
    "move": "zapomni_cli.backup",
    "reembed": "zapomni_cli.reembed",
    "restore": "zapomni_cli.backup",
    "uninstall": "zapomni_cli.install",
    "watch": "zapomni_cli.code",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        # `import` cannot be the name of a function.
        name = "import_" if cmd_name == "import" else cmd_name
        command = getattr(import_module(_COMMANDS[cmd_name]), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _COMMANDS:
            close = get_close_matches(args[0], _COMMANDS, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            ctx.fail(f"There is no command '{args[0]}'.{hint}")
        return super().resolve_command(ctx, args)


def _show_version(ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
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
def zapomni() -> None:
    """Private long-term memory for AI agents, on your own machine."""
