"""Only folders inside of the allowed ones are let through."""

from pathlib import Path

import pytest

from zapomni_core.code.allowed import NamedFolders
from zapomni_core.code.files.roots import Roots
from zapomni_core.errors import ProcessingError, ValidationError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "code" / "project").mkdir(parents=True)
    (tmp_path / "private").mkdir()
    return tmp_path.resolve()


def test_a_root_and_what_is_in_it_are_allowed(root: Path) -> None:
    roots = Roots([root / "code"])

    assert roots.allowed(str(root / "code")) == root / "code"
    assert roots.allowed(f"{root}/code/./project/") == root / "code" / "project"


def test_a_link_is_judged_by_where_it_leads(root: Path) -> None:
    (root / "code" / "way_out").symlink_to(root / "private")
    (root / "link_to_code").symlink_to(root / "code")
    roots = Roots([root / "link_to_code"])

    assert roots.allowed(str(root / "link_to_code" / "project")) == root / "code" / "project"
    with pytest.raises(ValidationError, match="ZAPOMNI_CODE_ROOTS"):
        roots.allowed(str(root / "code" / "way_out"))


@pytest.mark.parametrize("path", ["private", "code/../private", "code_of_others", "private/gone"])
def test_a_folder_elsewhere_is_refused_with_a_way_out(root: Path, path: str) -> None:
    with pytest.raises(ValidationError, match="`zapomni index FOLDER`") as refused:
        Roots([root / "code"]).allowed(f"{root}/{path}")

    assert refused.value.field == "path"
    assert str(root) not in str(refused.value)


@pytest.mark.parametrize("path", ["", "code", "../code", "/co\0de", "~nobody_of_that_name"])
def test_what_is_no_full_path_is_refused(root: Path, path: str) -> None:
    with pytest.raises(ValidationError, match="full path"):
        Roots([root]).allowed(path)


def test_a_file_and_a_missing_folder_are_refused(root: Path) -> None:
    (root / "code" / "file").touch()
    roots = Roots([root])

    for path in ("code/file", "code/missing"):
        with pytest.raises(ValidationError, match="names no folder"):
            roots.allowed(str(root / path))


def test_the_home_folder_and_all_around_it_are_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(root / "code"))
    roots = Roots([Path("/")])

    for path in ("/", str(root), str(root / "code"), "~"):
        with pytest.raises(ValidationError, match="home folder"):
            roots.allowed(path)
    assert roots.allowed("~/project") == root / "code" / "project"


def test_nothing_is_allowed_without_roots(root: Path) -> None:
    with pytest.raises(ValidationError, match="ZAPOMNI_CODE_ROOTS"):
        Roots([]).allowed(str(root))


@pytest.mark.parametrize("content", ["", "{", "7"])
def test_a_damaged_list_of_folders_is_told_by_its_name(root: Path, content: str) -> None:
    folders = NamedFolders(root)
    folders.add(root / "code")
    assert folders.all() == (root / "code",)
    (root / "code-folders.json").write_text(content)

    with pytest.raises(ProcessingError, match=r"code-folders\.json is damaged"):
        folders.all()
