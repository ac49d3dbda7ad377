"""A worker reads one file at a time, never outside of its root, and says what is in it."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.zapomni_core.code.files.trees import robustness_corpus, write
from zapomni_core.code.files.walk import walk
from zapomni_core.code.model import FileFacts
from zapomni_core.code.parsing.report import FileReport, Request, packed, unpacked
from zapomni_core.code.parsing.selection import sources_of
from zapomni_core.code.parsing.worker import report_on
from zapomni_core.code.searching.terms import code_query_terms, name_words
from zapomni_core.workers import launch
from zapomni_db.code import unpack_words
from zapomni_db.code.rows import SymbolRow

SHOP = '''"""A shop."""

from decimal import Decimal

DISCOUNTS = {"summer": Decimal("0.1"), "winter": Decimal("0.2")}


class Cart:
    """Holds what is bought."""

    limit = 100

    def add(self, thing):
        """Put a thing in."""
        internal_counter = thing.price
        return internal_counter


def checkout(cart):
    return cart.total()
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def read(root: Path, path: str, known: str | None = None) -> FileReport:
    return report_on(str(root), path, known)


def symbols(report: FileReport) -> dict[str, SymbolRow]:
    rows = map(SymbolRow.unpacked, report.symbols.rows_as_of(0).values())
    return {each.qname: each for each in rows}


def terms(report: FileReport) -> dict[str, frozenset[str]]:
    words = unpack_words(report.symbols.words).rows
    return {name: name_words(row[1]) for name, row in zip(symbols(report), words, strict=True)}


def is_found(word: str, among: frozenset[str]) -> bool:
    return set(code_query_terms(word)) <= among


def test_a_file_is_taken_apart_into_its_symbols(root: Path) -> None:
    write(root, "app/shop.py", SHOP)

    report = read(root, "app/shop.py")

    assert (report.status, report.language, report.encoding) == ("read", "python", "utf-8")
    assert (report.lines, report.size) == (SHOP.count("\n"), len(SHOP))
    assert set(symbols(report)) == {"", "Cart", "Cart.add", "checkout"}


def test_the_terms_of_a_class_are_without_the_bodies_of_its_methods(root: Path) -> None:
    write(root, "shop.py", SHOP)

    found = terms(read(root, "shop.py"))

    assert is_found("counter", found["Cart.add"])
    assert not is_found("counter", found["Cart"])
    assert all(is_found(word, found["Cart"]) for word in ("limit", "add", "shop"))
    assert is_found("discounts", found[""])
    assert not is_found("limit", found[""])


def test_only_the_symbols_that_changed_change_their_hash(root: Path) -> None:
    write(root, "shop.py", SHOP)
    before = symbols(read(root, "shop.py"))
    write(root, "shop.py", "\n\n" + SHOP.replace("cart.total()", "cart.sum()"))

    after = symbols(read(root, "shop.py"))

    assert {name for name in before if before[name].hash != after[name].hash} == {"", "checkout"}


def test_a_file_that_is_known_is_not_parsed_again(root: Path) -> None:
    write(root, "a.py")
    first = read(root, "a.py")

    again = read(root, "a.py", first.hash)

    assert (again.status, again.hash, again.facts) == ("unchanged", first.hash, b"")


def test_secrets_reach_neither_facts_nor_terms(root: Path) -> None:
    secret = "k9vQ2mz7LpX4"
    write(root, "a.py", f'def connect(password="{secret}"):\n    """Connect."""\n')

    report = read(root, "a.py")

    assert report.secrets == 1
    assert secret not in str(FileFacts.unpacked(report.facts))
    assert secret.lower() not in str(symbols(report)).lower()
    assert secret.lower() not in str(unpack_words(report.symbols.words)).lower()


def test_a_file_of_another_encoding_is_read_as_its_text(root: Path) -> None:
    text = "# größe größer am größten, und noch mehr Wörter davor\ndef größe():\n    return 1\n"
    write(root, "a.py", text.encode("utf-16"))

    report = read(root, "a.py")
    definition = symbols(report)["größe"]

    assert report.encoding == "utf-16"
    assert (definition.signature, definition.line, definition.end_line) == ("def größe()", 2, 3)


def test_every_strange_file_is_read_or_skipped_for_its_reason(root: Path) -> None:
    expected = robustness_corpus(root)
    chosen = sources_of(walk(root))

    reports = [read(root, file.path) for file in chosen.files]

    accounted = {report.path: report.reason for report in reports} | dict(chosen.skipped)
    assert accounted == expected


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("link.py", "symlink"),
        ("folder/secret.py", "symlink"),
        ("pipe", "not a regular file"),
        ("socket", "not a regular file"),
        ("real", "not a regular file"),
        ("gone.py", "deleted"),
        ("gone/a.py", "deleted"),
        ("../outside/secret.py", "not a path inside the folder"),
        ("", "not a path inside the folder"),
        ("/etc/passwd", "not a path inside the folder"),
        ("real/../../outside/secret.py", "not a path inside the folder"),
    ],
)
def test_nothing_but_a_regular_file_inside_the_root_is_read(
    root: Path, path: str, reason: str
) -> None:
    inside = root / "inside"
    write(root, "outside/secret.py")
    write(inside, "real/a.py")
    (inside / "link.py").symlink_to(root / "outside" / "secret.py")
    (inside / "folder").symlink_to(root / "outside")
    os.mkfifo(inside / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(inside / "socket"))

    report = read(inside, path)

    assert (report.status, report.reason, report.facts) == ("skipped", reason, b"")


def test_a_root_that_became_a_symlink_is_not_followed(root: Path) -> None:
    write(root, "outside/a.py")
    (root / "project").symlink_to(root / "outside")

    assert read(root / "project", "a.py").reason == "symlink"


def test_a_folder_swapped_for_a_symlink_after_the_walk_is_not_followed(root: Path) -> None:
    write(root, "outside/a.py")
    write(root, "project/src/a.py")
    (found,) = walk(root / "project").files
    shutil.rmtree(root / "project" / "src")
    (root / "project" / "src").symlink_to(root / "outside")

    assert read(root / "project", found.path).reason == "symlink"


def test_a_report_travels_unharmed(root: Path) -> None:
    write(root, "new\nline \U0001f600.py", SHOP)
    report = read(root, "new\nline \U0001f600.py")

    assert [*unpacked(packed([report, report]))] == [report, report]


def test_a_worker_ends_when_nobody_asks_any_more(root: Path) -> None:
    write(root, "a.py")
    requests = [Request(str(root), [(name, None)]).packed().framed() for name in ("a.py", "b.py")]

    ended = subprocess.run(
        [sys.executable, "-P", launch.__file__, report_on.__module__],
        input=b"".join(requests),
        capture_output=True,
        timeout=60,
        check=True,
    )

    assert ended.stdout.count(b'"read"') == 1
    assert ended.stdout.count(b'"deleted"') == 1
    assert ended.stderr == b""
