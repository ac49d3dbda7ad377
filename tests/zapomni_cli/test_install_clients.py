"""Every client's settings, as people have them: connected, connected again, and set free."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from zapomni_cli.clients.changes import Change, apply, plan_install, plan_uninstall
from zapomni_cli.clients.errors import Unparsable, Unwritable
from zapomni_cli.clients.files import backup_of
from zapomni_cli.clients.jsonc_scan import scan
from zapomni_cli.clients.known import CLIENTS, Client
from zapomni_cli.clients.launch import Address, Command

COMMAND = Command("/opt/zapomni/bin/zapomni-mcp", ("--transport", "stdio"))
SET = Command(COMMAND.program, COMMAND.arguments, {"ZAPOMNI_DATA_DIR": "/data/мои файлы"})
ADDRESS = Address("http://127.0.0.1:8000/mcp", "secret")
BY_KEY = {client.key: client for client in CLIENTS}

SAMPLES = {
    "claude-code": b"""{
  "numStartups": 42,
  "projects": {
    "/home/user/work": { "allowedTools": [], "mcpServers": {} }
  },
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.example.com/mcp/",
      "headers": { "Authorization": "Bearer abc" }
    }
  },
  "tipsHistory": {}
}""",
    "claude-desktop": b"""{
\t"globalShortcut": "Ctrl+Space",
\t"mcpServers": {
\t\t"filesystem": {
\t\t\t"command": "npx",
\t\t\t"args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/user/Documents"]
\t\t}
\t}
}
""",
    "cline": b'{"mcpServers":{"browser":{"command":"node","args":["b.js"],"autoApprove":[]}}}',
    "codex": b"""# How I like it
model = "gpt-5"
notify = [
  "python3", # ring the bell
  "/home/user/bell.py",
]

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]

  [mcp_servers.docs.env]
  TOKEN = '[not a table]'

[projects."/home/user/work"]
trust_level = "trusted"
# the end""",
    "cursor": b'\xef\xbb\xbf{\r\n  "mcpServers": {\r\n    "a": {"url": "http://a"}\r\n  }\r\n}',
    "gemini": b"""{
    "security": {"auth": {"selectedType": "oauth-personal"}}, // signed in
    "mcpServers": {
        /* the first one */
        "first": {"httpUrl": "http://localhost:3000/mcp", "trust": true}
    },
    "ui": {"theme": "Default"}
}
""",
    "goose": b"""GOOSE_PROVIDER: anthropic
extensions:
  # comes with goose
  developer:
    bundled: true
    enabled: true
    name: developer
    type: builtin
  fetch:
    args:
    - mcp-server-fetch
    cmd: uvx
    description: |
      # reads
      pages
    enabled: false
    envs: {}
    type: stdio

# my model
GOOSE_MODEL: claude
""",
    "opencode": b"""{
  "$schema": "https://opencode.ai/config.json",
  "model": "anthropic/claude", // the good one
  "mcp": {
    "weather": {
      "type": "local",
      "command": ["bun", "x", "weather"],
      "enabled": false,
    },
  },
}
""",
    "vscode": b"""{
\t// asked once
\t"inputs": [
\t\t{ "type": "promptString", "id": "key", "password": true },
\t],
\t"servers": {}
}
""",
    "windsurf": b'{ "mcpServers": { "remote": { "serverUrl": "https://example.com/mcp" } } }\n',
    "zed": b"""// Zed settings
//
// see the documentation
{
  "ui_font_size": 16,
  "theme": {
    "mode": "system",
    "light": "One Light",
    "dark": "One Dark",
  },
  "lsp": { "rust-analyzer": { "initialization_options": { "check": { "command": "clippy" } } } },
}
""",
}
ODD = [None, b"", b"\r\n"]


def data_of(client: Client, content: bytes) -> Any:
    """Read settings with a reader that we did not write, where there is one."""
    text = content.decode("utf-8-sig")
    if client.format == "toml":
        return tomllib.loads(text)
    if client.format == "yaml":
        return yaml.safe_load(text)
    return scan(text).value


