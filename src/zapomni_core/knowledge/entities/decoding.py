"""Read names out of the probabilities that the tagger gives for each word."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zapomni_core.embedding.wordpiece import Word
from zapomni_core.knowledge.model import EntityType, Mention

__all__ = ["Decoder"]

# Between two parts of one word: "O'Brien", "nomic-embed-text", "Node.js", "AT&T".
JOINING_SIGNS = frozenset("-'’._&+")
# Behind a hyphen these make an adjective of a name: "Python-based", "Berlin-born".
_ADJECTIVE_ENDS = (
    "based born like style led owned related specific compatible powered driven aware native"
    " backed only free wide era level made trained friendly first ready"
)
ADJECTIVE_ENDS = frozenset(_ADJECTIVE_ENDS.split())


class Decoder:
    """Knows the labels of a tagger: "O", then "B-" and "I-" of each type in turn."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._types: list[EntityType] = [label[2:] for label in labels[1::2]]  # type: ignore[misc]

    def mentions(
        self, text: str, words: Sequence[Word], probabilities: NDArray[np.float32]
    ) -> Iterator[Mention]:
        """Yield the names, in order; `probabilities` has one row for each word."""
        return _joined(text, self._cut_mentions(text, words, probabilities))

    def _cut_mentions(
        self, text: str, words: Sequence[Word], probabilities: NDArray[np.float32]
    ) -> Iterator[Mention]:
        begins, insides = probabilities[:, 1::2], probabilities[:, 2::2]
        of_types = begins + insides
        for first, last in _spans(text, words, probabilities):
            sums = of_types[first:last].sum(axis=0)
            best = int(sums.argmax())
            confidence = float(sums[best]) / (last - first)
            start, end = words[first].start, words[last - 1].end
            yield Mention(start, end, self._types[best], round(confidence, 3))


def _joined(text: str, mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Make one name of two of a type that only a space parts.

    In seven corpora four of five such pairs are one name, cut in the middle.
    """
    open_mention: Mention | None = None
    for mention in mentions:
        if open_mention and _is_one_name(text, open_mention, mention):
            confidence = min(open_mention.confidence, mention.confidence)
            open_mention = replace(open_mention, end=mention.end, confidence=confidence)
            continue
        if open_mention:
            yield open_mention
        open_mention = mention
    if open_mention:
        yield open_mention


def _is_one_name(text: str, one: Mention, other: Mention) -> bool:
    is_near = other.start - one.end == 1 and text[one.end] == " "
    return is_near and one.type == other.type and one.type != "place"


def _spans(
    text: str, words: Sequence[Word], probabilities: NDArray[np.float32]
) -> Iterator[tuple[int, int]]:
    """Yield the first and the past-last word of each name.

    A word belongs to a name if that is likelier than not, whatever the type; it begins a new
    one if that is likelier than going on, except in the middle of a written word.
    """
    is_named = (probabilities[:, 0] < 0.5).tolist()
    is_begin = (probabilities[:, 1::2].sum(axis=1) > probabilities[:, 2::2].sum(axis=1)).tolist()
    first = None
    for place, named in enumerate(is_named):
        is_glued = first is not None and _is_glued(text, words, place)
        if first is not None and not is_glued and (not named or is_begin[place]):
            yield first, place
            first = None
        if named and first is None:
            first = place
    if first is not None:
        yield first, len(words)


def _is_glued(text: str, words: Sequence[Word], place: int) -> bool:
    """Tell whether this is the middle or the end of a word that signs hold together."""
    before, word = words[place - 1], words[place]
    if before.end != word.start:
        return False
    written = text[word.start : word.end]
    if written in JOINING_SIGNS:
        following = words[place + 1] if place + 1 < len(words) else None
        return (
            following is not None
            and following.start == word.end
            and text[following.start].isalnum()
            and _is_part(text[following.start : following.end])
        )
    return text[before.start : before.end] in JOINING_SIGNS and _is_part(written)


def _is_part(written: str) -> bool:
    return written not in ADJECTIVE_ENDS and written not in {"s", "S"}
