"""Made-up memories and questions: as many as needed, always the same ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

__all__ = ["memories", "questions"]

_PEOPLE = "Anna Boris Chen Dana Emil Fatima Georg Hana Ivan Julia Karim Lena Marco Nadia".split()
_PLACES = "Lisbon Tallinn Osaka Kazan Turin Bergen Quito Ghent Porto Riga Dakar Leeds".split()
_THINGS = (
    "invoice service|search index|kitchen renovation|sailing course|payment gateway|garden shed"
    "|data pipeline|tax report|birthday dinner|login page|backup server|language exam|bicycle"
    "|release checklist|camera lens|rental contract|unit tests|sourdough starter|router firmware"
).split("|")
_ACTS = (
    "decided to postpone|finished|asked about|paid for|complained about|moved|repaired|sold"
    "|prefers to review|forgot|tested|presented|cancelled|documented|inherited|automated"
).split("|")
_REASONS = (
    "because the budget was cut|since the old one kept failing|after a long talk with the landlord"
    "|so that nobody has to wait on Fridays|although the deadline is in {month}"
    "|because {person} will be away in {month}|to save about {number} euros a month"
    "|and wrote the steps down in the team handbook|which broke twice in {month}"
).split("|")
_MONTHS = "January February March April May June July August September October".split()


def memories(count: int, seed: int = 1) -> Iterator[str]:
    """Make distinct memories of about thirty words."""
    chance = random.Random(seed)
    for number in range(count):
        yield f"{_sentence(chance)} {_sentence(chance)} (note {number})"


def questions(count: int, seed: int = 2) -> Iterator[str]:
    """Make questions that such memories could answer."""
    chance = random.Random(seed)
    for _ in range(count):
        person, thing = chance.choice(_PEOPLE), chance.choice(_THINGS)
        yield chance.choice(
            (
                f"What did {person} do about the {thing} in {chance.choice(_PLACES)}?",
                f"Why was the {thing} {chance.choice(('moved', 'sold', 'cancelled', 'tested'))}?",
                f"Who {chance.choice(_ACTS)} the {thing} and when?",
            )
        )


def _sentence(chance: random.Random) -> str:
    reason = chance.choice(_REASONS).format(
        month=chance.choice(_MONTHS), person=chance.choice(_PEOPLE), number=chance.randint(5, 900)
    )
    return (
        f"{chance.choice(_PEOPLE)} from {chance.choice(_PLACES)} {chance.choice(_ACTS)} the "
        f"{chance.choice(_THINGS)} {reason}."
    )
