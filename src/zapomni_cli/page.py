"""`zapomni open`: look at the memory in the browser."""

from __future__ import annotations

import click

from zapomni_cli.options import json_option
from zapomni_cli.output import show_json

__all__ = ["open_"]


@click.command("open")
@click.option("--print", "only_print", is_flag=True, help="Print the address, open nothing.")
@json_option
def open_(*, only_print: bool, as_json: bool) -> None:
    """Open the page of the running server in your browser."""
    # Help and completion need none of them.
    import webbrowser  # noqa: PLC0415

    from zapomni_cli.serverport import find_server  # noqa: PLC0415
    from zapomni_core import ConfigurationError, load_settings  # noqa: PLC0415

    try:
        settings = load_settings()
    except ConfigurationError as exc:
        raise click.ClickException(str(exc)) from exc
    server = find_server(settings.sse_host, settings.sse_port)
    if server.state != "ours":
        whose = "another program answers there" if server.state == "other" else "nothing does"
        raise click.ClickException(
            f"No Zapomni answers at {server.url} ({whose}). Start one with `zapomni serve`."
        )
    is_opened = not only_print and not as_json and webbrowser.open(server.url)
    if as_json:
        show_json({"url": server.url, "version": server.version})
    else:
        click.echo(f"Opened {server.url}" if is_opened else server.url)
