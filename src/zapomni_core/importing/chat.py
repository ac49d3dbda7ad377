"""Make memories of a conversation: one message, one memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from zapomni_core.importing.items import leave_out, reject, remember
from zapomni_core.importing.models import Extra, ImportedItem, ImportedMemory, ImportKind, Skipped

__all__ = ["ROLES", "Conversation", "Turn", "branch_to", "remember_turns"]

ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
_LEFT_OUT = {
    Extra.BRANCHES: "a branch that was abandoned",
    Extra.REASONING: "hidden reasoning",
    Extra.SUBAGENTS: "talk with a subagent",
    Extra.SYSTEM: "a system prompt or text added by the program",
    Extra.TOOLS: "a tool call or its output",
}


@dataclass(frozen=True, slots=True)
class Conversation:
    """What all messages of a conversation share; metadata names it and its session."""

    kind: ImportKind
    metadata: Mapping[str, object]
    started: object = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A message, or a part of one that is a memory of its own."""

    identity: tuple[str | int | None, ...]
    speaker: str | None
    text: object
    timestamp: object
    where: str
    extras: frozenset[Extra] = frozenset()
    metadata: Mapping[str, object] = field(default_factory=dict)


def remember_turns(
    conversation: Conversation, turns: Iterable[Turn | Skipped], include: frozenset[Extra]
) -> Iterator[ImportedItem]:
    """Give each wanted message its speaker, time and position."""
    position = 0
    for turn in turns:
        if isinstance(turn, Skipped):
            yield turn
            continue
        unwanted = sorted(turn.extras - include)
        if unwanted:
            yield leave_out(_LEFT_OUT[unwanted[0]], turn.where)
            continue
        item = _remember_turn(conversation, turn, position)
        position += isinstance(item, ImportedMemory)
        yield item


def branch_to(leaf: str, parents: Mapping[str, str | None]) -> tuple[list[str], bool]:
    """Follow the parents of a message; return the branch from its root, and if it is a cycle."""
    branch: dict[str, None] = {}
    node: str | None = leaf
    while node is not None and node in parents and node not in branch:
        branch[node] = None
        node = parents[node]
    return list(reversed(branch)), node is not None and node in branch


def _remember_turn(conversation: Conversation, turn: Turn, position: int) -> ImportedItem:
    if turn.speaker is None:
        return reject("no speaker is named", turn.where)
    metadata: dict[str, object] = {
        **conversation.metadata,
        "position": position,
        "speaker": turn.speaker,
        "role": ROLES.get(turn.speaker, turn.speaker),
        "timestamp": turn.timestamp,
        "parts": sorted(turn.extras),
        **turn.metadata,
    }
    if turn.timestamp is None and conversation.started is not None:
        metadata |= {"timestamp": conversation.started, "timestamp_of": "conversation"}
    return remember(conversation.kind, turn.identity, turn.text, metadata, turn.where)
