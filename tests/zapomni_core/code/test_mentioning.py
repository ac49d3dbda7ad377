"""Names of code in ordinary text."""

import pytest

from zapomni_core.code.mentioning import mentions, names_in, passage


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("parse_config must never raise.", ["parse_config"]),
        ("Call `run` before anything else.", ["run"]),
        ("We call load() twice.", ["load"]),
        ("MemoryEngine opens the database.", ["MemoryEngine"]),
        ("Flask.run and flask.app::Flask differ.", ["Flask.run", "flask.app.Flask"]),
        ("Look into src/app/config.py first.", ["src/app/config.py"]),
        ("We run every morning and load the car.", []),
        ("`rm -rf /` is no name", []),
        ("", []),
    ],
)
def test_names_are_what_is_written_like_code(text: str, names: list[str]) -> None:
    assert names_in(text) == names


def test_a_name_is_listed_once() -> None:
    assert names_in("parse_config, parse_config() and `parse_config`") == ["parse_config"]


@pytest.mark.parametrize("text", ["`run` blocks", "run() blocks", "app.run blocks"])
def test_an_everyday_word_counts_only_where_it_is_marked_as_code(text: str) -> None:
    assert mentions(text, ["run"])
    assert not mentions("I run every day", ["run"])


def test_part_of_a_name_is_not_the_name() -> None:
    assert not mentions("parse_config_file is another one", ["parse_config"])


def test_a_passage_shows_what_stands_around_the_name() -> None:
    text = "x " * 500 + "because parse_config caches " + "y " * 500

    shown = passage(text, ["parse_config"])

    assert "because parse_config caches" in shown
    assert shown.startswith("... ")
    assert shown.endswith(" ...")
    assert len(shown) < 400
