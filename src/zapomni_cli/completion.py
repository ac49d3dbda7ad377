"""`zapomni completion`: have the shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["completion"]

_SHELLS = ("bash", "fish", "zsh")
_VARIABLE = "_ZAPOMNI_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that has SHELL complete commands and options.

    For bash, add `eval "$(zapomni completion bash)"` to ~/.bashrc; for zsh, the same with zsh to
    ~/.zshrc; for fish, save the output as ~/.config/fish/completions/zapomni.fish.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "zapomni", _VARIABLE)
    # Click asks bash for its version first, which says nothing about the shell that reads this.
    click.echo(script.source_template % script.source_vars())
