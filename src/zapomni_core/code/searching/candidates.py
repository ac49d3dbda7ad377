"""Choose the symbols that are ranked: by their words, by their vectors, by names in the query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from zapomni_core.code.languages import TEXT_LANGUAGES
from zapomni_core.code.searching.query import CodeQuery
from zapomni_core.code.searching.ranking import Candidate
from zapomni_core.retrieval.lexicon import Lexicon
from zapomni_db.code import Symbol

__all__ = ["NAMED", "NEAREST", "WORDED", "Legs", "candidate", "worded", "worded_among"]

# How many symbols each leg brings: for each name, by vector, by words.
NAMED: Final = 10
NEAREST: Final = 100
WORDED: Final = 150
_PROSE: Final = frozenset(TEXT_LANGUAGES)


@dataclass(frozen=True, slots=True)
class Legs:
    """What was found in one repository, by the keys of symbols.

    Only the best by words have a score there, and only the nearest a similarity.
    """

    symbols: Mapping[str, Symbol]
    worded: Mapping[str, float]
    near: Mapping[str, float]


def worded(lexicon: Lexicon, query: CodeQuery, count: int = WORDED) -> dict[str, float]:
    """Find the best symbols by words, with their scores."""
    ranking = lexicon.search(query.terms, count)
    scores = ranking.scores.tolist()
    return dict(zip(lexicon.chunk_ids(ranking.rows), scores, strict=True))


def worded_among(lexicon: Lexicon, query: CodeQuery, keys: Sequence[str]) -> dict[str, float]:
    """Find the best by words of these symbols, with their scores."""
    scores = lexicon.scores_of(query.terms, lexicon.rows_of(keys)).tolist()
    found = [(score, key) for score, key in zip(scores, keys, strict=True) if score]
    best = sorted(found, key=lambda each: -each[0])[:WORDED]
    return {key: score for score, key in best}


def candidate(candidate_id: str, key: str, legs: Legs) -> Candidate:
    """Describe one of the found symbols to the ranking."""
    symbol = legs.symbols[key]
    return Candidate(
        id=candidate_id,
        name=symbol.name if symbol.qname else "",
        qname=symbol.qname,
        path=symbol.path,
        kind=symbol.kind,
        is_test=symbol.is_test,
        is_prose=symbol.language in _PROSE,
        lexical=legs.worded.get(key, 0.0),
        similarity=legs.near.get(key),
    )
