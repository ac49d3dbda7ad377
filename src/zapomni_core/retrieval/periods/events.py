"""Times that are told by what happened: "before the move", "since our trip to Rome"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from zapomni_core.retrieval.periods.mentions import Period

__all__ = ["Event", "mentioned_event"]

type _Side = Literal["before", "after"]

_EVENT: Final = re.compile(
    r"\b(?P<side>before|after|since|until)\s+(?P<event>(?:the|my|our|his|her|their|\w+['’]s)\s+"
    r"\w[\w'’-]*(?:\s+(?!(?:did|do|does|was|were|is|are|had|has|have|what|who|where|when|how)\b)"
    r"\w[\w'’-]*){0,4})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and which side of it a query asks about."""

    side: _Side
    words: str
    phrase: str

    def period(self, happened_ms: int) -> Period:
        """Return the time before or after the event."""
        if self.side == "before":
            return Period(None, happened_ms, self.phrase)
        return Period(happened_ms, None, self.phrase)


def mentioned_event(query: str) -> Event | None:
    """Find the event that a query counts time from."""
    match = _EVENT.search(query)
    if match is None:
        return None
    side: _Side = "before" if match["side"].casefold() in ("before", "until") else "after"
    return Event(side, match["event"], match[0])
