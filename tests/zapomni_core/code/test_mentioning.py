"""Names of code in ordinary text."""

import pytest

from zapomni_core.code.languages import FILE_ENDINGS
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
        (
            "./a/b.kts:12 calls x.proto; conf.py: see docs.md.",
            ["a/b.kts", "x.proto", "conf.py", "docs.md"],
        ),
        ("/srv/main.tf and `app/[id]/page.tsx`", ["/srv/main.tf", "app/[id]/page.tsx"]),
        ("The Makefile, Dockerfile.dev, README", ["Makefile", "Dockerfile.dev", "README"]),
        ("Build it, the license and the workspace too", []),
        ("lib/app.py::App.run, `app.py::run`", ["lib/app.py::App.run", "app.py::run"]),
        ("`valid?`, `User#save!` and `my-func`", ["valid?", "User#save!", "my-func"]),
        ("größe_berechnen or `load(path)`", ["größe_berechnen", "load"]),
        ("Counter.inc counts.", ["Counter.inc"]),
        ("well-known and valid? save!", []),
        ("We run every morning and load the car.", []),
        ("`rm -rf /` is no name", []),
        ("", []),
    ],
)
def test_names_are_what_is_written_like_code(text: str, names: list[str]) -> None:
    assert names_in(text) == names


@pytest.mark.parametrize("ending", sorted(FILE_ENDINGS))
def test_every_file_that_is_indexed_can_be_named(ending: str) -> None:
    assert names_in(f"Look into src/thing.{ending} first.") == [f"src/thing.{ending}"]


def test_a_list_of_names_is_not_cut_short() -> None:
    names = [f"name_nr_{n}" for n in range(40)]

    assert names_in(", ".join(names)) == names


def test_a_name_is_listed_once() -> None:
    assert names_in("parse_config, parse_config() and `parse_config`") == ["parse_config"]


@pytest.mark.parametrize("text", ["`run` blocks", "run() blocks", "app.run blocks"])
def test_an_everyday_word_counts_only_where_it_is_marked_as_code(text: str) -> None:
    assert mentions(text, ["run"])
    assert not mentions("I run every day", ["run"])


@pytest.mark.parametrize("name", ["valid?", "save!", "my-func"])
def test_names_of_other_signs_than_letters_are_found_in_backticks(name: str) -> None:
    assert mentions(f"First `{name}` is called", [name])
    assert mentions(f"First `user.{name}` is called", [name])
    assert not mentions(f"Is it {name}", [name])


def test_a_file_of_a_longer_name_is_another() -> None:
    assert mentions("The Makefile.", ["Makefile"])
    assert not mentions("Makefile.am, my-Makefile, Makefiles", ["Makefile"])


def test_part_of_a_name_is_not_the_name() -> None:
    assert not mentions("parse_config_file is another one", ["parse_config"])


def test_a_passage_shows_what_stands_around_the_name() -> None:
    text = "x " * 500 + "because parse_config caches " + "y " * 500

    shown = passage(text, ["parse_config"])

    assert "because parse_config caches" in shown
    assert shown.startswith("... ")
    assert shown.endswith(" ...")
    assert len(shown) < 400
