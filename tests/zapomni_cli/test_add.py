"""`zapomni add` as a person runs it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.folders import running_database
from tests.zapomni_cli.test_keeping_commands import exported, zapomni
from tests.zapomni_core.documents.files import pdf

NOTE = "# Boats\n\nThe blue boat belongs to Lena.\n\n## Oars\n\nThe oars are in the shed."


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    with running_database(tmp_path / "memory") as folder:
        yield folder


def stored(memory: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in exported(memory).splitlines()]
    return [line for line in lines if "text" in line]


def test_a_text_is_stored_once(memory: Path) -> None:
    first = zapomni(memory, "add", "Maria likes green tea", "--tag", "tea", "--source", "me")
    again = zapomni(memory, "add", "Maria", "likes", "green", "tea", "--json", "--source", "me")

    assert first.returncode == 0, first.stderr
    assert json.loads(again.stdout)["is_duplicate"]
    (memory_line,) = stored(memory)
    assert (memory_line["text"], memory_line["source"]) == ("Maria likes green tea", "me")


def test_files_and_folders_are_read_and_accounted_for(memory: Path, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "note.md").write_text(NOTE)
    (folder / "plan.pdf").write_bytes(pdf([["First the keel."], ["Then the mast."]]))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")

    done = zapomni(memory, "add", folder, "--json")
    again = zapomni(memory, "add", folder / "note.md", folder / "plan.pdf")

    assert done.returncode == 1
    assert b"broken.pdf" in done.stderr
    assert b"Traceback" not in done.stderr
    told = json.loads(done.stdout)
    assert (told["added"], told["failed"], told["memories_added"]) == (2, 1, 4)
    assert again.returncode == 0, again.stderr
    assert b"2 unchanged" in again.stdout
    assert len(stored(memory)) == 4


def test_standard_input_is_a_text_or_a_document(memory: Path) -> None:
    text = zapomni(memory, "add", "-", given=b"The ferry leaves at seven.\n")
    document = zapomni(memory, "add", "-", "--name", "boats.md", "--json", given=NOTE.encode())

    assert text.returncode == document.returncode == 0
    assert json.loads(document.stdout)["memories_added"] == 2
    assert {line["source"] for line in stored(memory)} == {"", "boats.md"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.md"],
        ["./missing"],
        ["-", "other"],
        ["a text", "--name", "x.md", "--source", "y"],
        [],
    ],
)
def test_what_was_mistyped_is_no_memory(memory: Path, arguments: list[str]) -> None:
    done = zapomni(memory, "add", *arguments)

    assert done.returncode in (1, 2)
    assert b"Traceback" not in done.stderr
    assert not stored(memory)


def test_files_that_are_gone_are_named_and_forgotten_on_request(
    memory: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "note.md").write_text(NOTE)
    (folder / "other.md").write_text("# Nets\n\nThe nets are dry.")
    zapomni(memory, "add", folder)
    (folder / "note.md").unlink()

    again = zapomni(memory, "add", folder)
    refused = zapomni(memory, "forget", "--gone", folder, given=b"n\n")
    kept = len(stored(memory))
    done = zapomni(memory, "forget", "--gone", folder, "--yes")
    nothing = zapomni(memory, "forget", "--gone", folder)

    assert again.returncode == 0, again.stderr
    assert f"Gone: {folder / 'note.md'}".encode() in again.stdout
    assert b"zapomni forget --gone FOLDER" in again.stdout
    assert refused.returncode == 1
    assert f"Gone: {folder / 'note.md'}".encode() in refused.stderr
    assert kept == 3
    assert done.stdout == b"2 memories deleted.\n"
    assert [line["source"] for line in stored(memory)] == [str(folder / "other.md")]
    assert b"Nothing is stored of files that are gone" in nothing.stdout


def test_new_tags_of_an_unchanged_file_are_added(memory: Path, tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(NOTE)
    zapomni(memory, "add", path, "--tag", "boats")

    again = zapomni(memory, "add", path, "--tag", "summer")

    assert b"1 unchanged" in again.stdout
    assert b"2 given tags" in again.stdout
    assert [line["tags"] for line in stored(memory)] == [["boats", "summer"]] * 2


@pytest.mark.parametrize(
    "arguments", [["--gone", "x", "--all"], ["--gone", "x", "--erase"], ["an-id", "--gone", "x"]]
)
def test_gone_files_are_forgotten_by_themselves(memory: Path, arguments: list[str]) -> None:
    done = zapomni(memory, "forget", *arguments)

    assert done.returncode == 2
    assert b"--gone" in done.stderr


def test_nothing_is_no_folder(memory: Path) -> None:
    done = zapomni(memory, "add", "")

    assert done.returncode == 1
    assert b"text" in done.stderr
    assert stored(memory) == []
