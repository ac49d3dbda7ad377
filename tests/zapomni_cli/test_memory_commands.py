"""The commands that look at, change and delete memories, as a person runs them."""

import json
import uuid
from pathlib import Path

import pytest

from tests.zapomni_cli.conftest import Terminal
from zapomni_core import CLEAR_PHRASE

BILLING = "We chose PostgreSQL over MongoDB for billing because invoices need transactions."
LUNCH = "The canteen has dumplings on Thursdays."


def listed(terminal: Terminal) -> set[str]:
    page = json.loads(terminal.out("list", "--json"))
    return {memory["memory_id"] for memory in page["memories"]}


def test_search_shows_the_best_answer_first_with_its_id(terminal: Terminal) -> None:
    billing, _ = terminal.remember(BILLING, LUNCH, source="standup", tags=["work"])

    head, text, memory_id, *_ = terminal.out("search", "why", "not", "MongoDB").splitlines()

    assert "standup" in head
    assert "#work" in head
    assert text.strip() == BILLING
    assert memory_id.strip() == billing


def test_search_as_json_has_what_the_tool_answers(terminal: Terminal) -> None:
    (billing,) = terminal.remember(BILLING)

    found = json.loads(terminal.out("search", "--json", "--explain", "MongoDB"))

    assert found.keys() == {"results", "notice", "is_confident"}
    (hit,) = found["results"]
    assert hit["memory_id"] == billing
    assert hit["why"]["matched_words"]


def test_nothing_found_is_said_and_no_error(terminal: Terminal) -> None:
    terminal.remember(BILLING)

    done = terminal.run("search", "anything", "--source", "nobody")

    assert done.exit_code == 0
    assert "Nothing was found" in done.stdout


def test_search_can_be_narrowed(terminal: Terminal) -> None:
    terminal.remember(BILLING, tags=["work"])
    (lunch,) = terminal.remember(LUNCH, tags=["food"])

    found = json.loads(terminal.out("search", "--json", "--tag", "food", "billing"))
    none = json.loads(terminal.out("search", "--json", "--date-to", "2001-01-01", "billing"))

    assert [hit["memory_id"] for hit in found["results"]] == [lunch]
    assert none["results"] == []


def test_what_a_memory_says_is_not_obeyed_by_the_terminal(terminal: Terminal) -> None:
    (memory,) = terminal.remember("dumplings \x1b[31mred\x1b[0m \x07bell \u202eback")

    for told in (
        terminal.out("search", "dumplings"),
        terminal.out("list"),
        terminal.out("show", memory),
    ):
        assert not set("\x1b\x07\u202e") & set(told)
        assert "red" in told


def test_a_wrong_limit_is_refused_in_one_line(terminal: Terminal) -> None:
    done = terminal.run("search", "--limit", "0", "x")

    assert done.exit_code == 1
    assert done.stderr.startswith("Error: limit ")
    assert done.stderr.count("\n") == 1


def test_list_goes_page_by_page(terminal: Terminal) -> None:
    stored = terminal.remember(*(f"Memory number {number} of a few." for number in range(5)))

    first = json.loads(terminal.out("list", "--json", "--limit", "3", "--order", "first_added"))
    rest = json.loads(
        terminal.out(
            *("list", "--json", "--limit", "3", "--order", "first_added"),
            *("--cursor", first["next_cursor"]),
        )
    )

    shown = [each["memory_id"] for each in (*first["memories"], *rest["memories"])]
    assert shown == stored
    assert rest["next_cursor"] is None
    assert f"--cursor {first['next_cursor']}" in terminal.out(
        "list", "--limit", "3", "--order", "first_added"
    )


def test_an_empty_memory_is_listed_without_a_mistake(terminal: Terminal) -> None:
    assert "No memories match" in terminal.out("list")


def test_show_prints_the_whole_text(terminal: Terminal) -> None:
    (memory,) = terminal.remember("First line.\nSecond line.", source="diary")

    told = terminal.out("show", memory)

    assert "First line.\nSecond line." in told
    assert "diary" in told
    details = json.loads(terminal.out("show", "--json", memory))
    assert {"memory_id", "text", "history", "metadata", "created_at"} <= details.keys()


@pytest.mark.parametrize("command", ["show", "edit", "forget"])
def test_an_unknown_id_leads_to_the_list(terminal: Terminal, command: str) -> None:
    options = {"edit": ["--text", "new"], "forget": ["--yes"]}.get(command, [])

    done = terminal.run(command, str(uuid.uuid4()), *options)

    assert done.exit_code == 1
    assert "`zapomni list`" in done.stderr


