# /// script
# requires-python = ">=3.12"
# ///
"""Make training pairs from documents: a title finds its abstract, a heading its section.

uv run pairs_from_documents.py OUT --acl CLONE --peps CLONE

Each CLONE is a clone of the repository, see README.md. Writes OUT/acl.jsonl and OUT/pep.jsonl.
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
ACL_ENOUGH, ACL_PAIRS, ACL_PAIRS_PER_FILE = 30_000, 24_000, 401
PEP_PAIRS = 8_000
ABSTRACT_CHARS, SECTION_CHARS, PASSAGE_CHARS = 300, 200, 1500
EMPTY_HEADINGS = {"Abstract", "Copyright", "References"}
HEADING = re.compile(r"^(.+)\n([=\-~'\"^]{4,})\n", re.MULTILINE)


def main() -> None:
    """Read both collections."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    for name in ("acl", "peps"):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="CLONE")
    arguments = parser.parse_args()
    write_pairs(arguments.out / "acl.jsonl", abstracts(arguments.acl))
    write_pairs(arguments.out / "pep.jsonl", islice(sections(arguments.peps), PEP_PAIRS))


def abstracts(clone: Path) -> list[Pair]:
    """Sample titles and abstracts of the ACL Anthology, a bounded number of each volume."""
    files = [path for path in (clone / "data" / "xml").glob("*.xml") if ACL_FILES.match(path.name)]
    files.sort()
    rng = random.Random(0)
    rng.shuffle(files)
    pairs: list[Pair] = []
    for path in files:
        if len(pairs) > ACL_ENOUGH:
            break
        pairs += islice(_papers(path), ACL_PAIRS_PER_FILE)
    rng.shuffle(pairs)
    return pairs[:ACL_PAIRS]


def _papers(path: Path) -> Iterator[Pair]:
    text = path.read_text(encoding="utf-8", errors="ignore")
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


def plain(markup: str) -> str:
    """Return the text of a piece of XML."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", markup))).strip()


if __name__ == "__main__":
    main()
