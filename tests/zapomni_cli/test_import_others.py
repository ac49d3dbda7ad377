"""`zapomni import` of what other programs have, as a person runs it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.folders import running_database
from tests.zapomni_cli.test_add import stored
from tests.zapomni_cli.test_keeping_commands import exported, zapomni
from tests.zapomni_core.importing.exports import claude_code_record, write_json, write_lines
from zapomni_cli.importing import EXTRAS, PROGRAMS
from zapomni_core.importing import Extra, ImportKind


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    with running_database(tmp_path / "memory") as folder:
        yield folder


@pytest.fixture
def export(tmp_path: Path) -> Path:
    given = [{"id": "a", "memory": "Likes tea."}, {"id": "b", "memory": "Lives in Lisbon."}]
    return write_json(tmp_path / "export.json", {"results": given})


def test_the_programs_and_parts_are_those_that_can_be_read() -> None:
    assert sorted(PROGRAMS) == sorted(map(str, ImportKind))
    assert sorted(EXTRAS) == sorted(map(str, Extra))


def test_an_export_of_another_program_is_recognized_and_comes_in_once(
    memory: Path, export: Path
) -> None:
    rehearsed = zapomni(memory, "import", export, "--dry-run", "--json")
    first = zapomni(memory, "import", export, "--json")
    again = zapomni(memory, "import", export)

    assert json.loads(rehearsed.stdout)["added"] == json.loads(first.stdout)["added"] == 2
    assert json.loads(first.stdout)["kind"] == "mem0"
    assert b"0 memories added, 2 were here already" in again.stdout
    assert {line["text"] for line in stored(memory)} == {"Likes tea.", "Lives in Lisbon."}


def test_our_own_export_is_recognized_as_well(memory: Path, export: Path, tmp_path: Path) -> None:
    zapomni(memory, "import", export)
    ours = tmp_path / "ours.jsonl"
    ours.write_bytes(exported(memory))

    done = zapomni(tmp_path / "other", "import", ours, "--json")

    assert json.loads(done.stdout)["added"] == 2
    assert exported(tmp_path / "other") == ours.read_bytes()


def test_sessions_on_this_machine_are_found_and_imported(memory: Path, tmp_path: Path) -> None:
    records = [
        claude_code_record("a", "user", "Fix the leak."),
        claude_code_record("b", "assistant", "Done."),
    ]
    write_lines(tmp_path / "claude" / "projects" / "boat" / "s1.jsonl", records)

    done = zapomni(
        memory,
        "import",
        "--from",
        "claude-code",
        "--json",
        CLAUDE_CONFIG_DIR=str(tmp_path / "claude"),
    )

    (report,) = json.loads(done.stdout)
    assert (report["kind"], report["added"]) == ("claude-code", 2)


def test_what_is_not_there_or_unknown_is_refused_in_one_line(memory: Path, tmp_path: Path) -> None:
    nothing = zapomni(memory, "import", "--from", "codex", CODEX_HOME=str(tmp_path / "none"))
    strange = write_json(tmp_path / "strange.json", {"a": 1})
    unknown = zapomni(memory, "import", strange)

    assert nothing.returncode == unknown.returncode == 1
    assert b"codex" in nothing.stderr
    assert b"known kind" in unknown.stderr
    assert b"Traceback" not in nothing.stderr + unknown.stderr


def test_what_could_not_be_imported_is_named(memory: Path, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Tall."]}
    path.write_text(f"{json.dumps(entity)}\n{{broken\n")

    done = zapomni(memory, "import", path)

    assert done.returncode == 1
    assert b"Not imported: " in done.stderr
    assert stored(memory)
