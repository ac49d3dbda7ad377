"""Batches for training: queries, passages, and which passages answer which query."""

import calendar
import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pairs import Dialogue, Pair, Question

__all__ = ["Batch", "dialogue_batch", "document_batch", "pair_batch"]

DIALOGUE_QUERIES = 64
QUESTIONS_PER_DIALOGUE = 6
OTHER_TURNS = 40
WIDE, DATED, BARE, AS_USER = 0.3, 0.6, 0.1, 0.35
TITLE_AS_QUERY, SENTENCE_REMOVED, ASKED = 0.6, 0.9, 0.4
# How people ask an assistant about what was said before: about themselves, about it, about both.
REQUESTS = {
    "user": (
        "What did I say about {}?",
        "How did I deal with {}?",
        "When did I bring up {}?",
        "What were my plans for {}?",
        "Which details have I mentioned on {}?",
    ),
    "assistant": (
        "What did you tell me about {}?",
        "How did you suggest I handle {}?",
        "Which steps did you recommend for {}?",
    ),
    "": (
        "Can you remind me of {}?",
        "What have we discussed about {}?",
        "What do we know about {}?",
        "Summarize what came up on {}.",
    ),
}
FEWEST_SENTENCES = 4
MONTHS = list(calendar.month_name)[1:]
# The ways in which chats and notes write a date: day, month from 0, year, hour.
DATE_FORMS: list[Callable[[int, int, int, int], str]] = [
    lambda d, m, y, h: (
        f"{h % 12 + 1}:{d + 20:02d} {'pm' if h > 11 else 'am'} on {d} {MONTHS[m]}, {y}"
    ),
    lambda d, m, y, _: f"{y}-{m + 1:02d}-{d:02d}",
    lambda d, m, y, _: f"{d} {MONTHS[m]} {y}",
    lambda d, m, y, _: f"{MONTHS[m]}-{d}-{y}",
]


class Batch(NamedTuple):
    """Queries and passages; each query has the numbers of the passages that answer it."""

    queries: list[str]
    passages: list[str]
    answers: list[list[int]]


def pair_batch(source: Sequence[Pair], size: int, rng: random.Random) -> Batch:
    """Take pairs; the passages of the others are what a query must not find."""
    return _one_to_one(rng.sample(source, size))


def document_batch(source: Sequence[Pair], size: int, rng: random.Random) -> Batch:
    """Take pairs, some of them with a sentence of the passage in place of the title."""
    pairs = [_cloze(pair, rng) for pair in rng.sample(source, size)]
    return _one_to_one([_asked(pair, rng) if rng.random() < ASKED else pair for pair in pairs])


def _one_to_one(pairs: Sequence[Pair]) -> Batch:
    queries, passages = zip(*pairs, strict=True)
    return Batch(list(queries), list(passages), [[number] for number in range(len(pairs))])


def _cloze(pair: Pair, rng: random.Random) -> Pair:
    sentences = re.split(r"(?<=[.!?]) ", pair.passage)
    if len(sentences) < FEWEST_SENTENCES or rng.random() < TITLE_AS_QUERY:
        return pair
    taken = rng.randrange(len(sentences))
    rest = " ".join(sentences[:taken] + sentences[taken + 1 :])
    is_removed = rng.random() < SENTENCE_REMOVED
    return Pair(sentences[taken], rest if is_removed else pair.passage)


def _asked(pair: Pair, rng: random.Random) -> Pair:
    # As a part of a chat: someone has written the passage, and is asked about it.
    role = rng.choice(list(REQUESTS))
    speaker = role or rng.choice(["user", "assistant"])
    topic = pair.query.rstrip(" .?!")
    request = rng.choice(REQUESTS[role]).format(topic[:1].lower() + topic[1:])
    return Pair(request, f"{speaker}: {pair.passage}")


def dialogue_batch(source: Sequence[Dialogue], rng: random.Random) -> Batch:
    """Ask questions against the turns, or runs of turns, of several dialogues."""
    is_wide, is_dated, is_bare = (rng.random() < share for share in (WIDE, DATED, BARE))
    batch = Batch([], [], [])
    while len(batch.queries) < DIALOGUE_QUERIES:
        dialogue = _part_of(rng.choice(source), rng)
        if dialogue is not None:
            width = rng.randint(2, 5) if is_wide else 1
            _add_dialogue(batch, dialogue, width, is_dated, is_bare, rng)
    return batch


def _part_of(dialogue: Dialogue, rng: random.Random) -> Dialogue | None:
    if not dialogue.questions:
        return None
    count = min(len(dialogue.questions), QUESTIONS_PER_DIALOGUE)
    part = Dialogue(dialogue.turns, rng.sample(dialogue.questions, count))
    return as_user(part) if rng.random() < AS_USER else part


def as_user(dialogue: Dialogue) -> Dialogue | None:
    """Let a speaker ask about himself: he is `user` in his transcript, the others `assistant`.

    None if the first question names no speaker.
    """
    question = dialogue.questions[0]
    speakers = {name for turn in dialogue.turns if (name := _speaker(turn))}
    named = [name for name in speakers if re.search(rf"\b{re.escape(name)}\b", question.text)]
    if not named:
        return None
    asking = max(named, key=lambda name: (len(name), name))
    turns = [_with_role(turn, asking) for turn in dialogue.turns]
    return Dialogue(turns, [Question(_in_first_person(question.text, asking), question.turns)])


def _speaker(turn: str) -> str:
    name = turn.split(":", 1)[0]
    return name if name.isalpha() else ""


def _with_role(turn: str, asking: str) -> str:
    speaker = _speaker(turn)
    if not speaker:
        return turn
    return ("user" if speaker == asking else "assistant") + turn[len(speaker) :]


def _in_first_person(question: str, name: str) -> str:
    name = re.escape(name)
    verbs = {"does": "do", "is": "am", "has": "have"}
    question = re.sub(rf"\b{name}('s|s')", "my", question)
    question = re.sub(rf"\b(does|is|has) {name}\b", lambda m: f"{verbs[m[1]]} I", question)
    return re.sub(rf"\b{name}\b", "I", question)


def _add_dialogue(
    batch: Batch, dialogue: Dialogue, width: int, is_dated: bool, is_bare: bool, rng: random.Random
) -> None:
    turns = dialogue.turns
    spans = [range(i, min(len(turns), i + width)) for i in range(0, len(turns), max(1, width - 1))]
    answering = [
        [number for number, span in enumerate(spans) if any(turn in span for turn in asked.turns)]
        for asked in dialogue.questions
    ]
    others = rng.sample(range(len(spans)), min(len(spans), OTHER_TURNS))
    kept = sorted({number for numbers in answering for number in numbers} | set(others))
    place = {number: len(batch.passages) + i for i, number in enumerate(kept)}
    stamp = f"[{_date(rng)}] " if is_dated else ""
    for number in kept:
        said = [turns[turn] for turn in spans[number]]
        lines = [turn.split(": ", 1)[-1] for turn in said] if is_bare else said
        batch.passages.append(stamp + "\n".join(lines))
    batch.queries.extend(asked.text for asked in dialogue.questions)
    batch.answers.extend([place[number] for number in numbers] for numbers in answering)


def _date(rng: random.Random) -> str:
    form = DATE_FORMS[rng.randrange(len(DATE_FORMS))]
    return form(rng.randint(1, 28), rng.randrange(12), rng.randint(2019, 2025), rng.randrange(24))
