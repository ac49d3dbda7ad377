"""Tell what is known about an entity: walk from it along facts and shared texts."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from zapomni_core.knowledge import timeline
from zapomni_core.knowledge.facts.predicates import PREDICATES
from zapomni_core.knowledge.names.keys import TITLE, entity_id, name_key, shown_name
from zapomni_core.knowledge.results import (
    EntityDetails,
    Evidence,
    FactStatus,
    Related,
    Relation,
)
from zapomni_core.knowledge.sentences import sentence_around
from zapomni_core.models import Walk, moment_of, public_id
from zapomni_db import AliasLink, Assertion, Companion, EntityEnd, EntityNode, Knowledge, Store
from zapomni_db import Evidence as StoredEvidence

__all__ = ["MENTIONED_WITH", "Walker"]

MENTIONED_WITH = "mentioned_with"
_SUGGESTIONS = 5
# Most of the time goes into reading rows: a long walk looks at fewer on each step.
_FACTS, _COMPANIONS = 100, 30
_FACTS_ON_THE_WAY, _COMPANIONS_ON_THE_WAY = 15, 12
_FRONTIER = 12
# So many that are near come before anything further away, except for one in ten that is kept
# for each level.
_NEAREST, _KEPT_FOR_A_LEVEL = 10, 10
_EVIDENCE_PER_RELATION = 3
_WITH_RIVALS = timeline.SINGLE_VALUED | timeline.FIXED
# Two names in one text may have little to do with each other.
_TOGETHER_CONFIDENCE = 0.3
_ID = re.compile(r"[0-9a-f]{32}")
# Texts are read without these, too, but the keys of names that are stored are not made by them.
_RANK = re.compile(
    r"(?:doctor|capt|captain|colonel|lieutenant|sergeant|admiral|lord|lady|dame)\.?\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Step:
    """A relation on the way, before its texts are fetched."""

    relation: Relation
    chunks: tuple[tuple[str, int, int], ...]


class Walker:
    """Walks the graph of one store."""

    def __init__(self, store: Store) -> None:
        self._knowledge = store.knowledge
        self._kept_facts = store.kept_facts

    async def related(self, walk: Walk) -> Related:
        """Return what is known, or the names that come close to one that is not."""
        as_of = None if walk.as_of_ms is None else moment_of(walk.as_of_ms)
        node, links, kept = await self._find(walk.entity)
        if node is None:
            close = await self._knowledge.similar_names(walk.entity, _SUGGESTIONS)
            return Related(None, suggestions=tuple(each.name for each in close), as_of=as_of)
        ids, aliases, notice = _same_as(node, links)
        steps = await _Journey(self._knowledge, walk, kept, ids, node.name).steps()
        relations = await self._with_texts(steps, walk.as_of_ms)
        details = EntityDetails(node.id, node.name, node.type, node.mentions, aliases)
        notices = [notice, _unknown(walk.predicates)]
        told = " ".join(filter(None, notices)) or None
        return Related(details, tuple(relations), as_of=as_of, notice=told)

    async def _find(self, asked: str) -> tuple[EntityNode | None, list[AliasLink], frozenset[str]]:
        """Look for the entity, and at the same time for what a walk from it has to know."""
        name = shown_name(asked)
        exact = {entity_id(name_key(name))} | ({asked} if _ID.fullmatch(asked) else set())
        title = TITLE.match(name) or _RANK.match(name)
        # "Dr. Dre" is known by that name, "Dr. Watson" without the title.
        bare = {entity_id(name_key(name[title.end() :]))} if title else set()
        wanted = sorted(exact | bare)
        found, links, kept = await asyncio.gather(
            self._knowledge.entities_by_id(wanted),
            self._knowledge.aliases_of(wanted),
            self._kept_facts.all(),
        )
        best = [node for node in found if node.id in exact] or found
        return max(best, key=lambda node: node.mentions, default=None), links, kept

    async def _with_texts(self, steps: Sequence[_Step], as_of_ms: int | None) -> list[Relation]:
        chunks = {chunk for step in steps for chunk, _, _ in step.chunks}
        if not steps:
            return []
        texts = {each.chunk_id: each for each in await self._knowledge.evidence(sorted(chunks))}
        relations = [_complete(step, texts) for step in steps]
        if as_of_ms is None:
            return relations
        # What is only named together carries no time of its own: its text does.
        until = moment_of(as_of_ms)
        return [r for r in relations if any(e.timestamp <= until for e in r.evidence)]


class _Journey:
    """One walk, step by step; it knows how each entity on the way was reached."""

    def __init__(
        self,
        knowledge: Knowledge,
        walk: Walk,
        kept: frozenset[str],
        start: Mapping[str, int],
        name: str,
    ) -> None:
        self._knowledge = knowledge
        self._walk = walk
        self._kept = kept
        self._start = start
        self._paths: dict[str, tuple[str, ...]] = dict.fromkeys(start, (name,))
        self._as_of_ms = time.time_ns() // 1_000_000 if walk.as_of_ms is None else walk.as_of_ms

    async def steps(self) -> list[_Step]:
        """Walk as far as was asked, the best on each level first."""
        taken: list[_Step] = []
        frontier = self._start
        left: list[_Step] = []
        for depth in range(1, self._walk.depth + 1):
            room = _share(self._walk, depth) - len(taken)
            # Where the walk goes on does not depend on how much of it is shown: else a longer
            # one, with less room on each level, would not come as far as a shorter one.
            found = sorted(await self._around(frontier, depth, max(room, _FRONTIER)), key=_rank)
            taken += found[:room]
            left += found[room:]
            reached = [step.relation for step in found]
            frontier = {one.entity.id: one.entity.mentions for one in reached[:_FRONTIER]}
            self._paths |= {one.entity.id: one.path for one in reached}
            if not frontier or len(taken) >= self._walk.limit:
                break
        # What nobody further away has taken the room of comes back.
        taken += left[: self._walk.limit - len(taken)]
        return sorted(taken, key=lambda step: step.relation.depth)

    async def _around(self, frontier: Mapping[str, int], depth: int, room: int) -> list[_Step]:
        if depth == 1:
            facts, companions = await asyncio.gather(
                self._facts(frontier, depth), self._companions(frontier)
            )
            return [*facts, *self._together(facts, companions, depth)]
        facts = await self._facts(frontier, depth)
        # Who is only named along comes behind every fact; most levels are full by then.
        if len(facts) >= room:
            return facts
        return [*facts, *self._together(facts, await self._companions(frontier), depth)]

    def _together(
        self, facts: Sequence[_Step], companions: Iterable[Companion], depth: int
    ) -> Iterable[_Step]:
        """Make steps to those whom no fact reaches."""
        stated = {step.relation.entity.id for step in facts}
        steps: dict[str, _Step] = {}
        for companion in companions:
            other = companion.other
            if other.id not in self._paths and other.id not in stated and other.type != "date":
                steps.setdefault(other.id, _together(companion, self._paths, depth))
        return steps.values()

    async def _companions(self, frontier: Mapping[str, int]) -> list[Companion]:
        predicates = self._walk.predicates
        if predicates is not None and MENTIONED_WITH not in predicates:
            return []
        most = _COMPANIONS if self._walk.depth == 1 else _COMPANIONS_ON_THE_WAY
        return await self._knowledge.companions(
            sorted(frontier), most, most_mentions=max(frontier.values())
        )

    async def _facts(self, frontier: Mapping[str, int], depth: int) -> list[_Step]:
        stated = None
        if self._walk.predicates is not None:
            stated = sorted(self._walk.predicates - {MENTIONED_WITH})
        most = _FACTS if self._walk.depth == 1 else _FACTS_ON_THE_WAY
        assertions = await self._knowledge.facts_around(
            sorted(frontier), most, stated, most_mentions=max(frontier.values())
        )
        slots = {
            (each.subject.id, each.predicate)
            for each in assertions
            if each.predicate in _WITH_RIVALS
        }
        rivals = await self._knowledge.facts_in_slots(sorted(slots)) if slots else []
        everything = {(a.id, a.chunk_id, a.start): a for a in (*assertions, *rivals)}
        ends = _ends(everything.values())
        states = timeline.states(map(_as_said, everything.values()), self._as_of_ms, self._kept)
        near, steps = set(frontier), dict[str, _Step]()
        for state in states:
            for step in _stated(state, ends, near, self._paths, depth):
                steps[state.fact_id] = min(steps.get(state.fact_id, step), step, key=_rank)
        return list(steps.values())


def _share(walk: Walk, depth: int) -> int:
    """Tell how much of an answer this level and those before it may take."""
    kept = walk.limit // _KEPT_FOR_A_LEVEL
    near = min(_NEAREST + kept * (depth - 1), walk.limit - kept * (walk.depth - depth))
    return max(near, walk.limit * depth // walk.depth)


def _same_as(
    node: EntityNode, links: Sequence[AliasLink]
) -> tuple[dict[str, int], tuple[str, ...], str | None]:
    """Find the other names; a short name that stands for several is nobody's."""
    full = {link.full.id: link.full for link in links if link.short.id == node.id}
    short = {link.short.id: link.short for link in links if link.full.id == node.id}
    itself = {node.id: node.mentions}
    if len(full) > 1:
        names = ", ".join(sorted(each.name for each in full.values()))
        return itself, (), f"{node.name} stands for several: {names}. Ask for one of them."
    others = full | short
    mentions = {each.id: each.mentions for each in others.values()}
    return itself | mentions, tuple(sorted({each.name for each in others.values()})), None


