"""`zapomni install` and `uninstall` as a person runs them."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from zapomni_cli.clients.checking import NoAnswer, check
from zapomni_cli.clients.files import backup_of
from zapomni_cli.clients.launch import Address, Command, server_command
from zapomni_cli.commands import zapomni

SETTINGS = b"""{
  // my servers
  "mcpServers": {
    "other": {"command": "x"},
  },
}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every command an empty home."""
    for variable in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("ZAPOMNI_DATA_DIR", str(tmp_path / "memory"))
    return tmp_path


@pytest.fixture
def cursor(home: Path) -> Path:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_bytes(SETTINGS)
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(zapomni, arguments)


def test_the_server_is_started_and_then_written_down_and_forgotten_again(cursor: Path) -> None:
    installed = run("install")

    assert installed.exit_code == 0, installed.output
    assert " tools after " in installed.output
    written = json.loads(cursor.read_text().replace("// my servers", "").replace("},\n  },", "}}"))
    command = written["mcpServers"]["zapomni"]
    assert Path(command["command"]).is_absolute()
    assert command["env"] == {"ZAPOMNI_DATA_DIR": str(cursor.parents[1] / "memory")}

    assert run("uninstall").exit_code == 0
    assert cursor.read_bytes() == SETTINGS
    assert not backup_of(cursor).exists()


def test_a_dry_run_shows_the_change_and_makes_none(cursor: Path) -> None:
    shown = run("install", "--dry-run")

    assert shown.exit_code == 0
    assert '+    "zapomni": {' in shown.output
    assert '"other"' not in shown.output
    assert [file.name for file in cursor.parent.iterdir()] == ["mcp.json"]
    assert cursor.read_bytes() == SETTINGS


def test_a_server_that_does_not_answer_is_not_written_down(cursor: Path) -> None:
    failed = run("install", "--http", "http://127.0.0.1:1")

    assert failed.exit_code == 1
    assert "http://127.0.0.1:1/mcp does not work, so nothing was changed" in failed.output
    assert cursor.read_bytes() == SETTINGS


def test_a_client_that_is_not_here_is_named_with_its_place(cursor: Path) -> None:
    failed = run("uninstall", "cursor", "zed")

    assert failed.exit_code == 1
    assert "Cursor: nothing to do in" in failed.output
    assert "Zed: not found on this machine" in failed.output
    assert str(cursor.parents[1] / ".config" / "zed" / "settings.json") in failed.output


def test_settings_that_cannot_be_read_do_not_stop_the_others(cursor: Path, home: Path) -> None:
    (home / ".codex").mkdir()
    broken = home / ".codex" / "config.toml"
    broken.write_bytes(b"model = \n")

    result = run("install", "--dry-run", "--json")

    assert result.exit_code == 1
    codex, other = json.loads(result.output)
    assert (codex["client"], codex["change"]) == ("codex", None)
    assert "was left alone" in codex["problem"]
    assert other == {"client": "cursor", "path": str(cursor), "change": "add", "problem": None}
    assert broken.read_bytes() == b"model = \n"


@pytest.mark.usefixtures("home")
def test_a_machine_without_clients_is_told_which_are_known() -> None:
    result = run("install")

    assert result.exit_code == 1
    assert "claude-code" in result.output


def test_a_misspelt_client_is_guessed() -> None:
    result = run("install", "curser")

    assert result.exit_code == 2
    assert "Did you mean 'cursor'?" in result.output


def test_an_address_has_to_be_one() -> None:
    assert run("install", "--http", "localhost:8000").exit_code == 2


def test_a_client_without_addresses_gets_the_command(home: Path) -> None:
    (home / ".config" / "Claude").mkdir(parents=True)

    result = run("install", "claude-desktop", "--dry-run", "--http", "http://127.0.0.1:8000/mcp")

    assert '"command":' in result.output
    assert "127.0.0.1" not in result.output


def test_only_settings_of_ours_go_into_the_command() -> None:
    variables = {
        "HOME": "/home/user",
        "ZAPOMNI_AUTH_TOKEN": "secret",
        "ZAPOMNI_DATA_DIR": "memory",
        "ZAPOMNI_FSYNC": "",
    }

    command = server_command(variables)

    assert command.variables == {"ZAPOMNI_DATA_DIR": str(Path.cwd() / "memory")}


@pytest.mark.parametrize(
    ("launch", "reason"),
    [
        (Command("/nowhere/zapomni-mcp"), "No such file"),
        (Command(sys.executable, ("-c", "raise SystemExit('it is broken')")), "it is broken"),
        (Address("http://127.0.0.1:1/mcp"), "connect"),
    ],
)
def test_a_server_that_does_not_start_says_why(launch: Command | Address, reason: str) -> None:
    with pytest.raises(NoAnswer, match=reason):
        check(launch)
