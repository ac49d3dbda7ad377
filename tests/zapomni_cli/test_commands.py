"""The commands together: help, mistakes, completion, colours, and how little they import."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from zapomni_cli.commands import zapomni

TIMEOUT_S = 60
HEAVY = ("zapomni_core", "zapomni_db", "zapomni_mcp", "pydantic", "numpy", "redis", "asyncio")
# These print a script, serve or watch until they are ended, or write the data itself.
WITHOUT_JSON = {"completion", "export", "serve", "watch"}


def names() -> list[str]:
    return zapomni.list_commands(click.Context(zapomni))


def every_command() -> list[tuple[str, click.Command]]:
    """List the commands, and those inside of groups."""
    found: list[tuple[str, click.Command]] = []
    for name in names():
        command = zapomni.get_command(click.Context(zapomni), name)
        assert command is not None
        if isinstance(command, click.Group):
            found += [(f"{name} {inner}", each) for inner, each in command.commands.items()]
        else:
            found.append((name, command))
    return found


def options_of(command: click.Command) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}


def python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def test_no_command_imports_the_engine_before_it_is_needed() -> None:
    program = f"""
import sys, click
from zapomni_cli.commands import zapomni
for name in zapomni.list_commands(click.Context(zapomni)):
    zapomni.get_command(click.Context(zapomni), name)
    found = [each for each in {HEAVY!r} if each in sys.modules]
    assert not found, (name, found)
"""
    done = python(program)

    assert done.returncode == 0, done.stderr


def test_a_search_does_without_the_driver_for_servers(tmp_path: Path) -> None:
    program = """
import sys
from click.testing import CliRunner
from zapomni_cli.commands import zapomni
done = CliRunner().invoke(zapomni, ["search", "otters"])
assert done.exit_code == 0, done.output
print(*sys.modules)
"""
    done = python(program, ZAPOMNI_DATA_DIR=str(tmp_path))

    assert done.returncode == 0, done.stderr
    assert "zapomni_db.store" in done.stdout.split()
    assert "redis" not in done.stdout.split()


@pytest.mark.parametrize(("name", "command"), every_command())
def test_every_command_has_help(name: str, command: click.Command) -> None:
    shown = CliRunner().invoke(zapomni, [*name.split(), "--help"])

    assert shown.exit_code == 0, shown.output
    assert command.help
    for parameter in command.params:
        assert not isinstance(parameter, click.Option) or parameter.help, parameter.name


@pytest.mark.parametrize(
    ("name", "command"), [pair for pair in every_command() if pair[0] not in WITHOUT_JSON]
)
def test_every_command_can_print_json(name: str, command: click.Command) -> None:
    assert "--json" in options_of(command), name


def test_a_misspelt_command_is_guessed() -> None:
    done = CliRunner().invoke(zapomni, ["serch", "x"])

    assert done.exit_code == 2
    assert "Did you mean 'search'?" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_completion_prints_the_script_of_a_shell(shell: str) -> None:
    done = CliRunner().invoke(zapomni, ["completion", shell])

    assert done.exit_code == 0, done.output
    assert "_ZAPOMNI_COMPLETE" in done.stdout
    assert "zapomni" in done.stdout


def test_an_unknown_shell_is_refused() -> None:
    assert CliRunner().invoke(zapomni, ["completion", "cmd"]).exit_code == 2


@pytest.mark.parametrize(
    ("typed", "place", "expected"),
    [
        ("zapomni se", 1, {"search", "serve"}),
        ("zapomni search --wor", 2, {"--workspace"}),
        ("zapomni jobs ca", 2, {"cancel"}),
        ("zapomni list --order old", 3, {"oldest"}),
    ],
)
def test_a_shell_completes_commands_and_options(
    typed: str, place: int, expected: set[str]
) -> None:
    done = python(
        "from zapomni_cli.__main__ import main; main()",
        _ZAPOMNI_COMPLETE="bash_complete",
        COMP_WORDS=typed,
        COMP_CWORD=str(place),
    )

    assert {line.partition(",")[2] for line in done.stdout.splitlines()} == expected


def test_the_script_works_in_bash(tmp_path: Path) -> None:
    # Under the name that the shell completes.
    (tmp_path / "zapomni").write_text(f'#!/bin/sh\nexec {sys.executable} -m zapomni_cli "$@"\n')
    (tmp_path / "zapomni").chmod(0o700)
    program = """
eval "$(zapomni completion bash)"
COMP_WORDS=(zapomni unin) COMP_CWORD=1
_zapomni_completion zapomni
echo "${COMPREPLY[@]}"
"""
    kept = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "HOME": str(tmp_path)}

    done = subprocess.run(
        ["bash", "-c", program],
        env=kept,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )

    assert done.stdout.strip() == "uninstall", done.stderr


def in_a_terminal(*arguments: str, **environment: str) -> str:
    """Run a command with a terminal around it, and return what it shows."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "zapomni_cli", *arguments],
        env={**kept, "TERM": "xterm", **environment},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # how Linux says that the other end was closed
        pass
    finally:
        os.close(ours)
    process.wait(TIMEOUT_S)
    return shown.decode()


def test_colours_are_for_terminals_that_want_them(tmp_path: Path) -> None:
    wrong = {"ZAPOMNI_DATA_DIR": str(tmp_path / "none"), "FALKORDB_PORT": "x"}

    coloured = in_a_terminal("doctor", **wrong)
    plain = in_a_terminal("doctor", NO_COLOR="1", **wrong)

    assert "\x1b[31m" in coloured
    assert "problem" in plain
    assert "\x1b[" not in plain


def test_progress_is_shown_in_a_terminal(tmp_path: Path) -> None:
    source = tmp_path / "project"
    source.mkdir()
    (source / "tool.py").write_text("def hammer(nail):\n    return nail\n")

    shown = in_a_terminal(
        *("index", "--quick", str(source)), ZAPOMNI_DATA_DIR=str(tmp_path / "memory")
    )

    assert "Reading" in shown
    assert "100%" in shown
