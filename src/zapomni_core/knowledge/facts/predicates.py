"""The relations that facts are stated with."""

from __future__ import annotations

from typing import Final

from zapomni_core.knowledge.facts.rules_deeds import DEEDS
from zapomni_core.knowledge.facts.rules_people import PEOPLE
from zapomni_core.knowledge.facts.rules_tastes import TASTES
from zapomni_core.knowledge.facts.rules_things import THINGS

__all__ = ["PREDICATES"]

PREDICATES: Final = frozenset(rule.predicate for rule in (*PEOPLE, *THINGS, *TASTES, *DEEDS))
