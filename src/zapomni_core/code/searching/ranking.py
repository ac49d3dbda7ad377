"""Rank symbols by their words, their vectors, their names, and the files they stand in."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from zapomni_core.code.searching.query import CodeQuery
from zapomni_core.code.searching.terms import name_words

__all__ = ["BUILT_IN", "Candidate", "RankedSymbol", "Signals", "Weights", "rank"]


class Candidate(NamedTuple):
    """A symbol that may be meant; the code outside of definitions has an empty name.

    `lexical` is the BM25 score, `similarity` the cosine, None where there is no vector yet.
    """

    id: str
    name: str
    qname: str
    path: str
    kind: str
    lexical: float
    similarity: float | None = None
    is_test: bool = False
    is_generated: bool = False
    is_prose: bool = False


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much; words and vectors are stretched to 0..1 before they are weighed.

    `alone_` is for snippets, of which each stands alone in its file. `test`, `aside` and `prose`
    are factors for what is rarely meant, `further` the one for each further symbol of a file.
    """

    vectors: float = 0.45
    alone_vectors: float = 0.9
    symbol_vectors: float = 0.3
    definition: float = 1.5
    mention: float = 0.4
    name: float = 0.4
    alone_name: float = 0.1
    stem: float = 0.1
    file: float = 1.2
    test: float = 0.3
    aside: float = 0.3
    prose: float = 0.4
    further: float = 0.2


class Signals(NamedTuple):
    """What each signal adds to a score, and the factor for where the symbol stands."""

    words: float
    vectors: float
    definition: float
    name: float
    stem: float
    file: float = 0.0
    place: float = 1.0

    @property
    def own(self) -> float:
        """What the symbol earns without the others of its file."""
        return self.words + self.vectors + self.definition + self.name + self.stem

    @property
    def score(self) -> float:
        """The score before other symbols of the file are taken first."""
        return (self.own + self.file) * self.place


class RankedSymbol(NamedTuple):
    """A symbol, its score and why it has it."""

    id: str
    path: str
    score: float
    signals: Signals


BUILT_IN: Final = Weights()

_TYPES: Final = frozenset({"class", "interface", "struct", "enum", "union", "type", "module"})
_ASIDE: Final = re.compile(
    r"(?:^|/)_?(?:examples?|samples?|demos?|compat|legacy|deprecated|vendor|third_party|fixtures?"
    r"|benchmarks?|migrations?)(?:/|\.)|\.d\.[cm]?ts$",
    re.IGNORECASE,
)
# Names that many files have say nothing of what is in them.
_COMMON_STEMS: Final = frozenset({"init", "index", "mod", "main", "lib"})
# What is less similar than this many others is not similar at all.
_NEAREST: Final = 100
_BEST_OF_FILE: Final = 5
_PATHS_KEPT: Final = 16384
_ASKED_FOR: Final = 0.7
_WHOLE, _OTHER_CASE, _LAST_NAME, _LAST_NAME_OTHER_CASE = 1.0, 0.8, 0.6, 0.4
_TYPE, _FREE, _MEMBER = 1.0, 0.9, 0.7


def rank(
    query: CodeQuery, candidates: Sequence[Candidate], limit: int, weights: Weights = BUILT_IN
) -> list[RankedSymbol]:
    """Return the best candidates, best first, with what speaks for each of them."""
    own = _own_signals(query, candidates, weights)
    of_files = _file_scores(candidates, own)
    best_file = max(of_files.values(), default=0.0) or 1.0
    scored = []
    for candidate, signals in zip(candidates, own, strict=True):
        whole = Signals(
            signals.words,
            signals.vectors,
            signals.definition,
            signals.name,
            signals.stem,
            file=weights.file * of_files[candidate.path] / best_file,
            place=_place(query, candidate, weights),
        )
        scored.append(RankedSymbol(candidate.id, candidate.path, whole.score, whole))
    return _saturated(scored, weights.further)[:limit]


def _own_signals(
    query: CodeQuery, candidates: Sequence[Candidate], weights: Weights
) -> list[Signals]:
    alone = _alone_share(candidates)
    words = _stretched([candidate.lexical for candidate in candidates], 0.0)
    similarities = [candidate.similarity for candidate in candidates]
    vectors = _stretched(similarities, _floor(similarities))
    share = _vector_share(query, alone, any(words), any(vectors), weights)
    naming = weights.definition if query.kind == "symbol" else weights.mention
    per_word = weights.name + alone * (weights.alone_name - weights.name)
    return [
        Signals(
            words=(1 - share) * word,
            vectors=share * vector,
            definition=naming * _best_named(query.names, candidate),
            name=per_word * _covered(query.words, name_words(candidate.qname)),
            stem=weights.stem * _covered(_stem_words(candidate.path), query.words),
        )
        for candidate, word, vector in zip(candidates, words, vectors, strict=True)
    ]


