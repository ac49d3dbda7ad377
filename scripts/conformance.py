"""Have the official conformance suite judge our HTTP application in both protocol revisions."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.background import CommandFailed, RunningServer, run_bounded, running_server
from scripts.node import ROOT, NotInstalled, Package, node_program

SUITE = Package("@modelcontextprotocol/conformance", "0.2.0-alpha.12")
REVISIONS = ("2025-11-25", "2026-07-28")
RESULTS = ROOT / "build" / "conformance-results"
TIMEOUT_S = 300

# No revision requires these, and we do not offer them.
NOT_OFFERED = {
    "server-sse-polling": "a broken stream cannot be resumed",
    "tasks-": "the tasks extension",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a check of the suite did not like."""

    scenario: str
    check: str
    status: str
    message: str

    @property
    def is_accepted(self) -> bool:
        """Whether it is about something that we do not offer."""
        return self.scenario.startswith(tuple(NOT_OFFERED))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the suite says of one revision."""

    revision: str
    required: int
    further: int
    passed: int
    findings: list[Finding]
    complaint: str | None

    @property
    def is_good(self) -> bool:
        """Whether everything required passed, and everything else that we offer."""
        return self.complaint is None and all(found.is_accepted for found in self.findings)


def judge(server: RunningServer, revision: str) -> Verdict:
    """Run every scenario of a revision."""
    folder = RESULTS / revision
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program: list[str | Path] = [node_program(), SUITE.folder / "dist" / "index.js", "server"]
    options = ["--url", f"{server.url}/mcp", "--requirements", revision, "-o", str(folder)]
    complaint = None
    try:
        report = run_bounded([*program, *options], {"PATH": os.environ["PATH"]}, ROOT, TIMEOUT_S)
    except CommandFailed as exc:
        report, complaint = exc.output, exc.reason
    (folder / "report.txt").write_text(report, "utf-8")
    further = set(re.findall(r"^  \S (\S+) \(.+\)$", report, re.MULTILINE))
    checks = list(_checks(folder))
    counts = Counter(check["status"] for _, check in checks)
    return Verdict(
        revision=revision,
        required=len({scenario for scenario, _ in checks} - further),
        further=len(further),
        passed=counts["SUCCESS"],
        findings=[
            Finding(scenario, check["id"], check["status"], check.get("errorMessage", ""))
            for scenario, check in checks
            if check["status"] in ("FAILURE", "WARNING")
        ],
        complaint=complaint or (None if further else "the suite did not finish its report"),
    )


def _checks(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for path in sorted(folder.glob("*/checks.json")):
        name = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT.*", path.parent.name)
        assert name is not None
        for check in json.loads(path.read_bytes()):
            yield name[1], check


def show(verdict: Verdict) -> None:
    """Print a verdict."""
    unaccepted = [found for found in verdict.findings if not found.is_accepted]
    scenarios = f"{verdict.required} required and {verdict.further} further scenarios"
    result = "conforms" if verdict.is_good else "DOES NOT CONFORM"
    print(f"{verdict.revision}: {result}; {scenarios}, {verdict.passed} checks passed")
    for found in unaccepted:
        print(f"  {found.status} {found.scenario} / {found.check}: {found.message}")
    for prefix, reason in NOT_OFFERED.items():
        checks = [found for found in verdict.findings if found.scenario.startswith(prefix)]
        if checks:
            print(f"  not offered: {reason} ({len(checks)} checks of {prefix}*)")
    if verdict.complaint:
        print(f"  {verdict.complaint}")


def main() -> int:
    """Start the fixture server, run both revisions, stop it."""
    SUITE.install()
    command = [sys.executable, "-m", "tests.conformance"]
    with (
        tempfile.TemporaryDirectory(prefix="zapomni-conformance-") as folder,
        running_server(command, Path(folder)) as server,
    ):
        verdicts = [judge(server, revision) for revision in REVISIONS]
    print(f"{SUITE.name} {SUITE.version}; details in {RESULTS.relative_to(ROOT)}")
    for verdict in verdicts:
        show(verdict)
    return 0 if all(verdict.is_good for verdict in verdicts) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CommandFailed, NotInstalled) as exc:
        sys.exit(f"conformance: {exc}")
