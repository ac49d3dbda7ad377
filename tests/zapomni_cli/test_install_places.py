"""Where the settings of each client are looked for."""

from pathlib import Path

import pytest

from zapomni_cli.clients.known import CLIENTS
from zapomni_cli.clients.machine import Machine

BY_KEY = {client.key: client for client in CLIENTS}

PLACES = {
    "claude-code": {
        "linux": ".claude.json",
        "darwin": ".claude.json",
        "win32": ".claude.json",
    },
    "claude-desktop": {
        "linux": ".config/Claude/claude_desktop_config.json",
        "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
        "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
    },
    "codex": dict.fromkeys(("linux", "darwin", "win32"), ".codex/config.toml"),
    "cursor": dict.fromkeys(("linux", "darwin", "win32"), ".cursor/mcp.json"),
    "goose": {
        "linux": ".config/goose/config.yaml",
        "darwin": ".config/goose/config.yaml",
        "win32": "AppData/Roaming/Block/goose/config/config.yaml",
    },
    "vscode": {
        "linux": ".config/Code/User/mcp.json",
        "darwin": "Library/Application Support/Code/User/mcp.json",
        "win32": "AppData/Roaming/Code/User/mcp.json",
    },
    "zed": {
        "linux": ".config/zed/settings.json",
        "darwin": ".config/zed/settings.json",
        "win32": "AppData/Roaming/Zed/settings.json",
    },
}


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("key", PLACES)
def test_settings_are_looked_for_where_the_platform_has_them(
    tmp_path: Path, key: str, platform: str
) -> None:
    machine = Machine(tmp_path, platform, {})

    assert BY_KEY[key].config(machine) == tmp_path / PLACES[key][platform]


@pytest.mark.parametrize("key", BY_KEY)
def test_a_client_is_found_by_its_settings_only_if_they_are_there(
    tmp_path: Path, key: str
) -> None:
    client = BY_KEY[key]
    machine = Machine(tmp_path, "linux", {})
    assert not client.is_installed(machine)

    path = client.config(machine)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")

    assert client.is_installed(machine)
    assert [other.key for other in CLIENTS if other.is_installed(machine)] == [key]


@pytest.mark.parametrize(
    ("key", "variable", "name"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
        ("codex", "CODEX_HOME", "config.toml"),
        ("zed", "XDG_CONFIG_HOME", "zed/settings.json"),
        ("cline", "CLINE_DATA_DIR", "settings/cline_mcp_settings.json"),
    ],
)
def test_a_client_that_was_told_another_folder_is_followed(
    tmp_path: Path, key: str, variable: str, name: str
) -> None:
    machine = Machine(tmp_path, "linux", {variable: str(tmp_path / "elsewhere")})

    assert BY_KEY[key].config(machine) == tmp_path / "elsewhere" / name


def test_opencode_keeps_the_file_that_it_has(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "linux", {})
    folder = tmp_path / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.json").touch()

    assert BY_KEY["opencode"].config(machine) == folder / "opencode.json"


def test_an_old_cline_inside_vs_code_is_found(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "darwin", {})
    code = tmp_path / "Library" / "Application Support" / "Code" / "User"
    old = code / "globalStorage" / "saoudrizwan.claude-dev"
    old.mkdir(parents=True)

    path = BY_KEY["cline"].config(machine)

    assert BY_KEY["cline"].is_installed(machine)
    assert path == old / "settings" / "cline_mcp_settings.json"


def test_a_client_is_found_by_its_program(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "codex"
    program.parent.mkdir()
    program.touch(mode=0o755)
    machine = Machine(tmp_path, "linux", {"PATH": str(program.parent)})

    assert [client.key for client in CLIENTS if client.is_installed(machine)] == ["codex"]
