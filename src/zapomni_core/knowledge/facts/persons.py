"""Who "I" and "she" are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zapomni_core.knowledge.facts.masking import Sentence, number_of
from zapomni_core.knowledge.model import SPEAKER, Mention

__all__ = ["Persons"]

_TURN: Final = re.compile(r"(?:\[[^\]]*\]\s*)?(?P<who>⟪\w\d+⟫|[a-z]+)\s*:\s")
_MACHINES: Final = frozenset(("assistant", "ai", "bot", "system", "model"))
_PRONOUN: Final = re.compile(r"\b(?:he|she|his|her)\b")
_SUBJECT: Final = re.compile(r"(?:[^⟪]{0,30}(?:⟪[^P]\d+⟫)?\s*,\s*)?[\"“]?⟪P")
_FIRST: Final = frozenset(("i", "we", "my", "our"))
_THIRD: Final = frozenset(("he", "she", "his", "her"))


class Persons:
    """Follows a text: who speaks, and who was spoken of last.

    Only what one person alone could be said to be is told of "he" and "she": those who talk with
    each other also address each other, so in a conversation nobody is.
    """

    def __init__(self, text: str, mentions: Sequence[Mention], speaker: str) -> None:
        self._text = text
        self._mentions = mentions
        self._default = SPEAKER if speaker else None
        self._me = self._default
        self._last: int | None = None

    def hear(self, sentence: Sentence) -> None:
        """Notice who says a sentence, if it begins a turn."""
        is_line_start = sentence.start == 0 or self._text[sentence.start - 1] in "\n\r \t"
        turn = _TURN.match(sentence.masked) if is_line_start else None
        if turn is None:
            return
        self._last = None
        if turn["who"].startswith("⟪P") or (turn["who"].startswith("⟪") and self._default):
            self._me = number_of(turn["who"])
        elif turn["who"] in _MACHINES:
            self._me = None
        else:
            self._me = self._default

    def who_is(self, word: str, before: str) -> int | None:
        """Say whom a mark or a pronoun stands for, in a sentence that begins like this."""
        if word.startswith("⟪"):
            return number_of(word)
        if word in _FIRST:
            return self._me
        is_known = word in _THIRD and self._me is None and "⟪P" not in before
        return self._last if is_known else None

    @property
    def has_subject(self) -> bool:
        """Tell whether a pronoun can stand for somebody."""
        return self._me is not None or self._last is not None

    def remember(self, sentence: Sentence) -> None:
        """Keep the only person of a sentence, its subject, for the next one."""
        persons = [one for one in sentence.mentions if self._mentions[one].type == "person"]
        if persons:
            names = {self._name(one).split()[-1] for one in persons}
            is_subject = _SUBJECT.match(sentence.masked) is not None
            self._last = persons[0] if len(names) == 1 and is_subject else None
        elif _PRONOUN.search(sentence.masked) is None:
            self._last = None

    def _name(self, number: int) -> str:
        mention = self._mentions[number]
        return self._text[mention.start : mention.end].casefold() or "?"