def settings_file(folder: Path, client: Client, content: bytes | None) -> Path:
    path = folder / f"settings.{client.format}"
    path.unlink(missing_ok=True)
    backup_of(path).unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
    return path


def install(client: Client, path: Path, launch: Command | Address = COMMAND) -> Change:
    change = plan_install(client, path, client.entry(launch))
    apply(change)
    return change


def uninstall(client: Client, path: Path) -> Change:
    change = plan_uninstall(client, path)
    apply(change)
    return change


@pytest.mark.parametrize("key", BY_KEY)
@pytest.mark.parametrize("odd", [False, *ODD])
def test_a_client_is_as_it_was_after_both_commands(
    tmp_path: Path, key: str, odd: bytes | bool | None
) -> None:
    client = BY_KEY[key]
    content = SAMPLES[key] if odd is False else odd
    assert not isinstance(content, bool)
    path = settings_file(tmp_path, client, content)

    install(client, path, SET)
    assert data_of(client, path.read_bytes())[client.section]["zapomni"] == client.entry(SET)

    uninstall(client, path)
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [content] * (content is not None)


@pytest.mark.parametrize("key", BY_KEY)
def test_other_settings_of_a_client_mean_what_they_did(tmp_path: Path, key: str) -> None:
    client = BY_KEY[key]
    path = settings_file(tmp_path, client, SAMPLES[key])

    install(client, path)

    expected = data_of(client, SAMPLES[key])
    expected.setdefault(client.section, {})["zapomni"] = client.entry(COMMAND)
    assert data_of(client, path.read_bytes()) == expected


@pytest.mark.parametrize("key", BY_KEY)
def test_installing_twice_is_installing_once(tmp_path: Path, key: str) -> None:
    client = BY_KEY[key]
    path = settings_file(tmp_path, client, SAMPLES[key])
    install(client, path)
    once = {file: file.read_bytes() for file in tmp_path.iterdir()}

    change = install(client, path)

    assert change.kind == "none"
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == once


@pytest.mark.parametrize("key", BY_KEY)
def test_only_our_entry_goes_from_settings_that_have_changed_since(
    tmp_path: Path, key: str
) -> None:
    client = BY_KEY[key]
    path = settings_file(tmp_path, client, SAMPLES[key])
    install(client, path)
    remark = b"\n" + (b"// later\n" if client.format == "json" else b"# later\n")
    path.write_bytes(path.read_bytes() + remark)

    change = uninstall(client, path)

    assert change.kind == "remove"
    assert path.read_bytes().endswith(remark)
    assert data_of(client, path.read_bytes()) == data_of(client, SAMPLES[key])
    assert list(tmp_path.iterdir()) == [path]


@given(
    st.sampled_from(sorted(BY_KEY)),
    st.lists(st.sampled_from([COMMAND, SET, ADDRESS]), min_size=1, max_size=3),
    st.booleans(),
)
def test_any_row_of_installs_is_undone_by_one_uninstall(
    tmp_path_factory: pytest.TempPathFactory,
    key: str,
    launches: list[Command | Address],
    is_new: bool,
) -> None:
    client = BY_KEY[key]
    content = None if is_new else SAMPLES[key]
    path = settings_file(tmp_path_factory.mktemp("client"), client, content)

    for launch in launches:
        install(client, path, launch if client.http else COMMAND)
    uninstall(client, path)

    assert [file.read_bytes() for file in path.parent.iterdir()] == [content] * (not is_new)


def test_what_the_user_added_to_our_entry_stays_when_it_is_renewed(tmp_path: Path) -> None:
    client = BY_KEY["gemini"]
    old = {"command": "old", "args": [], "env": {"MINE": "1"}, "trust": True, "timeout": 9000}
    path = settings_file(tmp_path, client, json.dumps({"mcpServers": {"zapomni": old}}).encode())

    install(client, path, SET)

    assert data_of(client, path.read_bytes())["mcpServers"]["zapomni"] == {
        "command": SET.program,
        "args": ["--transport", "stdio"],
        "env": {"MINE": "1", **SET.variables},
        "trust": True,
        "timeout": 9000,
    }