def _unknown(predicates: frozenset[str] | None) -> str | None:
    unknown = sorted((predicates or frozenset()) - PREDICATES - {MENTIONED_WITH})
    return f"Nothing is ever related by: {', '.join(unknown)}." if unknown else None


def _as_said(assertion: Assertion) -> timeline.Assertion:
    return timeline.Assertion(
        fact_id=assertion.id,
        subject=assertion.subject.id,
        predicate=assertion.predicate,
        object=assertion.object.id,
        confidence=assertion.confidence,
        said_ms=assertion.said_ms,
        since_ms=assertion.since_ms,
        until_ms=assertion.until_ms,
        memory_id=assertion.memory_id,
        chunk_id=assertion.chunk_id,
        start=assertion.start,
        end=assertion.end,
    )


def _ends(assertions: Iterable[Assertion]) -> dict[str, EntityEnd]:
    return {end.id: end for each in assertions for end in (each.subject, each.object)}


def _stated(
    state: timeline.FactState,
    ends: dict[str, EntityEnd],
    frontier: set[str],
    known: dict[str, tuple[str, ...]],
    depth: int,
) -> list[_Step]:
    """Make steps of a fact, away from the side that is already known."""
    steps = []
    for here, there, is_outgoing in (
        (state.subject, state.object, True),
        (state.object, state.subject, False),
    ):
        if here in frontier and (there not in known or (depth == 1 and there not in frontier)):
            steps.append(_fact_step(state, ends[there], known[here], is_outgoing, depth))
    return steps


