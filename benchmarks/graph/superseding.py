"""Facts that are replaced, and facts that only resemble each other.

A thousand pairs of statements that look alike must leave every fact as it is. In the others the
later statement changes something, and that must be seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from benchmarks.graph.relations import read_documents
from zapomni_core.knowledge.facts import claims_of
from zapomni_core.knowledge.model import SPEAKER, EntityType, Mention
from zapomni_core.knowledge.timeline import SINGLE_VALUED, Assertion, FactState, states

__all__ = ["measure_superseding"]

_SEED: Final = 11
_START: Final = datetime(2020, 1, 1, tzinfo=UTC)
_DAY: Final = timedelta(days=1)
_PLACES: Final = "Paris Berlin Rome Oslo Lima Quito Cairo Delhi Porto Turin Lyon Bonn".split()
_FIRMS: Final = "Acme Zeta Initech Globex Hooli Umbra Vandelay Stark Wayne Wonka".split()
_PEOPLE: Final = "Ann Anna Anne Hanna Bob Bobby Rob Robert Maria Marie Mary Marian".split()
_LOOKALIKES: Final = (
    # (statement, statement) with {p} and {q} persons, {a} and {b} places, {f} and {g} firms
    ("{p} lives in {a}.", "{q} lives in {b}."),
    ("{p} lives in {a}.", "{p} visited {b}."),
    ("{p} lives in {a}.", "{p} lives in {a}."),
    ("{p} works at {f}.", "{p} works at {g}."),
    ("{p} works at {f}.", "{q} joined {g} as a nurse in June 2024."),
    ("{p} visited {a}.", "{p} visited {b}."),
    ("{p} lives in {a}.", "{p} does not live in {b}."),
    ("{p} lives in {a}.", "{p} used to live in {b}."),
    ("{p} lives in {a}.", "If {p} lives in {b}, so be it."),
    ("{p} lives in {a}.", "Does {p} live in {b}?"),
    ("{p} lives in {a}.", "{p} would like to move to {b}."),
    ("{p} is married to {q}.", "{p}'s sister {r} lives in {a}."),
    ("{p} was born in {a}.", "{p} was born in {b}."),
    ("{p} is a member of {f}.", "{p} is a member of {g}."),
    ("{p} lives in {a}.", "{p}'s brother {q} moved to {b}."),
)
_CHANGES: Final = (
    ("{p} lives in {a}.", "{p} moved to {b}.", "superseded"),
    ("{p} lives in {a}.", "{p} now lives in {b}.", "superseded"),
    ("{p} lives in {a}.", "{p} has moved from {a} to {b}.", "ended superseded"),
    ("{p} lives in {a}.", "{p} no longer lives in {a}.", "ended"),
    ("{p} moved to {a} in May 2019.", "{p} lives in {b}.", "superseded"),
    ("{p} works at {f}.", "{p} left {f} last month.", "ended"),
    ("{p} works at {f}.", "{p} used to work at {f}.", "ended"),
    ("{p} works at {f}.", "{p} just started working at {g}.", "superseded"),
    ("{p} is the CEO of {f}.", "{p} was the CEO of {f} until last month.", "ended"),
    ("{p} works for {f}.", "{p} was fired from {f}.", "ended"),
)


@dataclass(frozen=True, slots=True)
class Cast:
    """The names of one pair of statements."""

    names: dict[str, str]
    types: dict[str, EntityType]


def measure_superseding(documents: Path | None) -> None:
    """Print how many facts were wrongly replaced, and how many changes were seen."""
    choice = random.Random(_SEED)
    wrong = Counter[str]()
    for number in range(1000):
        first, second = _LOOKALIKES[number % len(_LOOKALIKES)]
        found = _states((first, second), _cast(choice))
        wrong[first + " / " + second] += sum(one.status == "superseded" for one in found)
        wrong["ended by mistake"] += found[0].status != "current" if found else 0
    print(f"\nSuperseding: 1000 lookalikes, wrongly replaced or ended: {wrong.total()}")
    seen = Counter[str]()
    for number in range(500):
        first, second, expected = _CHANGES[number % len(_CHANGES)]
        found = _states((first, second), _cast(choice))
        seen[first + " / " + second] += bool(found) and found[0].status in expected.split()
    print(f"500 changes, recognised: {seen.total()} = {seen.total() / 500:.1%}")
    for name, count in seen.items():
        if count < 500 // len(_CHANGES):
            print(f"  missed: {name} ({count})")
    if documents is not None:
        _show_documents(documents)


def _cast(choice: random.Random) -> Cast:
    people = choice.sample(_PEOPLE, 3)
    places, firms = choice.sample(_PLACES, 2), choice.sample(_FIRMS, 2)
    names = dict(zip("pqrabfg", (*people, *places, *firms), strict=True))
    types: dict[str, EntityType] = {
        name: "person" if one in "pqr" else "place" if one in "ab" else "organisation"
        for one, name in names.items()
    }
    return Cast(names, types)


def _states(statements: tuple[str, ...], cast: Cast) -> list[FactState]:
    said = [
        one
        for number, statement in enumerate(statements)
        for one in _assertions(statement, cast, _START + 90 * number * _DAY)
    ]
    return states(said, _ms(_START + 400 * _DAY))


def _assertions(statement: str, cast: Cast, said_at: datetime) -> Iterator[Assertion]:
    text, mentions = "", []
    for piece in statement.replace("{", "}").split("}"):
        name = cast.names.get(piece) if len(piece) == 1 else None
        if name is not None:
            mentions.append(Mention(len(text), len(text) + len(name), cast.types[name], 1.0))
        text += piece if name is None else name
    yield from _said(text, mentions, said_at, "memory")


def _said(
    text: str, mentions: list[Mention], said_at: datetime, memory: str
) -> Iterator[Assertion]:
    reading = claims_of(text, mentions, said_at)
    names = [text[one.start : one.end] for one in reading.mentions]
    for claim in reading.claims:
        if claim.subject != SPEAKER:
            subject, other = names[claim.subject], names[claim.object]
            yield Assertion(
                f"{subject}|{claim.predicate}|{other}",
                subject,
                claim.predicate,
                other,
                claim.confidence,
                _ms(said_at),
                claim.from_ms,
                claim.to_ms,
                memory,
                "chunk",
                claim.start,
                claim.end,
            )


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _show_documents(path: Path) -> None:
    """Read real documents one after the other, as if each was said a day later."""
    said = [
        one
        for number, document in enumerate(read_documents(path))
        for one in _said(
            document.text, list(document.mentions), _START + number * _DAY, document.title
        )
    ]
    found = states(said, _ms(_START + 10_000 * _DAY))
    replaced = [one for one in found if one.status == "superseded"]
    single = sum(one.predicate in SINGLE_VALUED for one in found)
    print(
        f"{len(found)} facts of real documents, {single} of them single: {len(replaced)} replaced"
    )
    for one in replaced:
        print(f"  {one.fact_id} by {one.superseded_by}: {one.reason}")
