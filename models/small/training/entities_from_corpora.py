# /// script
# requires-python = ">=3.12"
# ///
"""Make training data for names: texts with the people, places and things that they name.

uv run entities_from_corpora.py OUT --crossner CLONE --wnut17 CLONE --btc CLONE --datasets CLONE
    --stackoverflow CLONE

Each CLONE is a clone of a repository, see README.md. Writes OUT/entities.jsonl: the corpus, the
text, and the spans with their types. A span of type `misc` has one of several types, see
tagging.py.
"""

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

TYPES = {
    "person": "per peop person researcher writer musicalartist politician scientist",
    "organisation": "org organisation organization corporation group university band"
    " politicalparty",
    "place": "loc location country astronomicalobject",
    "technology": "product programlang algorithm musicalinstrument application library language"
    " operating_system",
    "event": "event conference election",
    "work": "creative-work book poem magazine album song academicjournal",
    "concept": "field task metrics literarygenre musicgenre discipline enzyme protein"
    " chemicalelement chemicalcompound theory award",
}
TYPE_OF = {label: name for name, labels in TYPES.items() for label in labels.split()}
CROSSNER_DOMAINS = ("ai", "literature", "music", "politics", "science")
NO_SPACE_BEFORE = re.compile(r"[,.;:!?)\]%'’]|n't|''")
NO_SPACE_AFTER = re.compile(r"[(\[$#`]|``")
LEFT_OUT = re.compile(r"CODE_BLOCK|OUTPUT_BLOCK|Question_|Answer_|-DOCSTART-")


class Text(NamedTuple):
    """A text and what it names: start, end and type of each span."""

    corpus: str
    text: str
    spans: list[tuple[int, int, str]]


def main() -> None:
    """Read every corpus."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    for name in ("crossner", "wnut17", "btc", "datasets", "stackoverflow"):
        parser.add_argument(f"--{name}", type=Path, required=True, metavar="CLONE")
    arguments = parser.parse_args()
    texts = list(all_texts(arguments))
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / "entities.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(text, ensure_ascii=False) + "\n" for text in texts)
    print(f"entities.jsonl: {len(texts)}")


def all_texts(clones: argparse.Namespace) -> Iterator[Text]:
    """Yield the sentences of all corpora."""
    for domain in CROSSNER_DOMAINS:
        folder = clones.crossner / "ner_data" / domain
        yield from read_conll(f"crossner-{domain}", folder / "train.txt")
        # The other half of the development set is what the model is measured with.
        dev = list(read_conll(f"crossner-{domain}", folder / "dev.txt"))
        yield from dev[: len(dev) // 2]
    yield from read_conll("wnut17", clones.wnut17 / "wnut17train.conll")
    for path in sorted(clones.btc.glob("?.conll")):
        yield from read_conll("btc", path)
    folder = clones.datasets / "data" / "wikigold" / "CONLL-format" / "data"
    yield from read_conll("wikigold", folder / "wikigold.conll.txt")
    folder = clones.stackoverflow / "resources" / "annotated_ner_data" / "StackOverflow"
    yield from read_conll("stackoverflow", folder / "train.txt")


def read_conll(corpus: str, path: Path) -> Iterator[Text]:
    """Yield the sentences of a file with a word and its label to a line."""
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
        rows = [line.split() for line in block.splitlines() if len(line.split()) > 1]
        labelled = [(row[0], row[1]) for row in rows]
        if labelled and not is_left_out(labelled):
            yield joined(corpus, labelled)


def is_left_out(labelled: Sequence[tuple[str, str]]) -> bool:
    """Tell code and headers, and tweets where a sign is a name of its own."""
    return bool(LEFT_OUT.match(labelled[0][0])) or any(
        word == "@" and tag != "O" for word, tag in labelled
    )


def joined(corpus: str, labelled: Iterable[tuple[str, str]]) -> Text:
    """Set words as people write them, and keep the spans."""
    text, spans, open_label = "", list[tuple[int, int, str]](), "O"
    glued = True
    for word, tag in labelled:
        if not (glued or NO_SPACE_BEFORE.match(word)):
            text += " "
        start, text = len(text), text + word
        glued = bool(NO_SPACE_AFTER.fullmatch(word))
        label = tag[2:]
        if tag != "O" and (tag[0] == "B" or label != open_label):
            spans.append((start, len(text), _type_of(label)))
        elif tag != "O":
            spans[-1] = (spans[-1][0], len(text), spans[-1][2])
        open_label = label if tag != "O" else "O"
    return Text(corpus, text, spans)


def _type_of(label: str) -> str:
    return TYPE_OF.get(label.lower(), "misc")


if __name__ == "__main__":
    main()
