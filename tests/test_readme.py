"""Every command of the README is run, in a home of its own."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from scripts.background import running_server
from tests.folders import processes_of
from tests.test_docs import ROOT, blocks, make_targets
from zapomni_cli.clients.checking import check
from zapomni_cli.clients.launch import Address, Command

README = ROOT / "README.md"
TIMEOUT_S = 100
ZAPOMNI = ".venv/bin/zapomni"
# Each has a test below, but the last: it fetches a linter from the network.
MADE = {"run", "test", "demo", "check"}
# What somebody has to end.
ENDLESS = {"watch"}
# Its lines are what a program prints, drawings, and settings.
NO_COMMANDS = {"text", "json"}


def shell_lines() -> list[str]:
    """Return the commands in blocks, with the remarks behind them."""
    lines = "".join(blocks(README, "sh") + blocks(README, "console")).splitlines()
    return [line.removeprefix("$ ") for line in lines]


def named_in_text() -> list[str]:
    """Return the commands that a sentence names."""
    prose = re.sub(r"^```.*?^```$", "", README.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`((?:make|zapomni|\.venv/bin/\S+) [^`]+)`", prose)


def commands_of(program: str) -> list[str]:
    return [line for line in shell_lines() if line.split()[0] == program]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a home that is a clone at the same time, with what the README speaks of."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "meeting.md").write_text("# Monday\n\nWe decided to sell tomatoes.\n")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "till.py").write_text("def pay(price):\n    return price\n")
    subprocess.run(["git", "init", "--quiet", tmp_path / "shop"], check=True, timeout=TIMEOUT_S)
    (tmp_path / ".cursor").mkdir()
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    # Whatever else listens on this machine.
    settings = {"ZAPOMNI_SSE_PORT": "0", "PYTHONUNBUFFERED": "1"}
    return {"HOME": str(home), "PATH": os.environ["PATH"], **settings}


def run(home: Path, line: str) -> str:
    """Return what a command prints that ends well."""
    done = subprocess.run(
        ["sh", "-c", line],
        cwd=home,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, (line, done.stdout, done.stderr)
    return done.stdout


def run_until_ready(home: Path, line: str) -> str:
    """Return what a command prints that is ended with Ctrl+C once it says how."""
    printed = ""
    with subprocess.Popen(
        ["sh", "-c", f"exec {line}"],
        cwd=home,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for told in process.stdout:
            printed += told
            if "Ctrl+C" in told:
                process.send_signal(signal.SIGINT)
    assert process.returncode == 0, (line, printed)
    return printed


def make(target: str) -> list[str | Path]:
    """Return the command that makes a target with what is installed, whatever is older."""
    ready = ["-o", ".venv/.ready", f"RUN={sys.executable}"]
    return ["make", "--no-print-directory", "-C", ROOT, *ready, target]


def made(target: str, home: Path, **variables: str) -> str:
    done = subprocess.run(
        make(target),
        env=environment(home) | variables,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_command_is_run_by_a_test() -> None:
    fences = re.findall(r"^```(.+)$", README.read_text("utf-8"), re.MULTILINE)
    programs = {line.split()[0] for line in shell_lines()}
    targets = {line.split()[1] for line in shell_lines() + named_in_text() if "make " in line}

    assert set(fences) - NO_COMMANDS <= {"sh", "console"}
    assert programs == {"make", ZAPOMNI}
    assert targets == MADE
    assert make_targets() >= MADE


@pytest.mark.timeout(240)
def test_the_commands_in_blocks_do_what_they_say(home: Path) -> None:
    printed = {}
    for line in commands_of(ZAPOMNI):
        name = line.split()[1]
        printed[name] = (run_until_ready if name in ENDLESS else run)(home, line)

    assert "1 file added" in printed["add"]
    assert "tomatoes" in printed["search"]
    (backup,) = (home / ".local" / "share" / "zapomni" / "backups").glob("*.tar")
    assert backup.name in printed["backup"]
    assert "database" in printed["doctor"]
    assert "1 files read" in printed["index"]
    assert "1 unchanged" in printed["watch"]
    assert (home / "shop" / ".git" / "hooks" / "post-commit").exists()


def test_the_commands_in_sentences_exist_and_install_connects_a_client(home: Path) -> None:
    named = [line.removeprefix(".venv/bin/") for line in named_in_text()]
    words = {line.split()[1] for line in named if line.startswith("zapomni ")}

    for word in words:
        run(home, f"{ZAPOMNI} {word} --help")
    run(home, f"{ZAPOMNI} install")

    assert "install" in words
    assert "zapomni" in (home / ".cursor" / "mcp.json").read_text("utf-8")


def settings_of(block: int) -> dict[str, str]:
    (server,) = json.loads(blocks(README, "json")[block])["mcpServers"].values()
    assert isinstance(server, dict)
    return server


def test_the_server_that_a_client_is_told_to_start_offers_its_tools(home: Path) -> None:
    server = settings_of(1)
    program = server["command"].replace("/path/to/zapomni", str(home))

    answer = check(Command(program, tuple(server["args"]), environment(home)))

    assert answer.tools > 0


def test_make_run_shows_how_to_connect_and_serves_there(tmp_path: Path) -> None:
    with running_server(make("run"), tmp_path) as server:
        answer = check(Address(server.url + urlsplit(settings_of(0)["url"]).path))
        started = processes_of(tmp_path)
    _, left = psutil.wait_procs(started, TIMEOUT_S)

    # The port is the only thing that the server was told to do otherwise.
    shown = blocks(README, "json")[0].replace(":8000/", ":0/")
    assert shown in (tmp_path / "server.log").read_text("utf-8")
    assert answer.tools > 0
    assert started
    assert not left


def test_make_demo_prints_what_is_shown(tmp_path: Path) -> None:
    def without_scores(text: str) -> str:
        return re.sub(r"\[\d\.\d\d\]", "[score]", text)

    shown = blocks(README, "text")[0]

    assert without_scores(made("demo", tmp_path)) == without_scores(shown)


def test_make_test_runs_tests(tmp_path: Path) -> None:
    printed = made("test", tmp_path, PYTEST_ADDOPTS="tests/test_public_api.py")

    assert re.search(r"^\d+ passed", printed, re.MULTILINE)