def test_a_command_gives_way_to_an_address_completely(tmp_path: Path) -> None:
    client = BY_KEY["vscode"]
    path = settings_file(tmp_path, client, None)
    install(client, path, SET)

    install(client, path, ADDRESS)

    assert data_of(client, path.read_bytes())["servers"]["zapomni"] == {
        "type": "http",
        "url": ADDRESS.url,
        "headers": {"Authorization": "Bearer secret"},
    }


def test_an_entry_that_was_made_by_hand_goes_as_well(tmp_path: Path) -> None:
    client = BY_KEY["cursor"]
    content = b'{"mcpServers": {"zapomni": {"command": "by hand"}}}'
    path = settings_file(tmp_path, client, content)

    install(client, path)
    assert backup_of(path).read_bytes() == content

    uninstall(client, path)
    assert path.read_bytes() == b'{"mcpServers": {}}'


def test_a_copy_from_an_earlier_time_is_not_gone_back_to(tmp_path: Path) -> None:
    client = BY_KEY["cursor"]
    path = settings_file(tmp_path, client, b'{"mcpServers": {"old": {}}}')
    install(client, path)
    path.write_bytes(SAMPLES["cursor"])

    install(client, path)
    uninstall(client, path)

    assert path.read_bytes() == SAMPLES["cursor"]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path: Path) -> None:
    client = BY_KEY["zed"]
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles" / "zed.json"
    real.write_bytes(SAMPLES["zed"])
    real.chmod(0o640)
    path = tmp_path / "settings.json"
    path.symlink_to(real)

    install(client, path)
    assert path.is_symlink()
    assert b"zapomni" in real.read_bytes()
    assert real.stat().st_mode & 0o777 == 0o640
    assert backup_of(path).stat().st_mode & 0o777 == 0o640

    uninstall(client, path)
    assert path.is_symlink()
    assert real.read_bytes() == SAMPLES["zed"]
    assert [file.name for file in (tmp_path / "dotfiles").iterdir()] == ["zed.json"]


def test_new_settings_are_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mcp.json"

    install(BY_KEY["cursor"], path, ADDRESS)

    assert path.stat().st_mode & 0o777 == 0o600


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    client = BY_KEY["cursor"]
    path = settings_file(tmp_path, client, SAMPLES["cursor"])
    path.chmod(0o444)

    with pytest.raises(Unwritable):
        install(client, path)

    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == SAMPLES["cursor"]


@pytest.mark.parametrize("key", BY_KEY)
def test_settings_that_cannot_be_parsed_are_left_alone(tmp_path: Path, key: str) -> None:
    client = BY_KEY[key]
    content = SAMPLES[key] + b'\n"oops: ['
    path = settings_file(tmp_path, client, content)

    with pytest.raises(Unparsable):
        install(client, path)

    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == content


def test_settings_that_change_under_our_hands_are_left_alone(tmp_path: Path) -> None:
    client = BY_KEY["claude-code"]
    path = settings_file(tmp_path, client, SAMPLES["claude-code"])
    change = plan_install(client, path, client.entry(COMMAND))
    path.write_bytes(b"{}")

    with pytest.raises(Unwritable):
        apply(change)

    assert path.read_bytes() == b"{}"


@pytest.mark.parametrize("key", BY_KEY)
def test_an_address_is_written_where_a_client_takes_one(key: str) -> None:
    client = BY_KEY[key]
    if client.http is None:
        assert key == "claude-desktop"
        return

    entry = client.entry(ADDRESS)

    assert ADDRESS.url in entry.values()
    assert {"Authorization": "Bearer secret"} in entry.values()
