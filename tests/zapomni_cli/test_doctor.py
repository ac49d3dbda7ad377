"""`zapomni doctor`: what it finds, what it says, and that it changes nothing."""

import json
import os
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.folders import keyspace_of
from tests.zapomni_cli.conftest import Terminal
from zapomni_cli.clients.launch import Address, Command
from zapomni_cli.doctor.connections import launch_of
from zapomni_cli.doctor.folder import check_backups, check_folder, disk_finding
from zapomni_core import load_settings

SECRET = "The password of the safe is rhubarb."


@pytest.fixture
def home(terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the doctor a home without clients."""
    for variable in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("ZAPOMNI_SSE_PORT", str(_free_port()))
    del terminal
    return tmp_path


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def examined(terminal: Terminal) -> dict[str, Any]:
    """Return the findings by their check."""
    report = json.loads(terminal.run("doctor", "--json").stdout)
    assert report.keys() == {"checks", "problems", "warnings"}
    for check in report["checks"]:
        assert check.keys() == {"check", "state", "message", "mend"}
        assert check["state"] == "ok" or check["mend"], check
    return {check["check"]: check for check in report["checks"]}


@pytest.mark.usefixtures("home")
def test_a_memory_in_use_is_well(terminal: Terminal) -> None:
    terminal.remember(SECRET)

    done = terminal.run("doctor")
    found = examined(terminal)

    assert done.exit_code == 0, done.output
    assert {each["state"] for name, each in found.items() if name != "backups"} == {"ok"}
    assert found["backups"]["mend"] == "zapomni backup"
    assert "1 memories" in found["database"]["message"]
    assert "rhubarb" not in done.output


@pytest.mark.usefixtures("home")
def test_a_folder_that_is_not_there_is_not_made(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "none" / "memory"
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(folder))

    found = examined(terminal)

    assert found["folder"]["state"] == found["database"]["state"] == "ok"
    assert "not there yet" in found["folder"]["message"]
    assert not folder.parent.exists()


@pytest.mark.usefixtures("home")
def test_a_folder_that_cannot_be_written_to_is_a_problem(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(folder))

    found = examined(terminal)

    assert found["folder"]["state"] == "problem"
    assert "chmod" in found["folder"]["mend"]
    assert terminal.run("doctor").exit_code == 1
    assert list(folder.iterdir()) == []


def test_a_folder_that_others_may_read_is_mentioned_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o755)

    assert check_folder(folder).state == "warning"
    assert folder.stat().st_mode & 0o777 == 0o755


def test_a_file_in_the_place_of_the_folder_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert check_folder(tmp_path / "file").state == "problem"
    assert check_folder(tmp_path / "file" / "inside").state == "problem"


@pytest.mark.parametrize(
    ("free_mb", "state"), [(10, "problem"), (63, "problem"), (64, "warning"), (5000, "ok")]
)
def test_a_full_disk_is_noticed(free_mb: int, state: str) -> None:
    assert disk_finding(free_mb * 1_000_000).state == state


def test_an_old_backup_is_mentioned(tmp_path: Path) -> None:
    backup = tmp_path / "backups" / "old.tar"
    backup.parent.mkdir()
    backup.write_text("")

    assert check_backups(tmp_path, 1).state == "ok"
    os.utime(backup, (0, 0))
    assert check_backups(tmp_path, 1).state == "warning"


@pytest.mark.usefixtures("home")
def test_a_store_of_another_model_is_a_problem(terminal: Terminal, database_folder: Path) -> None:
    from tests.folders import direct_client

    terminal.remember(SECRET)
    about = keyspace_of(load_settings()).about
    with direct_client(database_folder) as client:
        client.hset(about, "model", "nomic-embed-text/768")

    found = examined(terminal)

    assert found["model"]["state"] == "problem"
    assert "nomic-embed-text" in found["model"]["message"]
    assert "zapomni reembed --model" in found["model"]["mend"]


@pytest.mark.usefixtures("home")
def test_vectors_that_are_missing_are_noticed(terminal: Terminal, database_folder: Path) -> None:
    from tests.folders import direct_client

    terminal.remember(SECRET)
    settings = load_settings()
    with direct_client(database_folder) as client:
        (key,) = client.keys(f"*{settings.graph_name}*:vectors:*")
        client.delete(key)

    assert examined(terminal)["index"]["state"] == "warning"

    terminal.out("search", "anything")
    assert examined(terminal)["index"]["state"] == "ok"


@pytest.mark.usefixtures("home")
def test_a_wrong_setting_is_named(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZAPOMNI_FSYNC", "sometimes")

    found = examined(terminal)

    assert found["settings"]["state"] == "problem"
    assert "ZAPOMNI_FSYNC" in found["settings"]["message"]


@pytest.mark.usefixtures("home")
def test_a_server_that_does_not_answer_is_a_problem(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FALKORDB_URL", f"falkor://127.0.0.1:{_free_port()}")

    found = examined(terminal)

    assert found["database"]["state"] == "problem"
    assert "FALKORDB_URL" in found["database"]["mend"]


class _Somebody(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def somebody() -> Iterator[int]:
    """Have another program listen."""
    with HTTPServer(("127.0.0.1", 0), _Somebody) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.usefixtures("home")
def test_a_port_that_another_program_has_is_noticed(
    terminal: Terminal, somebody: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZAPOMNI_SSE_PORT", str(somebody))

    found = examined(terminal)

    assert found["port"]["state"] == "warning"
    assert "ZAPOMNI_SSE_PORT" in found["port"]["mend"]
    refused = terminal.run("open")
    assert refused.exit_code == 1
    assert "another program" in refused.stderr


@pytest.mark.usefixtures("home")
def test_open_says_how_to_start_a_server(terminal: Terminal) -> None:
    done = terminal.run("open")

    assert done.exit_code == 1
    assert "zapomni serve" in done.stderr


def test_a_client_whose_command_is_broken_is_a_problem(terminal: Terminal, home: Path) -> None:
    config = home / ".cursor" / "mcp.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"mcpServers": {"zapomni": {"command": "/no/such/program"}}}))
    before = config.read_bytes()

    found = examined(terminal)

    assert found["client cursor"]["state"] == "problem"
    assert found["client cursor"]["mend"] == "zapomni install cursor"
    assert config.read_bytes() == before


def test_a_client_is_tried_out_without_touching_the_memory(
    terminal: Terminal, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".cursor").mkdir()
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(home / "new"))
    assert terminal.run("install", "cursor").exit_code == 0
    for name in ("new", ".cache"):
        assert not (home / name / "db.sock").exists()

    found = examined(terminal)

    assert found["client cursor"]["state"] == "ok", found["client cursor"]


def test_a_client_without_an_entry_is_mentioned(terminal: Terminal, home: Path) -> None:
    (home / ".cursor").mkdir()

    found = examined(terminal)

    assert found["client cursor"]["state"] == "warning"


@pytest.mark.parametrize(
    ("entry", "launch"),
    [
        ({"command": "z", "args": ["-x"], "env": {"A": "b"}}, Command("z", ("-x",), {"A": "b"})),
        ({"type": "local", "command": ["z", "-x"], "environment": {}}, Command("z", ("-x",))),
        (
            {"type": "stdio", "cmd": "z", "args": [], "envs": {"A": "b"}},
            Command("z", (), {"A": "b"}),
        ),
        ({"serverUrl": "http://h/mcp"}, Address("http://h/mcp")),
        (
            {"url": "http://h/mcp", "headers": {"Authorization": "Bearer t"}},
            Address("http://h/mcp", "t"),
        ),
        ({}, None),
    ],
)
def test_the_entry_of_any_client_is_understood(
    entry: dict[str, Any], launch: Address | Command | None
) -> None:
    assert launch_of(entry) == launch
