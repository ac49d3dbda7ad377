"""What holds now, what is over, and what was replaced, told from who said what when.

Nothing is ever replaced because it looks alike. A fact gives way only to another fact about the
same subject with the same predicate, if there can be only one of it at a time, and only if that
other fact was said to go on later than this one was last said to. What someone used to do, told
today, does not replace anything. If both were said at the same time, both stay and are marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import prod
from typing import Final, Literal, NamedTuple

__all__ = [
    "FIXED",
    "SINGLE_VALUED",
    "Assertion",
    "FactState",
    "Status",
    "states",
]

type Status = Literal["current", "ended", "superseded", "upcoming"]

# One at a time, and it changes. One may have two jobs, teams or (told apart badly) two names for
# a spouse, so of those a new one replaces the old one only if it is said to begin after it.
_REPLACED: Final = frozenset(("lives_in",))
_REPLACED_IF_NEW: Final = frozenset(("married_to", "plays_for", "works_at"))
SINGLE_VALUED: Final = _REPLACED | _REPLACED_IF_NEW

# There is one and it never changes: two of them are marked, and none replaces the other, since a
# later text may only be less exact ("1963" after "13 March 1963").
FIXED: Final = frozenset(("born_in", "born_on", "died_in", "died_on", "founded_on"))

_EXCLUSIVE: Final = FIXED | {"lives_in", "married_to"}

# Who lives in Lyon lives in France: such facts are no rivals.
_INSIDE: Final = frozenset(("capital_of", "located_in", "part_of"))
_MOST_SURE: Final = 0.99
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Assertion(NamedTuple):
    """One time that a fact is stated: when it was said, since and until when it was said to hold.

    `start` and `end` are the bounds of the sentence in the chunk. Times are UTC milliseconds.
    """

    fact_id: str
    subject: str
    predicate: str
    object: str
    confidence: float
    said_ms: int
    since_ms: int | None
    until_ms: int | None
    memory_id: str
    chunk_id: str
    start: int
    end: int

    @property
    def goes_on(self) -> bool:
        """Tell whether the fact held when this was said."""
        return (self.until_ms is None or self.until_ms > self.said_ms) and (
            self.since_ms is None or self.since_ms <= self.said_ms
        )


@dataclass(frozen=True, slots=True)
class FactState:
    """How a fact stands, and why; `evidence` is what it rests on, the newest first."""

    fact_id: str
    subject: str
    predicate: str
    object: str
    status: Status
    confidence: float
    since_ms: int | None
    until_ms: int | None
    superseded_by: str | None
    reason: str
    conflicts: tuple[str, ...]
    evidence: tuple[Assertion, ...]


@dataclass(frozen=True, slots=True)
class _Fact:
    evidence: tuple[Assertion, ...]

    @property
    def one(self) -> Assertion:
        return self.evidence[0]

    @property
    def slot(self) -> tuple[str, str]:
        return self.one.subject, self.one.predicate

    @property
    def attested_ms(self) -> int | None:
        """Give the last time at which it was said to go on."""
        return max((one.said_ms for one in self.evidence if one.goes_on), default=None)

    @property
    def since_ms(self) -> int | None:
        return min(
            (one.since_ms for one in self.evidence if one.since_ms is not None), default=None
        )

    def ended_ms(self, as_of_ms: int) -> int | None:
        """Give when it ended: not before it was last said to go on."""
        ends = [one.until_ms for one in self.evidence if one.until_ms is not None]
        if not ends:
            return None
        attested = self.attested_ms
        passed = [end for end in ends if end <= as_of_ms and (attested is None or end >= attested)]
        return max(passed, default=None)

    def is_upcoming(self, as_of_ms: int) -> bool:
        return all(one.since_ms is not None and one.since_ms > as_of_ms for one in self.evidence)


def states(
    assertions: Iterable[Assertion], as_of_ms: int, kept: AbstractSet[str] = frozenset()
) -> list[FactState]:
    """Tell how each fact stood at a time, by what had been said until then.

    The facts whose ids are in `kept` are not replaced by any other. The order is that in which
    the facts were first said.
    """
    said = sorted(
        (one for one in assertions if one.said_ms <= as_of_ms),
        key=lambda one: (one.said_ms, one.fact_id, one.memory_id, one.chunk_id, one.start),
    )
    facts = _facts(said)
    slots: dict[tuple[str, str], list[_Fact]] = defaultdict(list)
    for fact in facts:
        slots[fact.slot].append(fact)
    outer = _outer_places(said)
    settled = [_settled(fact, slots[fact.slot], outer, as_of_ms, kept) for fact in facts]
    return _with_conflicts(settled, outer, kept)


def _facts(said: Sequence[Assertion]) -> list[_Fact]:
    found: dict[str, list[Assertion]] = {}
    for one in said:
        found.setdefault(one.fact_id, []).append(one)
    return [_Fact(tuple(reversed(evidence))) for evidence in found.values()]


def _outer_places(said: Iterable[Assertion]) -> Mapping[str, frozenset[str]]:
    """Find all places that each place is said to lie in."""
    direct: dict[str, set[str]] = defaultdict(set)
    for one in said:
        if one.predicate in _INSIDE:
            direct[one.subject].add(one.object)
    return {place: _reached(place, direct) for place in direct}


def _reached(place: str, direct: Mapping[str, AbstractSet[str]]) -> frozenset[str]:
    found: set[str] = set()
    following = [place]
    while following:
        new = direct.get(following.pop(), frozenset()) - found
        found |= new
        following += new
    return frozenset(found)


def _can_both_hold(one: str, other: str, outer: Mapping[str, frozenset[str]]) -> bool:
    return other in outer.get(one, frozenset()) or one in outer.get(other, frozenset())


def _settled(
    fact: _Fact,
    slot: Sequence[_Fact],
    outer: Mapping[str, frozenset[str]],
    as_of_ms: int,
    kept: AbstractSet[str],
) -> FactState:
    if fact.is_upcoming(as_of_ms):
        return _state(fact, "upcoming", None, None, "It is said to begin later.")
    ended_ms = fact.ended_ms(as_of_ms)
    successor = None if fact.one.fact_id in kept else _successor(fact, slot, outer)
    if successor is not None:
        replaced_ms = _replaced_ms(fact, successor)
        if ended_ms is None or replaced_ms <= ended_ms:
            reason = (
                f"Another {fact.one.predicate} of the same subject was said on "
                f"{_day(successor.said_ms)}, after this was last said on "
                f"{_day(fact.attested_ms or 0)}."
            )
            return _state(fact, "superseded", replaced_ms, successor.fact_id, reason)
    if ended_ms is not None:
        return _state(
            fact, "ended", ended_ms, None, f"It is said to have ended by {_day(ended_ms)}."
        )
    return _state(fact, "current", _announced_end(fact), None, "Nothing later speaks against it.")


def _successor(
    fact: _Fact, slot: Sequence[_Fact], outer: Mapping[str, frozenset[str]]
) -> Assertion | None:
    """Find the first statement that replaces a fact."""
    predicate = fact.one.predicate
    if predicate not in SINGLE_VALUED or (attested_ms := fact.attested_ms) is None:
        return None
    rivals = (
        one
        for rival in slot
        if rival.one.object != fact.one.object
        and not _can_both_hold(rival.one.object, fact.one.object, outer)
        for one in rival.evidence
        if one.goes_on and one.said_ms > attested_ms
        if predicate in _REPLACED or _begins_after(one, fact)
    )
    return min(rivals, key=lambda one: (one.said_ms, one.fact_id), default=None)


def _begins_after(one: Assertion, fact: _Fact) -> bool:
    """Tell whether a statement says that something began after the fact was last said."""
    attested_ms = fact.attested_ms
    return one.since_ms is not None and attested_ms is not None and one.since_ms > attested_ms


def _replaced_ms(fact: _Fact, successor: Assertion) -> int:
    begun = successor.said_ms if successor.since_ms is None else successor.since_ms
    return max(begun, fact.attested_ms or begun)


def _announced_end(fact: _Fact) -> int | None:
    return fact.one.until_ms if fact.one.goes_on else None


def _state(
    fact: _Fact, status: Status, until_ms: int | None, successor: str | None, reason: str
) -> FactState:
    one = fact.one
    return FactState(
        fact_id=one.fact_id,
        subject=one.subject,
        predicate=one.predicate,
        object=one.object,
        status=status,
        confidence=_confidence(fact.evidence),
        since_ms=fact.since_ms,
        until_ms=until_ms,
        superseded_by=successor,
        reason=reason,
        conflicts=(),
        evidence=fact.evidence,
    )


def _confidence(evidence: Iterable[Assertion]) -> float:
    """Combine the evidence; what one memory says twice counts once."""
    best: dict[str, float] = {}
    for one in evidence:
        best[one.memory_id] = max(one.confidence, best.get(one.memory_id, 0.0))
    return min(1 - prod(1 - confidence for confidence in best.values()), _MOST_SURE)


def _with_conflicts(
    settled: Sequence[FactState], outer: Mapping[str, frozenset[str]], kept: AbstractSet[str]
) -> list[FactState]:
    """Mark the facts of which only one can hold although none replaces the other."""
    held: dict[tuple[str, str], list[FactState]] = defaultdict(list)
    for state in settled:
        if (
            state.predicate in _EXCLUSIVE
            and state.status == "current"
            and state.fact_id not in kept
        ):
            held[state.subject, state.predicate].append(state)
    rivals = {
        state.fact_id: tuple(
            other.fact_id
            for other in slot
            if other.object != state.object
            and not _can_both_hold(other.object, state.object, outer)
        )
        for slot in held.values()
        for state in slot
    }
    return [
        replace(state, conflicts=found) if (found := rivals.get(state.fact_id)) else state
        for state in settled
    ]


def _day(moment_ms: int) -> str:
    return (_EPOCH + timedelta(milliseconds=moment_ms)).date().isoformat()
