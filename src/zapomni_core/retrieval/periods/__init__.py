"""Understand the time that a query speaks of, and how close a memory is to it."""

from zapomni_core.retrieval.periods.closeness import closeness
from zapomni_core.retrieval.periods.events import Event, mentioned_event
from zapomni_core.retrieval.periods.mentions import Period, mentioned_period

__all__ = ["Event", "Period", "closeness", "mentioned_event", "mentioned_period"]
