# /// script
# requires-python = ">=3.12"
# ///
"""Make training pairs from Python packages: the first sentence of a docstring finds the rest.

uv run pairs_from_code.py OUT FOLDER ...

A FOLDER holds packages (a `site-packages`, or the standard library). OUT/code.jsonl pairs the
sentence with the function it describes, without its docstring; OUT/prose.jsonl pairs it with the
paragraphs that follow it.
"""

import argparse
import ast
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from pairs import Pair, write_pairs

LONGEST_FILE_CHARS = 400_000
FILES_PER_PACKAGE = 1500
CODE_PAIRS, PROSE_PAIRS = 60_000, 30_000
CODE_PAIRS_PER_FILE, PROSE_PAIRS_PER_FILE = 40, 20
SENTENCE_WORDS = range(4, 41)
FUNCTION_LINES = range(3, 61)
PARAGRAPH_WORDS = 25
PROSE_CHARS = 1500
LEFT_OUT = {"lib2to3", "site-packages", "test", "tests"}
# Paragraphs that list instead of telling.
LISTS = (">>>", "Args", "Parameters", ":param")

type Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Found(NamedTuple):
    """The pairs of one file."""

    code: list[Pair]
    prose: list[Pair]


def main() -> None:
    """Read every package and write a sample of the pairs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    arguments = parser.parse_args()
    rng = random.Random(1)
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(pairs_of_file, chosen_files(arguments.folders, rng), chunksize=20))
    code = one_of_each_query(pair for file in found for pair in file.code)
    prose = one_of_each_query(pair for file in found for pair in file.prose)
    rng.shuffle(code)
    rng.shuffle(prose)
    write_pairs(arguments.out / "code.jsonl", code[:CODE_PAIRS])
    write_pairs(arguments.out / "prose.jsonl", prose[:PROSE_PAIRS])


def chosen_files(folders: Iterable[Path], rng: random.Random) -> list[Path]:
    """Take a bounded sample of every package, so that none outweighs the others."""
    packages: defaultdict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).parts
            if not LEFT_OUT & set(parts[:-1]):
                packages[parts[0]].append(path)
    chosen: list[Path] = []
    for _, files in sorted(packages.items()):
        rng.shuffle(files)
        chosen += files[:FILES_PER_PACKAGE]
    return chosen


def one_of_each_query(pairs: Iterable[Pair]) -> list[Pair]:
    """Keep the first pair of every query: a second would be a wrong negative of the first."""
    kept: dict[str, Pair] = {}
    for pair in pairs:
        kept.setdefault(pair.query, pair)
    return list(kept.values())


def pairs_of_file(path: Path) -> Found:
    """Find the pairs of one file; one that cannot be parsed has none."""
    source = path.read_text(encoding="utf-8", errors="ignore")
    code: list[Pair] = []
    prose: list[Pair] = []
    for node, sentence, rest in documented(source):
        body = undocumented(source, node)
        if not isinstance(node, ast.ClassDef) and len(body) in FUNCTION_LINES:
            code.append(Pair(sentence, "\n".join(body)))
        if paragraphs := told(rest):
            prose.append(Pair(sentence, " ".join(paragraphs)[:PROSE_CHARS]))
    return Found(code[:CODE_PAIRS_PER_FILE], prose[:PROSE_PAIRS_PER_FILE])


def documented(source: str) -> Iterator[tuple[Documented, str, str]]:
    """Yield what has a docstring, with its first sentence and what follows it."""
    if len(source) > LONGEST_FILE_CHARS:
        return
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            opening, _, rest = (ast.get_docstring(node) or "").partition("\n\n")
            sentence = plain(opening)
            if len(sentence.split()) in SENTENCE_WORDS:
                yield node, sentence, rest


def undocumented(source: str, node: Documented) -> list[str]:
    """Return the lines of a definition without those of its docstring."""
    docstring = node.body[0]
    first, last = docstring.lineno, docstring.end_lineno or docstring.lineno
    numbered = enumerate(source.splitlines()[node.lineno - 1 : node.end_lineno], node.lineno)
    return [line for number, line in numbered if not first <= number <= last]


def told(rest: str) -> list[str]:
    """Return the paragraphs that are prose."""
    paragraphs = [plain(paragraph) for paragraph in rest.split("\n\n")]
    return [p for p in paragraphs if len(p.split()) >= PARAGRAPH_WORDS and not p.startswith(LISTS)]


def plain(text: str) -> str:
    """Take the markup out of a piece of a docstring."""
    return re.sub(r"\s+", " ", re.sub(r":\w+:`~?([^`]*)`", r"\1", text)).replace("``", "").strip()


if __name__ == "__main__":
    main()
