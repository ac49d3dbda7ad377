"""Have real clients remember and recall over every transport: `python -m scripts.clients`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.background import CommandFailed, running_server
from scripts.clients.checks import Bench, Outcome, perform
from scripts.clients.hosts import HOST_CHECKS
from scripts.clients.installed import INSTALL_CHECKS
from scripts.clients.programs import PROGRAM_CHECKS
from scripts.node import NotInstalled, node_program

FEWEST_HOSTS = 2
HEADINGS = ("client", "version", "transport", "checked", "result")


def table(outcomes: Sequence[Outcome]) -> str:
    """Lay the outcomes out in columns, with what was seen and why something failed below."""
    rows = [
        HEADINGS,
        *(
            (o.check.client, o.check.package.version, o.check.transport, o.check.checked, o.result)
            for o in outcomes
        ),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    remarks = [
        f"\n{o.check.client}, {o.check.transport}, {o.check.checked}:\n{o.seen or o.reason}"
        for o in outcomes
        if o.seen or o.reason
    ]
    return "\n".join([*lines, *remarks])


def is_good(outcomes: Sequence[Outcome]) -> bool:
    """Tell whether nothing failed, and nothing is missing but some of the hosts."""
    hosts = {o.check.client for o in outcomes if o.check.is_host and o.result == "ok"}
    missing = [o for o in outcomes if o.result == "not installed" and not o.check.is_host]
    failed = [o for o in outcomes if o.result == "FAILED"]
    return not failed and not missing and len(hosts) >= FEWEST_HOSTS


def main() -> int:
    """Run every check against one server."""
    command = [Path(sys.prefix) / "bin" / "zapomni-mcp"]
    with (
        tempfile.TemporaryDirectory(prefix="zapomni-clients-") as folder,
        running_server(command, Path(folder)) as server,
    ):
        checks = (*PROGRAM_CHECKS, *HOST_CHECKS, *INSTALL_CHECKS)
        bench = Bench(server, node_program(), Path(folder))
        outcomes = [perform(check, bench) for check in checks]
    print(table(outcomes))
    print(f"\n{sum(o.result == 'ok' for o in outcomes)} of {len(outcomes)} ok")
    return 0 if is_good(outcomes) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CommandFailed, NotInstalled) as exc:
        sys.exit(f"clients: {exc}")
