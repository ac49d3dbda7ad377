"""Token counts of stretches of one text."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measure stretches of a text in the tokens of its counter."""

    text: str
    count_tokens: Callable[[str], int]

    def measure(self, start: int, end: int) -> int:
        """Return the token count of `text[start:end]`."""
        return self.count_tokens(self.text[start:end])