def _alone_share(candidates: Sequence[Candidate]) -> float:
    """Tell how many candidates are the only ones of their files: all of them in snippets."""
    counted = Counter(candidate.path for candidate in candidates)
    return sum(count == 1 for count in counted.values()) / max(1, len(candidates))


def _vector_share(
    query: CodeQuery, alone: float, has_words: bool, has_vectors: bool, weights: Weights
) -> float:
    if not (has_words and has_vectors):
        return float(has_vectors)
    if query.kind != "sentence":
        return weights.symbol_vectors
    return weights.vectors + alone * (weights.alone_vectors - weights.vectors)


def _floor(similarities: Sequence[float | None]) -> float:
    known = sorted((each for each in similarities if each is not None), reverse=True)
    return known[min(_NEAREST, len(known)) - 1] if known else 0.0


def _stretched(values: Sequence[float | None], floor: float) -> list[float]:
    highest = max((value for value in values if value is not None), default=floor)
    if highest <= floor:
        return [float(value is not None and value == highest > 0) for value in values]
    span = highest - floor
    return [0.0 if value is None else max(0.0, (value - floor) / span) for value in values]


def _best_named(names: Sequence[str], candidate: Candidate) -> float:
    return max([_named(name, candidate) for name in names]) if names else 0.0


def _named(name: str, candidate: Candidate) -> float:
    """Tell how well a name written in the query fits a symbol, and its file that name."""
    fit = _fit(name, candidate)
    if not fit:
        return 0.0
    if candidate.kind in _TYPES:
        fit *= _TYPE
    else:
        fit *= _MEMBER if "." in candidate.qname else _FREE
    wanted, stem = name_words(name.rpartition(".")[2]), _stem_words(candidate.path)
    return fit * (1 + len(wanted & stem) / max(1, len(wanted | stem)) / 2)


def _fit(name: str, candidate: Candidate) -> float:
    if not candidate.name:
        return 0.0
    last = name.rpartition(".")[2]
    if candidate.name == name or (last != name and f".{candidate.qname}".endswith(f".{name}")):
        return _WHOLE
    if _one_case(candidate.name) != _one_case(last):
        return 0.0
    if last == name:
        return _OTHER_CASE
    return _LAST_NAME if candidate.name == last else _LAST_NAME_OTHER_CASE


def _one_case(name: str) -> str:
    return name.casefold().replace("_", "")


@lru_cache(_PATHS_KEPT)
def _stands_aside(path: str) -> bool:
    return _ASIDE.search(path) is not None


@lru_cache(_PATHS_KEPT)
def _stem_words(path: str) -> frozenset[str]:
    return name_words(path.rpartition("/")[2].partition(".")[0]) - _COMMON_STEMS


def _covered(wanted: frozenset[str], found: frozenset[str]) -> float:
    return len(wanted & found) / len(wanted) if wanted else 0.0


def _file_scores(candidates: Sequence[Candidate], signals: Sequence[Signals]) -> dict[str, float]:
    """Add up the best symbols of each file: one hit may be chance, five are a subject."""
    of_file: dict[str, list[float]] = defaultdict(list)
    for candidate, each in zip(candidates, signals, strict=True):
        of_file[candidate.path].append(each.own)
    return {
        path: sum(sorted(scores, reverse=True)[:_BEST_OF_FILE]) for path, scores in of_file.items()
    }


def _place(query: CodeQuery, candidate: Candidate, weights: Weights) -> float:
    factor = weights.test if candidate.is_test else 1.0
    if candidate.is_prose:
        factor *= weights.prose
    if candidate.is_generated or _stands_aside(candidate.path):
        factor *= weights.aside
    # Who asks for the very name of a test means it, unless something else is called so too.
    is_asked_for = query.kind == "symbol" and any(
        _fit(name, candidate) == _WHOLE for name in query.names
    )
    return max(factor, _ASKED_FOR) if is_asked_for else factor


def _saturated(scored: Sequence[RankedSymbol], factor: float) -> list[RankedSymbol]:
    """Make room for other files: each further symbol of a file counts less."""
    taken: Counter[str] = Counter()
    lowered = []
    for symbol in sorted(scored, key=_order):
        score = symbol.score * factor ** taken[symbol.path]
        lowered.append(RankedSymbol(symbol.id, symbol.path, score, symbol.signals))
        taken[symbol.path] += 1
    return sorted(lowered, key=_order)


def _order(symbol: RankedSymbol) -> tuple[float, str]:
    return -symbol.score, symbol.id
