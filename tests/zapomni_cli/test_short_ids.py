"""Ids that are cut short, as people type them."""

import json
import uuid
from pathlib import Path

import pytest

from tests.folders import direct_client, keyspace_of
from tests.zapomni_cli.conftest import Terminal
from zapomni_core import load_settings

LUNCH = "The canteen has dumplings on Thursdays."
TEA = "Tea is served at five."


def make_alike(folder: Path, first: str, second: str) -> str:
    """Give the second memory an id that begins like the first one's, and return it."""
    new = uuid.UUID(first[:13].replace("-", "") + uuid.uuid4().hex[12:])
    change = f"MATCH (m:Memory {{id: '{uuid.UUID(second).hex}'}}) SET m.id = '{new.hex}'"
    with direct_client(folder) as client:
        client.execute_command("GRAPH.QUERY", keyspace_of(load_settings()).graph, change)
    return str(new)


@pytest.mark.parametrize("length", [8, 9, 13, 35, 36])
def test_the_beginning_of_an_id_names_a_memory(terminal: Terminal, length: int) -> None:
    (lunch, _) = terminal.remember(LUNCH, TEA)

    shown = json.loads(terminal.out("show", "--json", lunch[:length].upper()))

    assert shown["memory_id"] == lunch


def test_a_memory_can_be_changed_and_forgotten_by_the_beginning_of_its_id(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    lunch, tea = terminal.remember(LUNCH, TEA)
    monkeypatch.setenv("VISUAL", "sed -i s/five/six/")

    terminal.out("edit", lunch[:8], "--text", "The canteen is closed.")
    terminal.out("edit", tea[:8])
    forgotten = json.loads(terminal.out("forget", "--yes", "--json", lunch[:8], lunch))

    assert [each["memory_id"] for each in forgotten] == [lunch]
    assert json.loads(terminal.out("show", "--json", tea))["text"] == "Tea is served at six."


def test_forget_still_asks(terminal: Terminal) -> None:
    (lunch,) = terminal.remember(LUNCH)

    done = terminal.run("forget", lunch[:8], given="n\n")

    assert done.exit_code == 1
    assert f"{lunch}  {LUNCH}" in done.stderr
    assert lunch in terminal.out("list")


@pytest.mark.parametrize("command", ["show", "edit", "forget"])
def test_an_ambiguous_beginning_names_the_ids_and_no_text(
    terminal: Terminal, database_folder: Path, command: str
) -> None:
    options = {"edit": ["--text", "new"], "forget": ["--yes"]}.get(command, [])
    lunch, tea = terminal.remember(LUNCH, TEA)
    other = make_alike(database_folder, lunch, tea)

    done = terminal.run(command, lunch[:8], *options)

    assert done.exit_code == 1
    assert lunch in done.stderr
    assert other in done.stderr
    assert LUNCH not in done.output
    for memory_id, text in ((lunch, LUNCH), (other, TEA)):
        assert json.loads(terminal.out("show", "--json", memory_id))["text"] == text


@pytest.mark.parametrize("short", ["1234567", "-" * 8, "zzzzzzzz", "12345678*", "1" * 33, ""])
def test_what_cannot_begin_an_id_is_refused(terminal: Terminal, short: str) -> None:
    done = terminal.run("show", "--", short)

    assert done.exit_code == 1
    assert done.stderr.startswith("Error: memory_id ")
