"""The hooks of Claude Code: in its settings, and as the host runs them."""

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.zapomni_cli.conftest import Terminal
from zapomni_cli.clients.changes import apply
from zapomni_cli.clients.errors import ConfigProblem
from zapomni_cli.clients.files import backup_of
from zapomni_cli.clients.launch import Command
from zapomni_cli.clients.session_hooks import plan_hooks, plan_without_hooks, session_hooks

TIMEOUT_S = 60
HOOKS = session_hooks(Command("zapomni-mcp", (), {"ZAPOMNI_DATA_DIR": "/a b/c"}))
OTHERS = b"""{
  // mine
  "model": "opus",
  "hooks": {
    "SessionStart": [
      // first of all
      {"hooks": [{"type": "command", "command": "date"}]}, /* and */
    ],
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
  },
}
"""
FILES = [
    b"",
    b"{}",
    b"{}\n",
    b'{"model": "opus"}',
    b'{\r\n\t"model": "opus"\r\n}\r\n',
    b'\xef\xbb\xbf{"hooks": {}}',
    b'{"hooks": {"SessionStart": [], "PreCompact": []}}',
    b'{"hooks":{"PreCompact":[{"matcher":"auto","hooks":[{"type":"command","command":"x"}]}]}}',
    OTHERS,
]


def parsed(content: bytes) -> Any:
    from zapomni_cli.clients.json_text import parse

    return parse(content.decode("utf-8-sig"))


@pytest.mark.parametrize("before", [None, *FILES])
def test_hooks_go_in_beside_others_and_out_again_byte_for_byte(
    tmp_path: Path, before: bytes | None
) -> None:
    path = tmp_path / "settings.json"
    if before is not None:
        path.write_bytes(before)

    apply(plan_hooks(path, HOOKS))
    written = parsed(path.read_bytes())
    again = plan_hooks(path, HOOKS)

    assert [written["hooks"][event][0] for event in HOOKS] == list(HOOKS.values())
    assert again.kind == "none"
    if before:
        assert {**parsed(before), "hooks": None} == {**written, "hooks": None}
        for event, groups in parsed(before).get("hooks", {}).items():
            assert [each for each in written["hooks"][event] if each in groups] == groups

    apply(plan_without_hooks(path))

    assert (path.read_bytes() if path.exists() else None) == before
    assert not backup_of(path).exists()


