"""`zapomni doctor` itself: run the checks and tell what they say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from zapomni_cli.doctor.findings import Finding, State, ok, problem
from zapomni_cli.options import common
from zapomni_cli.output import dim, plain, show_json

__all__ = ["doctor"]

_MARKS: dict[State, tuple[str, str]] = {
    "ok": ("ok", "green"),
    "warning": ("warning", "yellow"),
    "problem": ("problem", "red"),
}


@click.command()
@common
def doctor(workspace: str | None, *, as_json: bool) -> None:
    """Look for what is wrong and name the command that mends it; nothing is changed.

    It never shows what memories say. The exit code is 1 if something does not work.
    """
    findings: list[Finding] = []
    for finding in _examined(workspace):
        findings.append(finding)
        if not as_json:
            _tell(finding)
    counts = {s: sum(each.state == s for each in findings) for s in ("problem", "warning")}
    if as_json:
        show_json(
            {
                "checks": [asdict(each) for each in findings],
                "problems": counts["problem"],
                "warnings": counts["warning"],
            }
        )
    else:
        click.echo(_summary(counts["problem"], counts["warning"]))
    if counts["problem"]:
        raise click.exceptions.Exit(1)


def _examined(workspace: str | None) -> Iterator[Finding]:
    # Help and completion need none of them.
    from zapomni_cli.clients.machine import this_machine  # noqa: PLC0415
    from zapomni_cli.doctor.connections import check_clients  # noqa: PLC0415
    from zapomni_cli.doctor.folder import check_backups, check_disk, check_folder  # noqa: PLC0415
    from zapomni_cli.doctor.installation import (  # noqa: PLC0415
        check_extras,
        check_interpreter,
        check_versions,
    )
    from zapomni_cli.doctor.port import check_port  # noqa: PLC0415
    from zapomni_cli.doctor.store import check_index, check_model, inspect_store  # noqa: PLC0415
    from zapomni_core import ConfigurationError, configure_logs, load_settings  # noqa: PLC0415

    configure_logs("CRITICAL")
    yield check_interpreter()
    yield check_versions()
    try:
        settings = load_settings(workspace=workspace)
    except ConfigurationError as exc:
        yield problem("settings", str(exc), "correct or unset that variable")
        return
    yield ok("settings", "Every setting can be read.")
    folder = check_folder(settings.data_dir)
    yield folder
    yield check_disk(settings.data_dir)
    seen, database = inspect_store(settings, is_folder_ok=folder.state == "ok")
    yield database
    yield check_model(settings, seen)
    if seen is not None:
        yield from check_index(seen)
    yield check_backups(settings.data_dir, seen.memories if seen else 0)
    yield check_port(settings)
    yield from check_clients(this_machine())
    yield from check_extras(settings)


def _tell(finding: Finding) -> None:
    mark, colour = _MARKS[finding.state]
    name = finding.check.ljust(12)
    click.echo(f"{click.style(mark.ljust(8), fg=colour)}{name} {plain(finding.message)}")
    if finding.mend:
        click.echo(f"{' ' * 21}{dim('→')} {plain(finding.mend)}")


def _summary(problems: int, warnings: int) -> str:
    if not problems and not warnings:
        return click.style("All is well.", fg="green")
    counted = [(problems, "problem"), (warnings, "warning")]
    return ", ".join(f"{n} {word}{'s' * (n > 1)}" for n, word in counted if n) + "."
