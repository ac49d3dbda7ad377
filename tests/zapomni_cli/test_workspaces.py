"""`zapomni workspaces`, and `--workspace` of the other commands."""

import json

import pytest

from tests.zapomni_cli.conftest import Terminal


def names(terminal: Terminal) -> set[str]:
    return {each["name"] for each in json.loads(terminal.out("workspaces", "list", "--json"))}


def test_a_workspace_is_made_worked_in_and_deleted(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.remember("In the default one.")
    told = terminal.out("workspaces", "create", "--json", "home", "--description", "Us")
    with monkeypatch.context() as inside:
        inside.setenv("ZAPOMNI_WORKSPACE", "home")
        terminal.remember("In the one at home.")

    here = terminal.out("list")
    there = terminal.out("list", "--workspace", "home")
    listed = terminal.out("workspaces", "list")

    assert json.loads(told)["name"] == "home"
    assert "In the default one." in here
    assert "at home" not in here
    assert "In the one at home." in there
    assert "default one" not in there
    assert "Us" in listed

    terminal.out("workspaces", "delete", "home", "--confirm", "home")

    assert names(terminal) == {"default"}


@pytest.mark.parametrize("said", ["y\n", "HOME\n", ""])
def test_a_workspace_goes_only_after_its_name(terminal: Terminal, said: str) -> None:
    terminal.out("workspaces", "create", "home")

    done = terminal.run("workspaces", "delete", "home", given=said)

    assert done.exit_code == 1
    assert names(terminal) == {"default", "home"}


def test_an_unknown_workspace_is_refused_with_the_way_out(terminal: Terminal) -> None:
    terminal.out("workspaces", "create", "home")

    done = terminal.run("search", "--workspace", "hom", "x")

    assert done.exit_code == 1
    assert "did you mean home?" in done.stderr
    assert "`zapomni workspaces list`" in done.stderr


def test_the_doctor_looks_at_the_workspace_that_is_named(terminal: Terminal) -> None:
    terminal.remember("In the default one.")
    terminal.out("workspaces", "create", "home")

    reports = {
        name: json.loads(terminal.run("doctor", "--json", "--workspace", name).stdout)
        for name in ("default", "home", "none")
    }

    told = {
        name: next(each for each in report["checks"] if each["check"] == "database")
        for name, report in reports.items()
    }
    assert "1 memories" in told["default"]["message"]
    assert "0 memories" in told["home"]["message"]
    assert told["none"]["state"] == "problem"


def test_a_workspace_that_is_gone_does_not_keep_from_listing_the_others(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZAPOMNI_WORKSPACE", "gone")

    assert names(terminal) == {"default"}
