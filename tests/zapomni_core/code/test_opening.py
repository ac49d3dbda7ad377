"""Files are opened below a folder, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from zapomni_core.code.parsing.opening import Inside, Unreadable


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path in ("root/a/x", "root/a/y", "root/b/x", "root/x", "outside/y"):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)
    return tmp_path / "root"


def test_files_of_one_request_are_read_in_any_order(root: Path) -> None:
    paths = ["a/x", "a/y", "x", "b/x", "a/x"]

    with Inside(str(root)) as inside:
        texts = [inside.read(path).raw.decode() for path in paths]

    assert texts == [f"root/{path}" for path in paths]


@pytest.mark.parametrize("path", ["a/../x", "../outside/y", "/x", "a//x", "a/./x", "a/", ""])
def test_a_path_that_leaves_its_folder_is_not_read_behind_one_that_does_not(
    root: Path, path: str
) -> None:
    with Inside(str(root)) as inside:
        inside.read("a/x")
        with pytest.raises(Unreadable, match="not a path inside"):
            inside.read(path)


def test_a_folder_that_becomes_a_link_during_a_request_leads_nowhere(root: Path) -> None:
    with Inside(str(root)) as inside:
        inside.read("a/x")
        (root / "a").rename(root / "c")
        (root / "a").symlink_to(root.parent / "outside")

        assert inside.read("a/y").raw == b"root/a/y"
        inside.read("b/x")
        with pytest.raises(Unreadable, match="symlink"):
            inside.read("a/y")


def test_nothing_stays_open_behind_a_request(root: Path) -> None:
    before = [*Path("/dev/fd").iterdir()]

    with Inside(str(root)) as inside:
        inside.read("a/x")
        for missing in ("nothing/x", "a/nothing", "x/x"):
            with pytest.raises(Unreadable):
                inside.read(missing)

    assert len([*Path("/dev/fd").iterdir()]) == len(before)
