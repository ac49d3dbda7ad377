"""Names in texts: labels, batches, and the head that reads them off the encoder's states."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import torch
from transformers import BertModel

__all__ = [
    "LABELS",
    "Example",
    "Tagger",
    "TextWithNames",
    "draw",
    "prepare",
    "read_texts",
    "tagging_loss",
]

TYPES = ("person", "organisation", "place", "technology", "event", "work", "concept")
LABELS = ("O", *(f"{mark}-{name}" for name in TYPES for mark in "BI"))
# What a corpus does not label may stand unlabelled in it.
UNLABELLED = {
    "wnut17": {"event", "concept"},
    "btc": {"technology", "event", "work", "concept"},
    "wikigold": {"concept"},
    "stackoverflow": {"concept"},
    "crossner-politics": {"concept", "technology", "work"},
    "crossner-music": {"technology"},
    "crossner-literature": {"technology"},
    "crossner-science": {"technology"},
    "crossner-ai": {"work"},
}
# Corpora call different things by the name of misc, among them what is no name for us.
MISC = {"technology", "event", "work", "concept"}
WEIGHTS = {
    "crossner-ai": 0.1,
    "crossner-literature": 0.07,
    "crossner-music": 0.07,
    "crossner-politics": 0.07,
    "crossner-science": 0.07,
    "wnut17": 0.14,
    "btc": 0.13,
    "wikigold": 0.2,
    "stackoverflow": 0.15,
}
STATES = (6, 9, 12)
LOWERED, LED_BY_SPEAKER = 0.1, 0.1
CASES, CASE_SIZE, INNER_SIZE = 20, 32, 256


class Word(Protocol):
    """A word with its place and its pieces."""

    start: int
    end: int
    ids: tuple[int, ...]


class TextWithNames(NamedTuple):
    """A text of a corpus: start, end and type of what it names."""

    corpus: str
    text: str
    spans: list[tuple[int, int, str]]


class Example(NamedTuple):
    """A text ready for the encoder; each token has the labels that are right for it, or none."""

    ids: list[int]
    cases: list[int]
    allowed: list[list[int]]


def read_texts(path: Path) -> dict[str, list[TextWithNames]]:
    """Read what entities_from_corpora.py has written, by corpus."""
    texts: dict[str, list[TextWithNames]] = {name: [] for name in WEIGHTS}
    for line in path.read_text(encoding="utf-8").splitlines():
        text = TextWithNames(*json.loads(line))
        texts[text.corpus].append(text)
    return texts


def draw(texts: dict[str, list[TextWithNames]], rng: random.Random) -> TextWithNames:
    """Take one to four neighbouring sentences of a corpus, sometimes varied."""
    (corpus,) = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
    first = rng.randrange(len(texts[corpus]))
    whole = _joined(texts[corpus][first : first + rng.choice([1, 1, 2, 4])])
    if rng.random() < LED_BY_SPEAKER:
        whole = _led_by_speaker(whole)
    return whole._replace(text=whole.text.lower()) if rng.random() < LOWERED else whole


def _joined(sentences: Sequence[TextWithNames]) -> TextWithNames:
    text, spans = "", list[tuple[int, int, str]]()
    for sentence in sentences:
        offset = len(text)
        spans += [(start + offset, end + offset, name) for start, end, name in sentence.spans]
        text += sentence.text + " "
    return TextWithNames(sentences[0].corpus, text, spans)


def _led_by_speaker(whole: TextWithNames) -> TextWithNames:
    people = [whole.text[start:end] for start, end, name in whole.spans if name == "person"]
    first_names = [name.split()[0] for name in people if name.split()[0].isalpha()]
    if not first_names:
        return whole
    lead = f"{first_names[0]}: "
    spans = [(start + len(lead), end + len(lead), name) for start, end, name in whole.spans]
    spans.insert(0, (0, len(lead) - 2, "person"))
    return TextWithNames(whole.corpus, lead + whole.text, spans)


def case_of(word: str) -> int:
    """Say how a word is written; the encoder itself reads lower case only."""
    if not any(character.isalnum() for character in word):
        return 7
    if word.isdigit():
        return 5
    if any(character.isdigit() for character in word):
        return 6
    if not word.isalpha() or word.islower():
        return 0
    if word.isupper():
        return 2 if len(word) > 1 else 3
    return 1 if word[0].isupper() and word[1:].islower() else 4


def prepare(
    whole: TextWithNames,
    words: Sequence[Word],
    prefix_ids: list[int],
    ends: tuple[int, int],
    longest: int,
) -> Example:
    """Set a text between the special tokens; only the first piece of a word has labels."""
    example = Example([ends[0], *prefix_ids], [8] * (1 + len(prefix_ids)), [])
    example.allowed.extend([] for _ in example.ids)
    unlabelled = UNLABELLED[whole.corpus]
    for word in words:
        if len(example.ids) + len(word.ids) >= longest:
            break
        case = case_of(whole.text[word.start : word.end])
        example.ids.extend(word.ids)
        example.cases.extend([case] + [case + 10] * (len(word.ids) - 1))
        labels = [LABELS.index(label) for label in _labels_of(word, whole.spans, unlabelled)]
        example.allowed.extend([labels] + [[] for _ in word.ids[1:]])
    example.ids.append(ends[1])
    example.cases.append(8)
    example.allowed.append([])
    return example


def _labels_of(
    word: Word, spans: Sequence[tuple[int, int, str]], unlabelled: set[str]
) -> list[str]:
    for start, end, name in spans:
        if start <= word.start < end:
            mark = "B" if word.start == start else "I"
            if name != "misc":
                return [f"{mark}-{name}"]
            return ["O", *(f"{mark}-{each}" for each in sorted(MISC))]
    return ["O", *(f"{mark}-{each}" for each in sorted(unlabelled) for mark in "BI")]


class Tagger(torch.nn.Module):
    """From states of the encoder and the way words are written to one label for each token."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.cases = torch.nn.Embedding(CASES, CASE_SIZE)
        self.inner = torch.nn.Linear(dimension * len(STATES) + CASE_SIZE, INNER_SIZE)
        self.outer = torch.nn.Linear(INNER_SIZE, len(LABELS))

    def forward(self, states: Sequence[torch.Tensor], cases: torch.Tensor) -> torch.Tensor:
        """Return the scores of all labels."""
        joined = torch.cat([*(states[number] for number in STATES), self.cases(cases)], 2)
        return self.outer(torch.nn.functional.gelu(self.inner(joined)))


def tagging_loss(model: BertModel, tagger: Tagger, batch: Sequence[Example]) -> torch.Tensor:
    """Return how unlikely the right labels are; where several may be right, all together."""
    shape = (len(batch), max(len(example.ids) for example in batch))
    ids, cases, mask = (np.zeros(shape, np.int64) for _ in range(3))
    right_labels = np.zeros((*shape, len(LABELS)), np.bool_)
    for row, example in enumerate(batch):
        length = len(example.ids)
        ids[row, :length], cases[row, :length], mask[row, :length] = example.ids, example.cases, 1
        for place, labels in enumerate(example.allowed):
            right_labels[row, place, labels] = True
    device = model.device
    states = model(
        input_ids=torch.from_numpy(ids).to(device),
        attention_mask=torch.from_numpy(mask).to(device),
        output_hidden_states=True,
    ).hidden_states
    scores = tagger(states, torch.from_numpy(cases).to(device)).float()
    allowed = torch.from_numpy(right_labels).to(device)
    counted = allowed.any(2)
    right = scores.masked_fill(~allowed, -1e9).logsumexp(2)
    return (scores.logsumexp(2) - right)[counted].mean()