@pytest.mark.parametrize("before", [content for content in FILES if content])
def test_what_the_user_has_changed_since_stays(tmp_path: Path, before: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(before)
    apply(plan_hooks(path, HOOKS))
    changed = path.read_bytes().rstrip()
    path.write_bytes(changed + b"\n// changed\n")

    apply(plan_without_hooks(path))

    left = {event: groups for event, groups in parsed(before).get("hooks", {}).items() if groups}
    found = parsed(path.read_bytes())
    assert found.get("hooks", {}) == left
    assert {**found, "hooks": None} == {**parsed(before), "hooks": None}
    assert b"// changed" in path.read_bytes()
    if before == OTHERS:
        assert all(remark in path.read_bytes() for remark in (b"// mine", b"// first of all"))


def test_another_installation_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(OTHERS)
    older = session_hooks(Command("zapomni-mcp", (), {"ZAPOMNI_DATA_DIR": "/old"}))
    apply(plan_hooks(path, older))

    apply(plan_hooks(path, HOOKS))

    assert b"/old" not in path.read_bytes()
    assert len(parsed(path.read_bytes())["hooks"]["SessionStart"]) == 2
    apply(plan_without_hooks(path))
    assert path.read_bytes() == OTHERS


@pytest.mark.parametrize(
    "broken", [b"[]", b"{", b'{"hooks": 1}', b'{"hooks": {"SessionStart": 1}}']
)
def test_settings_of_another_form_are_left_alone(tmp_path: Path, broken: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(broken)

    with pytest.raises(ConfigProblem):
        plan_hooks(path, HOOKS)

    assert path.read_bytes() == broken


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give Claude Code a home."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / ".claude").mkdir()
    return tmp_path / ".claude" / "settings.json"


def test_install_adds_hooks_if_they_are_asked_for(terminal: Terminal, claude: Path) -> None:
    terminal.run("install", "claude-code")
    assert not claude.exists()

    done = terminal.run("install", "claude-code", "--hooks")

    assert done.exit_code == 0, done.output
    assert parsed(claude.read_bytes())["hooks"].keys() == {"SessionStart", "PreCompact"}
    assert terminal.run("uninstall", "claude-code").exit_code == 0
    assert not claude.exists()


def test_hooks_are_for_one_client(terminal: Terminal, claude: Path) -> None:
    (claude.parents[1] / ".cursor").mkdir()

    done = terminal.run("install", "cursor", "--hooks")

    assert done.exit_code == 2
    assert "claude-code" in done.stderr


def hook(event: str, told: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a hook as the host does: through a shell, with what it has to say."""
    line = HOOKS[event]["hooks"][0]["command"]
    program = shlex.split(line)[2:]
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        ["sh", "-c", shlex.join(program)],
        env={**kept, **settings},
        input=told if isinstance(told, str) else json.dumps(told),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def settings_of_test() -> dict[str, str]:
    return {name: os.environ[name] for name in ("ZAPOMNI_DATA_DIR", "GRAPH_NAME")}


def test_a_session_begins_with_pinned_memories_and_those_of_the_project(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.remember("Reviews are on Mondays.", pinned=True, timestamp="2020-01-01T00:00:00Z")
    terminal.remember(
        "Deploy with make ship.", folder=str(tmp_path), timestamp="2021-01-01T00:00:00Z"
    )
    terminal.remember("Dumplings are for lunch.")

    done = hook("SessionStart", {"cwd": str(tmp_path), "source": "startup"}, **settings_of_test())

    assert (done.returncode, done.stderr) == (0, "")
    places = [done.stdout.index(word) for word in ("Reviews", "Deploy", "Dumplings")]
    assert places == sorted(places)


def test_a_briefing_keeps_to_its_budget(terminal: Terminal, tmp_path: Path) -> None:
    terminal.remember(*(f"Memory number {number} of a great many." for number in range(30)))

    small = json.loads(terminal.out("brief", "--json", "--budget", "60", "--folder", tmp_path))
    large = json.loads(terminal.out("brief", "--json", "--folder", tmp_path))

    assert len(small["text"]) <= 60 * 4
    assert 0 < len(small["memory_ids"]) < len(large["memory_ids"]) == 30


def test_a_memory_without_anything_has_no_briefing(terminal: Terminal, tmp_path: Path) -> None:
    del terminal

    done = hook("SessionStart", {"cwd": str(tmp_path)}, **settings_of_test())

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("SessionStart", ""),
        ("SessionStart", '{"cwd": 1}'),
        ("PreCompact", ""),
        ("PreCompact", "not JSON"),
        ("PreCompact", "[]"),
        ("PreCompact", '{"transcript_path": "/no/such/file"}'),
    ],
)
def test_a_hook_never_fails(tmp_path: Path, event: str, told: str) -> None:
    (tmp_path / "file").write_text("")

    done = hook(event, told, ZAPOMNI_DATA_DIR=str(tmp_path / "file"))

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def transcript(path: Path, *texts: str) -> Path:
    lines = [
        {
            "type": "user" if number % 2 == 0 else "assistant",
            "uuid": f"00000000-0000-4000-8000-{number:012d}",
            "sessionId": "s-1",
            "timestamp": f"2026-01-01T10:{number:02d}:00Z",
            "message": {"role": "user", "content": text},
        }
        for number, text in enumerate(texts)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_saving_a_session_again_adds_only_what_is_new(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "s-1.jsonl"
    transcript(path, "Let us use PostgreSQL for billing.", "Good, invoices need transactions.")

    first = json.loads(terminal.out("save-session", "--json", path))
    transcript(
        path,
        "Let us use PostgreSQL for billing.",
        "Good, invoices need transactions.",
        "And Redis for the queue of mails.",
    )
    again = json.loads(terminal.out("save-session", "--json", path))

    assert (first["added"], again["added"], again["present"]) == (2, 1, 2)
    assert json.loads(terminal.out("list", "--json"))["total"] == 3


def test_the_host_does_not_wait_for_a_session_to_be_saved(
    terminal: Terminal, tmp_path: Path
) -> None:
    path = transcript(tmp_path / "s-1.jsonl", "Let us use PostgreSQL for billing.")

    done = hook("PreCompact", {"transcript_path": str(path)}, **settings_of_test())

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for _ in range(100):
        if json.loads(terminal.out("list", "--json"))["total"] == 1:
            break
    else:
        pytest.fail("nothing was saved")


def test_a_session_has_to_be_named(terminal: Terminal) -> None:
    assert terminal.run("save-session").exit_code == 2
