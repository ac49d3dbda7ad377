"""What makes a sentence no statement: a question, a denial, a condition, a wish, a rumour."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["clause_start", "is_denied", "is_doubtful", "stated_until"]

_QUESTION: Final = re.compile(r"\?[\"'”’)\]*\s]*$")
_OPENER: Final = (
    r"(?:what|how|why|who|where|when|which|whose|can|could|do|does|did|is|are|was|were|should"
    r"|would|will|have|has|any|am)(?!\w)"
)
_ASKING: Final = re.compile(rf"\W*(?:{_OPENER})")
_ASKS_NEXT: Final = re.compile(rf"(?:[,;–—]|\s-)\s*(?:(?:and|but|so)\s+)?{_OPENER}")
_CLAUSE: Final = re.compile(r"[,;:–—(]|\s-\s|\b(?:but|and|so|because|although|while|whereas)\b")
_DENIAL: Final = re.compile(
    r"\b(?:not|never|neither|nor|hardly|barely|without|refused?|denie[sd]|deny|fail(?:s|ed)? to"
    r"|stop(?:ped)?|instead of|rather than|no one|nobody|none|far from|false|untrue|myth)\b"
)
# Before the fact, anywhere in the sentence.
_CONDITION: Final = re.compile(
    r"\b(?:if|unless|whether|for when|wish(?:es|ed)?|would|imagin(?:e|ed|ing)|pretend(?:s|ed|ing)?"
    r"|suppos(?:e|ing)|in case|as though|what about|how about|had i|were to|let's say|joke[sd]?"
    r"|joking|hypothetical(?:ly)?|rumou?r(?:s|ed)?|dream(?:s|ed|t|ing)? (?:that|of|about))\b"
)
# Before the fact, in its own clause.
_DOUBT: Final = re.compile(
    r"\b(?:what|could|might|(?<!\d )may(?! \d)|maybe|perhaps|possibly|probably|should"
    r"|hop(?:e[sd]?|ing)"
    r"|want(?:s|ed)?|wanna|going to|gonna|will|shall|plan(?:s|ned|ning)?|consider(?:s|ed|ing)?"
    r"|think(?:s|ing)?|thought|guess|believ(?:e[sd]?|ing)|doubts?|doubted|allegedly|reportedly"
    r"|supposedly|apparently|presumably|claim(?:s|ed)?|seem(?:s|ed)?|assum(?:e[sd]?|ing)"
    r"|wonder(?:s|ed|ing)?|ask(?:s|ed)?|unsure|about to|expect(?:s|ed)?|tr(?:y|ies|ied|ying) to"
    r"|almost|nearly|can|used to think|like to|love to|in order to"
    r"|offer(?:s|ed)?|asked|invited|supposed to|scheduled to|set to|ought|must|let us|let's"
    r"|feels? like|as if)\b"
)
_WITHIN: Final = re.compile(
    r"\b(?:will|would|could|might|(?<!\d )may(?! \d)|should|shall|must|maybe|perhaps)\b"
)


def stated_until(masked: str) -> int:
    """Tell where a sentence stops to state and begins to ask."""
    if _QUESTION.search(masked) is None:
        return len(masked)
    if _ASKING.match(masked):
        return 0
    return max((match.start() for match in _ASKS_NEXT.finditer(masked)), default=0)


def clause_start(masked: str, place: int) -> int:
    """Find where the clause begins that is under way at a place."""
    return max((match.end() for match in _CLAUSE.finditer(masked, 0, place)), default=0)


def is_denied(masked: str, begin: int, end: int) -> bool:
    """Tell whether what is said between two places is said not to be so."""
    return _DENIAL.search(masked, clause_start(masked, begin), end) is not None


def is_doubtful(masked: str, begin: int, end: int) -> bool:
    """Tell whether what is said between two places is only possible, wanted or reported."""
    return (
        _CONDITION.search(masked, 0, begin) is not None
        or _DOUBT.search(masked, clause_start(masked, begin), begin) is not None
        or _WITHIN.search(masked, begin, end) is not None
    )
