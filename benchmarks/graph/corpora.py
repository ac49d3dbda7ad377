"""Read texts whose names are known."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "UNCOUNTED",
    "Corpus",
    "Labelled",
    "Span",
    "read_all",
    "read_speakers",
    "read_technologies",
]

type Span = tuple[int, int, str]

# The types of the corpora, in the words of the product. What is not here has several meanings
# and is left out of the count: a name found there is neither right nor wrong.
TYPES = {
    "person": "per person researcher writer musicalartist politician scientist",
    "organisation": "org organisation corporation group university band politicalparty",
    "place": "loc location country astronomicalobject",
    "technology": "product programlang algorithm musicalinstrument",
    "event": "event conference election",
    "work": "creative-work book poem magazine album song academicjournal",
    "concept": "field task metrics literarygenre musicgenre discipline enzyme protein"
    " chemicalelement chemicalcompound theory award",
}
TYPE_OF = {label: name for name, labels in TYPES.items() for label in labels.split()}
UNCOUNTED = "misc"
# The built-in model was trained on these sentences of each file and on half of the rest.
CROSSNER_TRAIN = {"ai": 100, "literature": 100, "music": 100, "politics": 200, "science": 200}
NO_SPACE_BEFORE = re.compile(r"[,.;:!?)\]%'’]|n't|''")
NO_SPACE_AFTER = re.compile(r"[(\[$#`]|``")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and its names."""

    text: str
    spans: frozenset[Span]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts in which only names of these types are marked."""

    name: str
    texts: list[Labelled]
    types: frozenset[str]


def read_all(folder: Path) -> Iterator[Corpus]:
    """Yield the corpora that are measured with."""
    yield _corpus("emerging.dev", list(_read(folder / "emerging.dev.conll")))
    yield _corpus("uner-ewt-dev", list(_read(folder / "uner-ewt-dev.iob2")))
    for domain, train in CROSSNER_TRAIN.items():
        dev = list(_read(folder / f"crossner-{domain}.conll"))[train:]
        yield _corpus(f"crossner-{domain}", dev[len(dev) // 2 :])


def _corpus(name: str, texts: list[Labelled]) -> Corpus:
    """Count the types that the corpus marks, and no others."""
    marked = {kind for labelled in texts for *_, kind in labelled.spans}
    return Corpus(name, texts, frozenset(marked - {UNCOUNTED}))


def read_technologies(path: Path) -> Corpus:
    """Read sentences about software; only technologies are marked in them."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    texts = [
        Labelled(row["text"], frozenset(_places(row["text"], row["technologies"], "technology")))
        for row in rows
    ]
    return Corpus("documentation", texts, frozenset(("technology",)))


def read_speakers(path: Path) -> Corpus:
    """Read turns of conversations; the names of their speakers are marked wherever they stand."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["kind"] == "doc"]
    speakers: dict[str, set[str]] = {}
    for row in rows:
        speakers.setdefault(row["group"], set()).add(row["speaker"])
    texts = [
        Labelled(row["text"], frozenset(_places(row["text"], speakers[row["group"]], "person")))
        for row in rows
    ]
    return Corpus("locomo", texts, frozenset(("person",)))


def _places(text: str, names: Iterable[str], type_name: str) -> Iterator[Span]:
    for name in names:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            yield match.start(), match.end(), type_name


def _read(path: Path) -> Iterator[Labelled]:
    """Read words with their labels, one to a line, sentences apart by an empty line."""
    word_at = 1 if path.suffix == ".iob2" else 0
    for block in re.split(r"\n\s*\n", path.read_text("utf-8")):
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("# ")]
        if labelled := [(row[word_at], row[word_at + 1]) for row in rows if len(row) > 1]:
            yield _joined(labelled)


def _joined(labelled: Iterable[tuple[str, str]]) -> Labelled:
    """Set words as people write them, and keep the names."""
    text, spans, label_before = "", list[Span](), "O"
    is_glued = True
    for word, tag in labelled:
        if not (is_glued or NO_SPACE_BEFORE.match(word)):
            text += " "
        start, text = len(text), text + word
        is_glued = bool(NO_SPACE_AFTER.fullmatch(word))
        label = tag[2:]
        if tag != "O" and (tag[0] == "B" or label != label_before):
            spans.append((start, len(text), TYPE_OF.get(label.lower(), UNCOUNTED)))
        elif tag != "O":
            spans[-1] = (spans[-1][0], len(text), spans[-1][2])
        label_before = label if tag != "O" else "O"
    return Labelled(text, frozenset(spans))