def test_edit_keeps_what_was_said_before(terminal: Terminal) -> None:
    (memory,) = terminal.remember(LUNCH, tags=["food"])

    changed = json.loads(
        terminal.out(
            *("edit", memory, "--json", "--text", "The canteen is closed.", "--pin"),
            *("--set", "floor=3", "--set", "note=plain words"),
        )
    )

    details = json.loads(terminal.out("show", "--json", memory))
    assert changed["is_changed"]
    assert details["text"] == "The canteen is closed."
    assert [version["text"] for version in details["history"]] == [LUNCH]
    assert details["tags"] == ["food"]
    assert details["is_pinned"]
    assert (details["metadata"]["floor"], details["metadata"]["note"]) == (3, "plain words")
    assert LUNCH in terminal.out("show", "--history", memory)


def test_edit_opens_the_editor(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (memory,) = terminal.remember(LUNCH)
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/Thursdays/Fridays/ "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))

    terminal.out("edit", memory)

    assert "Fridays" in terminal.out("show", memory)


def test_an_editor_that_changes_nothing_changes_nothing(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    (memory,) = terminal.remember(LUNCH)
    monkeypatch.setenv("VISUAL", "true")

    done = terminal.run("edit", memory)

    assert (done.exit_code, done.stdout) == (0, "")
    assert json.loads(terminal.out("show", "--json", memory))["history"] == []


def test_edit_reads_a_text_from_standard_input(terminal: Terminal) -> None:
    (memory,) = terminal.remember(LUNCH)

    terminal.run("edit", memory, "--text", "-", given="Piped in.\n")

    assert json.loads(terminal.out("show", "--json", memory))["text"] == "Piped in."


def test_an_assignment_needs_a_name(terminal: Terminal) -> None:
    assert terminal.run("edit", str(uuid.uuid4()), "--set", "nothing").exit_code == 2


def test_forget_deletes_nothing_without_a_yes(terminal: Terminal) -> None:
    stored = terminal.remember(BILLING, LUNCH)

    refused = terminal.run("forget", *stored, given="n\n")
    silent = terminal.run("forget", *stored)

    assert refused.exit_code == silent.exit_code == 1
    assert LUNCH in refused.stderr
    assert listed(terminal) == set(stored)


def test_forget_deletes_those_that_are_named(terminal: Terminal) -> None:
    billing, lunch = terminal.remember(BILLING, LUNCH)

    deleted = json.loads(terminal.out("forget", "--yes", "--json", lunch, lunch))

    assert [each["memory_id"] for each in deleted] == [lunch]
    assert listed(terminal) == {billing}


def test_forget_deletes_nothing_if_one_of_the_ids_is_wrong(terminal: Terminal) -> None:
    stored = terminal.remember(BILLING, LUNCH)

    done = terminal.run("forget", "--yes", *stored, str(uuid.uuid4()))

    assert done.exit_code == 1
    assert listed(terminal) == set(stored)


@pytest.mark.parametrize("said", ["yes\n", f"{CLEAR_PHRASE.lower()}\n", ""])
def test_all_goes_only_with_the_phrase(terminal: Terminal, said: str) -> None:
    stored = terminal.remember(BILLING, LUNCH)

    done = terminal.run("forget", "--all", "--yes", given=said)

    assert done.exit_code == 1
    assert listed(terminal) == set(stored)


def test_all_goes_after_the_phrase(terminal: Terminal) -> None:
    terminal.remember(BILLING, LUNCH)

    done = terminal.run("forget", "--all", given=f"{CLEAR_PHRASE}\n")

    assert done.exit_code == 0, done.output
    assert "2 memories deleted" in done.stdout
    assert listed(terminal) == set()


def test_forget_wants_to_know_what(terminal: Terminal) -> None:
    assert terminal.run("forget").exit_code == 2
    assert terminal.run("forget", "--all", str(uuid.uuid4())).exit_code == 2


def test_stats_count(terminal: Terminal) -> None:
    terminal.remember(BILLING, LUNCH)

    assert json.loads(terminal.out("stats", "--json"))["total_memories"] == 2
    assert "memories" in terminal.out("stats")


def test_related_tells_what_memories_say_of_a_person(terminal: Terminal) -> None:
    terminal.remember("Alice Novak works at Initech in Prague.")
    terminal.read_for_the_graph()

    told = terminal.out("related", "Alice", "Novak")
    unknown = terminal.out("related", "Nobody Known")

    assert "Initech" in told
    assert "Nothing is known" in unknown
    known = json.loads(terminal.out("related", "--json", "Alice Novak"))
    assert known["entity"]["name"] == "Alice Novak"


def test_what_is_no_number_in_json_is_a_text(terminal: Terminal) -> None:
    (memory_id,) = terminal.remember(LUNCH)

    terminal.out("edit", memory_id, "--set", "z=NaN")

    assert json.loads(terminal.out("show", memory_id, "--json"))["metadata"]["z"] == "NaN"


def test_an_editor_that_saves_no_utf8_changes_nothing(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    (memory_id,) = terminal.remember(LUNCH)
    monkeypatch.setenv("VISUAL", "sh -c 'printf \"caf\\351\" > $0'")

    done = terminal.run("edit", memory_id)

    assert done.exit_code == 1
    assert "nothing was changed" in done.stderr
