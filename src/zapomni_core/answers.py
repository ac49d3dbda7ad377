"""Turn hits into an answer: duplicates collapsed, bounded in size, explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import orjson

from zapomni_core.models import Explanation, Search, SearchResultItem, moment_of, public_id
from zapomni_core.retrieval import Hit, excerpt
from zapomni_core.retrieval.terms import query_terms

__all__ = ["Answer", "collapsed", "explained", "item_of", "within"]

_CHARS_PER_TOKEN: Final = 3
_MOST_WORDS: Final = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """A hit, and the memories that say the same."""

    hit: Hit
    also_in: tuple[str, ...] = ()


def collapsed(hits: Sequence[Hit], limit: int) -> list[Answer]:
    """Keep the best of hits that say the same, and name the others' memories.

    A sign or a word in a hundred may be what has changed since: only case, white space and the
    end of the sentence make no difference.
    """
    answers: dict[str, Answer] = {}
    for hit in hits:
        said = _said(hit.record.text)
        best = answers.setdefault(said, Answer(hit))
        if hit.record.memory_id not in (best.hit.record.memory_id, *best.also_in):
            answers[said] = replace(best, also_in=(*best.also_in, hit.record.memory_id))
    return _each_memory_first([*answers.values()], limit)


def _each_memory_first(answers: Sequence[Answer], limit: int) -> list[Answer]:
    """Leave out further pieces of the same memories before anything else; keep the order."""
    first = {each.hit.record.memory_id: n for n, each in reversed([*enumerate(answers)])}
    chosen = sorted(range(len(answers)), key=lambda n: n not in first.values())[:limit]
    return [answers[n] for n in sorted(chosen)]


def _said(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!…") or text


def item_of(answer: Answer, query: str) -> SearchResultItem:
    """Show a hit as clients see it."""
    record = answer.hit.record
    return SearchResultItem(
        memory_id=public_id(record.memory_id),
        text=record.text,
        similarity_score=round(answer.hit.score, 4),
        tags=record.tags,
        source=record.source,
        timestamp=moment_of(record.timestamp_ms),
        highlight=excerpt(record.text, query),
        chunk_id=public_id(record.chunk_id),
        chunk_index=record.index,
        start_char=record.start,
        end_char=record.end,
        metadata=orjson.loads(record.metadata_json),
        also_in=tuple(map(public_id, answer.also_in)),
    )


def explained(
    item: SearchResultItem, hit: Hit, search: Search, phrase: str | None, texts: Mapping[str, str]
) -> SearchResultItem:
    """Say of a hit why it was found; `texts` holds the chunks around it."""
    if hit.ranked is None:
        return item
    evidence, wanted = hit.ranked.evidence, set(query_terms(search.query))
    words = dict.fromkeys(word for word in item.text.split() if wanted & set(query_terms(word)))
    added = {
        "vectors": evidence.vectors,
        "words": evidence.words,
        "context": evidence.context,
        "speaker": evidence.speaker,
        "period": evidence.period,
        "named": evidence.named,
    }
    if hit.judged is not None:
        added["reranker"] = hit.judged
    why = Explanation(
        similarity=None if evidence.similarity is None else round(evidence.similarity, 4),
        vector_rank=evidence.vector_rank,
        word_rank=evidence.word_rank,
        nearness=round(hit.ranked.signs.nearness, 4),
        coverage=round(hit.ranked.signs.coverage, 4),
        matched_words=tuple(words)[:_MOST_WORDS],
        period=phrase,
        added={name: round(value, 4) for name, value in added.items()},
        before=texts.get(hit.ranked.before or ""),
        after=texts.get(hit.ranked.after or ""),
    )
    return replace(item, why=why)


def within(
    items: Sequence[SearchResultItem],
    max_tokens: int | None,
    count_tokens: Callable[[str], int],
    query: str,
) -> list[SearchResultItem]:
    """Keep the first items that fit together; if not even the best fits, cut its text."""
    if max_tokens is None:
        return list(items)
    kept: list[SearchResultItem] = []
    left = max_tokens
    for item in items:
        left -= count_tokens(item.text)
        if left < 0:
            break
        kept.append(item)
    if not kept and items:
        kept = [_cut(items[0], max_tokens, query)]
    return kept


def _cut(item: SearchResultItem, max_tokens: int, query: str) -> SearchResultItem:
    text = excerpt(item.text, query, width=max_tokens * _CHARS_PER_TOKEN)
    return replace(item, text=text, highlight=excerpt(text, query))
