"""`zapomni serve` and `zapomni open` as a person runs them, and `zapomni jobs`."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.zapomni_cli.conftest import Terminal
from zapomni_cli.clients.checking import check
from zapomni_cli.clients.launch import Command

TIMEOUT_S = 60


@contextmanager
def serving(**settings: str) -> Iterator[int]:
    """Run a server, and hand over its port."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    process = subprocess.Popen(
        [sys.executable, "-m", "zapomni_cli", "serve", "--port", "0"],
        env={**kept, **settings},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            told = json.loads(line)
            if told["event"] == "http_listening":
                break
        yield told["port"]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT_S)


def test_the_page_of_a_running_server_is_found(
    terminal: Terminal, database_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(ZAPOMNI_DATA_DIR=str(database_folder)) as port:
        monkeypatch.setenv("ZAPOMNI_SSE_PORT", str(port))
        printed = terminal.out("open", "--print")
        as_json = json.loads(terminal.out("open", "--json"))
        report = json.loads(terminal.run("doctor", "--json").stdout)

    assert printed.strip() == as_json["url"] == f"http://127.0.0.1:{port}/"
    (found,) = [each for each in report["checks"] if each["check"] == "port"]
    assert found["state"] == "ok"
    assert "answers" in found["message"]


def test_a_client_may_start_the_server_by_this_command(tmp_path: Path) -> None:
    command = Command(
        sys.executable,
        ("-m", "zapomni_cli", "serve", "--stdio"),
        {"ZAPOMNI_DATA_DIR": str(tmp_path / "memory")},
    )

    assert check(command).tools > 0


def test_a_wrong_setting_is_told_before_the_server_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "ZAPOMNI_DATA_DIR": str(tmp_path), "ZAPOMNI_FSYNC": "sometimes"}
    done = subprocess.run(
        [sys.executable, "-m", "zapomni_cli", "serve"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr.startswith("zapomni: Wrong setting")


def test_a_port_is_not_for_standard_input(terminal: Terminal) -> None:
    assert terminal.run("serve", "--stdio", "--port", "1").exit_code == 2


def test_jobs_are_listed_with_how_they_ended(terminal: Terminal) -> None:
    terminal.remember("Alice Novak works at Initech in Prague.")
    terminal.read_for_the_graph()

    (job, *_) = json.loads(terminal.out("jobs", "list", "--json"))

    assert {"id", "kind", "state", "done", "total", "seconds"} <= job.keys()
    assert job["id"] in terminal.out("jobs", "list")
    done = terminal.run("jobs", "resume", job["id"])
    assert done.exit_code == 1


def test_no_jobs_are_said(terminal: Terminal) -> None:
    assert terminal.out("jobs", "list").strip() == "There are no jobs."


@pytest.mark.parametrize("command", ["cancel", "resume"])
def test_an_unknown_job_leads_to_the_list(terminal: Terminal, command: str) -> None:
    done = terminal.run("jobs", command, "none")

    assert done.exit_code == 1
    assert "`zapomni jobs list`" in done.stderr
