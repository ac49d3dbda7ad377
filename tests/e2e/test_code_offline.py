"""Code is indexed and searched where no network can be reached, by the parsers as well."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.processes import ServerProcess, running
from tests.e2e.test_offline import can_unshare

# Every Python process notes that it has begun, and whom it has tried to reach.
WATCH_NETWORK = """
import os
import socket
import sys

def note(line):
    with open(os.environ["NETWORK_NOTES"], "a") as notes:
        notes.write(line + "\\n")

def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        if arguments[0].family == socket.AF_UNIX:
            return
    elif event not in ("socket.getaddrinfo", "socket.gethostbyname"):
        return
    note(f"tried {event} {arguments[1:]!r}")
    raise OSError("the network is off")

note("began " + " ".join(sys.orig_argv))
sys.addaudithook(refuse)
"""
SOURCES = {
    "store.py": "def save_invoice(invoice):\n    '''Write an invoice to disk.'''\n",
    "app.py": "from store import save_invoice\n\n\ndef close():\n    save_invoice(1)\n",
    "page.ts": "export function showInvoice(id: number) { return id }\n",
    "main.go": "package main\n\nfunc main() { run() }\n\nfunc run() {}\n",
    "lib.rs": "fn total() -> u32 { add(1, 2) }\nfn add(a: u32, b: u32) -> u32 { a + b }\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "shop"
    project.mkdir()
    for name, source in SOURCES.items():
        (project / name).write_text(source)
    return project


def asked(server: ServerProcess, tool: str, **arguments: Any) -> dict[str, Any]:
    result = server.ask(tool, **arguments)
    assert not result["isError"], result
    content: dict[str, Any] = result["structuredContent"]
    return content


def index_and_ask(server: ServerProcess, project: Path) -> None:
    indexed = asked(server, "index_codebase", path=str(project))
    found = asked(server, "search_code", query="where is an invoice written to disk")
    callers = asked(server, "get_call_graph", symbol="save_invoice")

    assert indexed["job"]["state"] == "done"
    assert indexed["languages"] == {"python": 2, "typescript": 1, "go": 1, "rust": 1}
    assert found["results"][0]["symbol"]["name"] == "save_invoice"
    assert [each["symbol"]["name"] for each in callers["sites"]] == ["close"]


def test_no_process_of_it_even_tries_to_reach_a_network(folder: Path, project: Path) -> None:
    hook, notes = folder.parent / "hook", folder.parent / "notes"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(WATCH_NETWORK)
    settings = {
        "PYTHONPATH": str(hook),
        "NETWORK_NOTES": str(notes),
        "ZAPOMNI_CODE_ROOTS": str(project),
        # Nothing that was unpacked before may help.
        "SEMBLE_GRAMMARS_CACHE_DIR": str(folder.parent / "grammars"),
    }

    with running(folder, **settings) as server:
        index_and_ask(server, project)

    lines = notes.read_text().splitlines()
    assert any(line.startswith("began ") and "parsing.worker" in line for line in lines)
    assert not [line for line in lines if line.startswith("tried ")]


@pytest.mark.skipif(not can_unshare(), reason="this system does not permit `unshare -rn`")
def test_it_works_without_any_network_interface(folder: Path, project: Path) -> None:
    with running(folder, prefix=["unshare", "-rn"], ZAPOMNI_CODE_ROOTS=str(project)) as server:
        index_and_ask(server, project)
