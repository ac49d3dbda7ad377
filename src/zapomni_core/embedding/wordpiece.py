"""Cut text into the word pieces of uncased BERT models."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["Word", "WordPiece"]

CACHED_RUNS = 50_000
CACHED_RUN_CHARS = 100
CACHED_CHARACTERS = 20_000
LONGEST_WORD = 100
RUN = re.compile(r"\S+")
DROPPED_CATEGORIES = frozenset({"Mn", "Cc", "Cf", "Co", "Cs"})
CJK_IDEOGRAPHS = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)


class Word(NamedTuple):
    """A word or a sign, where it stands in the text, and its pieces."""

    start: int
    end: int
    ids: tuple[int, ...]


class WordPiece:
    """Tokenize text the way uncased BERT models were trained; safe to share between threads.

    Two differences to the usual implementation: words such as "[SEP]" in a text are plain
    text, and every character that str.split() splits at is a word boundary, so that the
    pieces of a text are the pieces of its whitespace-separated runs, one after the other.
    """

    def __init__(self, vocab_path: Path) -> None:
        """Read a vocabulary with one piece per line."""
        pieces = vocab_path.read_text("utf-8").rstrip("\n").split("\n")
        self._vocab = {piece: number for number, piece in enumerate(pieces)}
        self._unknown = (self._vocab["[UNK]"],)
        self._start = self._vocab["[CLS]"]
        self._end = self._vocab["[SEP]"]
        self._spacing = _Spacing()
        self._cached_run_ids = lru_cache(CACHED_RUNS)(self._run_ids)
        self._cached_run_words = lru_cache(CACHED_RUNS)(self._run_words)

    def encode(self, text: str, max_tokens: int) -> list[int]:
        """Return [CLS], the pieces and [SEP]; pieces beyond max_tokens (at least 2) are cut."""
        ids = [self._start]
        for run in self._ids(text):
            ids += run
            if len(ids) >= max_tokens:
                break
        return [*ids[: max_tokens - 1], self._end]

    def count(self, text: str) -> int:
        """Return the number of pieces, without [CLS] and [SEP]."""
        return sum(map(len, self._ids(text)))

    def words(self, text: str) -> Iterator[Word]:
        """Yield the words whose pieces encode() returns, with their places."""
        for match in RUN.finditer(text):
            run, offset = match[0], match.start()
            cached = len(run) <= CACHED_RUN_CHARS
            for word in self._cached_run_words(run) if cached else self._run_words(run):
                yield Word(word.start + offset, word.end + offset, word.ids)

    def special_ids(self) -> tuple[int, int]:
        """Return what encode() puts before and after the pieces."""
        return self._start, self._end

    def _ids(self, text: str) -> Iterator[tuple[int, ...]]:
        for run in text.split():
            # A cache of long runs would hold memory for texts that never come again.
            cached = len(run) <= CACHED_RUN_CHARS
            yield self._cached_run_ids(run) if cached else self._run_ids(run)

    def _run_ids(self, run: str) -> tuple[int, ...]:
        words = unicodedata.normalize("NFD", run).translate(self._spacing).split()
        return tuple(number for word in words for number in self._word_ids(word))

    def _run_words(self, run: str) -> tuple[Word, ...]:
        words: list[Word] = []
        pending: list[tuple[int, str]] = []  # the letters of the word that goes on
        for place, character in enumerate(run):
            spaced = unicodedata.normalize("NFD", character).translate(self._spacing)
            if spaced.startswith(" "):
                words += [*self._joined(pending), *self._joined([(place, spaced.strip())])]
                pending = []
            elif spaced or (pending and unicodedata.combining(character)):
                pending.append((place, spaced))
        return (*words, *self._joined(pending))

    def _joined(self, letters: list[tuple[int, str]]) -> list[Word]:
        word = "".join(letter for _, letter in letters)
        return [Word(letters[0][0], letters[-1][0] + 1, self._word_ids(word))] if word else []

    def _word_ids(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return self._unknown
        ids: list[int] = []
        start = 0
        while start < len(word):
            found = self._longest_piece(word, start)
            if found is None:
                return self._unknown
            number, start = found
            ids.append(number)
        return tuple(ids)

    def _longest_piece(self, word: str, start: int) -> tuple[int, int] | None:
        prefix = "##" if start else ""
        for end in range(len(word), start, -1):
            number = self._vocab.get(prefix + word[start:end])
            if number is not None:
                return number, end
        return None


class _Spacing(dict[int, str]):
    """A table for str.translate that fills itself, up to a bound."""

    def __missing__(self, code_point: int) -> str:
        spaced = _spaced(chr(code_point))
        if len(self) < CACHED_CHARACTERS:
            self[code_point] = spaced
        return spaced


def _spaced(character: str) -> str:
    """Lower a letter, drop a mark or control, set a word of its own between spaces."""
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    if category in DROPPED_CATEGORIES or character == "\N{REPLACEMENT CHARACTER}":
        return ""
    if _is_word_alone(character, category):
        return f" {character} "
    # One character at a time: str.lower() of a whole word turns a last sigma into another
    # letter, the models were trained without that rule.
    return character.lower()


def _is_word_alone(character: str, category: str) -> bool:
    is_ascii_symbol = character.isascii() and not character.isalnum()
    is_ideograph = any(ord(character) in block for block in CJK_IDEOGRAPHS)
    return is_ascii_symbol or is_ideograph or category[0] == "P"
