"""Every file of a folder is a document, or is left out for a reason."""

from pathlib import Path

from tests.zapomni_core.documents.files import pdf
from zapomni_core.documents import DocumentLimits, FoundDocument, LeftOut, find_documents


def write(root: Path, path: str, content: bytes = b"text\n") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(content)


def test_documents_are_known_by_name_or_content(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    write(tmp_path, "b.py", b"x = 1\n")
    write(tmp_path, "NOTES")
    write(tmp_path, "report", pdf([["x"]]))

    found = find_documents(tmp_path.resolve())

    assert [(each.path, each.kind) for each in found.documents] == [
        ("NOTES", "text"),
        ("b.py", "code"),
        ("docs/a.md", "markdown"),
        ("report", "pdf"),
    ]
    assert found.left_out == []


def test_what_is_left_out_has_a_reason(tmp_path: Path) -> None:
    write(tmp_path, "kept.md")
    write(tmp_path, "empty.md", b"")
    write(tmp_path, "x.png", b"\x89PNG\0\0")
    write(tmp_path, ".env", b"KEY=1")
    write(tmp_path, "big.txt", b"x" * 3_000)
    (tmp_path / "link.md").symlink_to("kept.md")

    found = find_documents(tmp_path.resolve(), limits=DocumentLimits(input_bytes=2_000))

    assert found.documents == [FoundDocument("kept.md", "markdown", 5)]
    assert found.left_out == [
        LeftOut(".env", "secret file"),
        LeftOut("big.txt", "too big"),
        LeftOut("empty.md", "empty"),
        LeftOut("link.md", "symlink"),
        LeftOut("x.png", "unknown kind"),
    ]


def test_ignored_and_excluded_files_are_no_documents(tmp_path: Path) -> None:
    write(tmp_path, ".gitignore", b"private/\n")
    write(tmp_path, "private/a.md")
    write(tmp_path, "drafts/b.md")
    write(tmp_path, "c.md")

    found = find_documents(tmp_path.resolve(), ["drafts/"])

    assert "c.md" in [each.path for each in found.documents]
    assert not [each for each in found.documents if each.path.endswith(("a.md", "b.md"))]


def test_a_book_may_be_bigger_than_source_code_ever_is(tmp_path: Path) -> None:
    write(tmp_path, "book.txt", b"word " * 500_000)

    assert [each.path for each in find_documents(tmp_path.resolve()).documents] == ["book.txt"]
