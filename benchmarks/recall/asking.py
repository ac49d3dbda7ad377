"""Ask the questions of a set, each group in its own memory and perhaps in its neighbour's."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.recall.access import Access
from benchmarks.recall.sets import Group, Question
from benchmarks.recall.stores import Store

__all__ = ["Answer", "Asked", "ask_set"]

type Opener = Callable[[Path], AbstractAsyncContextManager[Access]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for a question: distinct documents, best first."""

    question: Question
    ranked: tuple[str, ...]
    best_score: float
    is_confident: bool
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Asked:
    """The answers of one group; `foreign` are those to questions about another group."""

    group: str
    own: tuple[Answer, ...]
    foreign: tuple[Answer, ...]


async def ask_set(
    groups: Sequence[Group],
    keep: Callable[[Group], AbstractAsyncContextManager[Store]],
    openers: Mapping[str, Opener],
    *,
    ask_foreign: bool,
) -> dict[str, list[Asked]]:
    """Return the answers of every way to ask, group by group."""
    asked: dict[str, list[Asked]] = {name: [] for name in openers}
    for place, group in enumerate(groups):
        foreign = groups[place - 1].questions if ask_foreign else ()
        async with keep(group) as store, AsyncExitStack() as opened:
            # All at once: the database would start and stop again for each of them.
            memories = {
                name: await opened.enter_async_context(opener(store.folder))
                for name, opener in openers.items()
            }
            for name, memory in memories.items():
                own = await _ask(memory, group.questions, store.document_of)
                others = await _ask(memory, foreign, store.document_of)
                asked[name].append(Asked(group.name, own, others))
    return asked


async def _ask(
    memory: Access, questions: Iterable[Question], document_of: Mapping[str, str]
) -> tuple[Answer, ...]:
    return tuple([await _answer(memory, question, document_of) for question in questions])


async def _answer(memory: Access, question: Question, document_of: Mapping[str, str]) -> Answer:
    started = time.perf_counter()
    found = await memory.search(question.text)
    milliseconds = (time.perf_counter() - started) * 1000
    ranked = tuple(dict.fromkeys(document_of[memory_id] for memory_id in found.memory_ids))
    return Answer(question, ranked, found.best_score, found.is_confident, milliseconds)
