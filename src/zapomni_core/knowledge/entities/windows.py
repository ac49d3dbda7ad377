"""Cut a text into parts that the tagger reads whole, and write them as its input."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zapomni_core.embedding.builtin import Tokens
from zapomni_core.embedding.wordpiece import Word, WordPiece

__all__ = ["Window", "WindowCutter"]

# How a word is written, as the tagger was trained to be told. Further pieces of a word have
# the number of its first one plus CONTINUED.
LOWER, TITLE, UPPER, LETTER, MIXED, NUMBER, WITH_NUMBER, SIGN, SPECIAL = range(9)
CONTINUED = 10
SENTENCE_SIGNS = frozenset(".!?…。！？")


@dataclass(frozen=True, slots=True)
class Window:
    """Words of one text, the input for them, and the token that is read for each word."""

    words: Sequence[Word]
    tokens: Tokens
    places: list[int]


class WindowCutter:
    """Cuts at the last end of a sentence that fits."""

    def __init__(self, tokenizer: WordPiece, prefix: str, max_tokens: int) -> None:
        self._tokenizer = tokenizer
        self._prefix = [number for word in tokenizer.words(prefix) for number in word.ids]
        self._start, self._end = tokenizer.special_ids()
        self._room = max_tokens - len(self._prefix) - 2

    def cut(self, text: str) -> Iterator[Window]:
        """Yield windows that together have all words of the text."""
        words = list(self._tokenizer.words(text))
        while words:
            count = self._fitting(words, text)
            yield self._window(words[:count], text)
            words = words[count:]

    def _fitting(self, words: Sequence[Word], text: str) -> int:
        taken, sentence_end = 0, 0
        for count, word in enumerate(words):
            taken += len(word.ids)
            if taken > self._room:
                return sentence_end or max(count, 1)
            if text[word.start] in SENTENCE_SIGNS:
                sentence_end = count + 1
        return len(words)

    def _window(self, words: Sequence[Word], text: str) -> Window:
        ids = [self._start, *self._prefix]
        cases = [SPECIAL] * len(ids)
        places: list[int] = []
        for word in words:
            places.append(len(ids))
            case = _case_of(text[word.start : word.end])
            ids += word.ids
            cases += [case, *[case + CONTINUED] * (len(word.ids) - 1)]
        return Window(words, Tokens([*ids, self._end], [*cases, SPECIAL]), places)


def _case_of(word: str) -> int:
    if word.islower() and word.isalpha():
        return LOWER
    if not any(map(str.isalnum, word)):
        return SIGN
    if word.isdigit():
        return NUMBER
    if any(map(str.isdigit, word)):
        return WITH_NUMBER
    if not word.isalpha():
        return LOWER
    if word.isupper():
        return UPPER if len(word) > 1 else LETTER
    return TITLE if word[0].isupper() and word[1:].islower() else MIXED