def _fact_step(
    state: timeline.FactState,
    other: EntityEnd,
    path: tuple[str, ...],
    is_outgoing: bool,
    depth: int,
) -> _Step:
    status: FactStatus = "conflicting" if state.conflicts else state.status
    arrow = state.predicate if is_outgoing else f"←{state.predicate}"
    relation = Relation(
        entity=EntityDetails(other.id, other.name, other.type, other.mentions),
        predicate=state.predicate,
        is_outgoing=is_outgoing,
        depth=depth,
        path=(*path, arrow, other.name),
        confidence=round(state.confidence, 4),
        strength=len({one.memory_id for one in state.evidence}),
        status=status,
        fact_id=state.fact_id,
        since=None if state.since_ms is None else moment_of(state.since_ms),
        until=None if state.until_ms is None else moment_of(state.until_ms),
        said=moment_of(state.evidence[0].said_ms),
        why=_why(state),
    )
    places = [(one.chunk_id, one.start, one.end) for one in state.evidence]
    return _Step(relation, tuple(places[:_EVIDENCE_PER_RELATION]))


def _why(state: timeline.FactState) -> str | None:
    if state.conflicts:
        return "Another text says otherwise, and neither is newer or can have replaced the other."
    return None if state.status == "current" else state.reason


def _together(companion: Companion, known: dict[str, tuple[str, ...]], depth: int) -> _Step:
    other = companion.other
    relation = Relation(
        entity=EntityDetails(other.id, other.name, other.type, other.mentions),
        predicate=MENTIONED_WITH,
        is_outgoing=True,
        depth=depth,
        path=(*known[companion.entity_id], MENTIONED_WITH, other.name),
        confidence=_TOGETHER_CONFIDENCE,
        strength=companion.shared,
        status="current",
    )
    return _Step(relation, ((companion.chunk_id, -1, -1),))


def _rank(step: _Step) -> tuple[bool, bool, float, int, str]:
    relation = step.relation
    is_stated = relation.fact_id is not None
    is_over = relation.status in ("ended", "superseded")
    return not is_stated, is_over, -relation.confidence, -relation.strength, relation.entity.name


def _complete(step: _Step, texts: dict[str, StoredEvidence]) -> Relation:
    name = step.relation.entity.name
    evidence = tuple(
        _evidence(texts[chunk], start, end, name)
        for chunk, start, end in step.chunks
        if chunk in texts
    )
    return replace(step.relation, evidence=evidence)


def _evidence(stored: StoredEvidence, start: int, end: int, name: str) -> Evidence:
    text = stored.text[start:end] if start >= 0 else sentence_around(stored.text, name)
    return Evidence(
        public_id(stored.memory_id), text, stored.source, moment_of(stored.timestamp_ms)
    )
