"""The tutorial tells the truth: its commands work, and print what it says."""

import difflib

from scripts.tutorial import TUTORIAL, masked, replayed


def test_the_commands_of_the_tutorial_print_what_it_shows() -> None:
    page = TUTORIAL.read_text()

    now = replayed(page)

    changes = difflib.unified_diff(masked(page).splitlines(), masked(now).splitlines(), n=0)
    assert list(changes) == []
