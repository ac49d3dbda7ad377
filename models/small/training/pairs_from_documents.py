# /// script
# requires-python = ">=3.12"
# ///
"""Make training pairs from documents: a title finds its abstract, a heading its section.

uv run pairs_from_documents.py OUT --acl CLONE --peps CLONE --manuals CLONE ...

Each CLONE is a clone of a repository, see README.md. Writes OUT/acl.jsonl, OUT/pep.jsonl and
OUT/manual.jsonl.
"""

import argparse
import html
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pairs import Pair, write_pairs

# Before 2016 the Anthology's licence is another one; newer abstracts are enough.
ACL_FILES = re.compile(r"20(2[0-6])\.")
ACL_ENOUGH, ACL_PAIRS, ACL_PAIRS_PER_FILE = 30_000, 16_000, 401
ACL_PUBLISHER = "<publisher>Association for Computational Linguistics"
PEP_PAIRS, MANUAL_PAIRS = 8_000, 12_000
ABSTRACT_CHARS, SECTION_CHARS, PASSAGE_CHARS = 300, 200, 1500
EMPTY_HEADINGS = {"Abstract", "Copyright", "References"}
HEADING = re.compile(r"^(.+)\n([=\-~'\"^]{4,})\n", re.MULTILINE)
MARKDOWN_HEADING = re.compile(r"^#{1,4} +(.+?)(?: \{#.*\})?$", re.MULTILINE)
MARKDOWN_TITLE = re.compile(r"\A---\n.*?^title: *(.+?)$.*?^---\n", re.MULTILINE | re.DOTALL)
# Roles of reStructuredText, short codes of Hugo, links and comments of Markdown.
MARKUP = [
    (re.compile(r":[\w:]+:`~?([^`<]*)(?: <[^>]*>)?`"), r"\1"),
    (re.compile(r"\{\{.*?\}\}|<!--.*?-->", re.DOTALL), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
]


def main() -> None:
    """Read the collections."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    for name in ("acl", "peps"):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="CLONE")
    parser.add_argument("--manuals", type=Path, nargs="+", required=True, metavar="CLONE")
    arguments = parser.parse_args()
    write_pairs(arguments.out / "acl.jsonl", abstracts(arguments.acl))
    write_pairs(arguments.out / "pep.jsonl", islice(sections(arguments.peps), PEP_PAIRS))
    manual = [pair for clone in arguments.manuals for pair in chapters(clone)]
    random.Random(0).shuffle(manual)
    write_pairs(arguments.out / "manual.jsonl", manual[:MANUAL_PAIRS])


def abstracts(clone: Path) -> list[Pair]:
    """Sample titles and abstracts of the ACL Anthology, a bounded number of each volume.

    What it hosts for others may be under another licence, and is left out.
    """
    files = [path for path in (clone / "data" / "xml").glob("*.xml") if ACL_FILES.match(path.name)]
    files.sort()
    rng = random.Random(0)
    rng.shuffle(files)
    pairs: list[Pair] = []
    for path in files:
        if len(pairs) > ACL_ENOUGH:
            break
        text = path.read_text(encoding="utf-8", errors="ignore")
        if _is_all_of_acl(text):
            pairs += islice(_papers(text), ACL_PAIRS_PER_FILE)
    rng.shuffle(pairs)
    return pairs[:ACL_PAIRS]


def _is_all_of_acl(text: str) -> bool:
    return 0 < text.count("<publisher>") == text.count(ACL_PUBLISHER)


def _papers(text: str) -> Iterator[Pair]:
    for paper in re.findall(r"<paper .*?</paper>", text, re.DOTALL):
        title = re.search(r"<title>(.*?)</title>", paper, re.DOTALL)
        abstract = re.search(r"<abstract>(.*?)</abstract>", paper, re.DOTALL)
        if title and abstract and len(abstract[1]) > ABSTRACT_CHARS:
            yield Pair(plain(title[1]), plain(abstract[1])[:PASSAGE_CHARS])


def sections(clone: Path) -> Iterator[Pair]:
    """Take the sections of every PEP, each under the title of the PEP and its heading."""
    for path in sorted(clone.rglob("*.rst"), key=lambda path: path.as_posix()):
        text = path.read_text(encoding="utf-8", errors="ignore")
        if title := re.search(r"^Title: (.*)", text, re.MULTILINE):
            yield from _sections(title[1].strip(), text)


def _sections(title: str, text: str) -> Iterator[Pair]:
    _, *parts = HEADING.split(text)
    for heading, body in zip(parts[::3], parts[2::3], strict=True):
        passage = re.sub(r"\s+", " ", body).strip()
        if len(passage) > SECTION_CHARS and heading.strip() not in EMPTY_HEADINGS:
            yield Pair(f"{title}: {heading.strip()}", passage[:PASSAGE_CHARS])


def chapters(clone: Path) -> Iterator[Pair]:
    """Take the sections of a manual in Markdown or reStructuredText, under title and heading."""
    for path in sorted(clone.rglob("*"), key=lambda path: path.as_posix()):
        if path.suffix == ".md":
            yield from _of_markdown(path.read_text(encoding="utf-8", errors="ignore"))
        elif path.suffix == ".txt":
            yield from _of_rst(path.read_text(encoding="utf-8", errors="ignore"))


def _of_markdown(text: str) -> Iterator[Pair]:
    front = MARKDOWN_TITLE.match(text)
    _, *parts = MARKDOWN_HEADING.split(text[front.end() :] if front else text)
    title = front[1].strip("\"' ") if front else next(iter(parts), "")
    yield from _chapters(title, parts[::2], parts[1::2])


def _of_rst(text: str) -> Iterator[Pair]:
    _, *parts = HEADING.split(text)
    yield from _chapters(next(iter(parts), ""), parts[::3], parts[2::3])


def _chapters(title: str, headings: list[str], bodies: list[str]) -> Iterator[Pair]:
    for heading, body in zip(headings, bodies, strict=True):
        passage = _without_markup(body)
        if len(passage) > SECTION_CHARS:
            query = heading if heading == title else f"{title}: {heading}"
            yield Pair(_without_markup(query), passage[:PASSAGE_CHARS])


def _without_markup(text: str) -> str:
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    return re.sub(r"\s+", " ", text.replace("``", "")).strip()


def plain(markup: str) -> str:
    """Return the text of a piece of XML."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", markup))).strip()


if __name__ == "__main__":
    main()
