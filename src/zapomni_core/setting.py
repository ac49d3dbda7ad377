"""Where a memory stands among others: its conversation, its place in it, and who speaks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from zapomni_core.models import moment_of
from zapomni_core.validation import ParsedMetadata

__all__ = ["Setting", "setting_of"]

_DAY_MS: Final = 86_400_000
_NAME: Final = r"[^\W\d_][\w.'-]{0,30}"
_OPENING: Final = re.compile(
    rf"(?P<date>\[(?P<when>[^\]\n]{{4,40}})\]\s*)?(?:(?P<who>{_NAME}(?: {_NAME}){{0,2}}):\s)?"
)
# Words before a colon that head a note and are nobody's name.
_HEADING_WORDS: Final = """
action answer bug context decision error example fact fix fixme goal hint idea important info issue
key lesson link name note notes problem question re reminder result rule source status subject
summary task tip title todo topic type update url user-agent value warning
"""
_HEADINGS: Final = frozenset(_HEADING_WORDS.split())
_ROLES: Final = {"human": "user", "me": "user", "ai": "assistant", "bot": "assistant"}
_ROLE_NAMES: Final = frozenset({*_ROLES, "user", "assistant", "system"})
_CONVERSATION_SOURCE: Final = re.compile(r"session|conversation|chat|dialog|thread", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A memory's thread ("" if it stands alone), its place there, its speaker and its date."""

    thread: str
    place: int
    speaker: str
    date: str
    date_chars: int = 0
    says_who: bool = False

    def to_embed(self, text: str, start: int) -> str:
        """Return a chunk as the model should read it: who says what, without the date.

        A date in front of every turn makes all of them alike: nDCG@10 on LoCoMo is 1.1 higher
        without.
        """
        if start < self.date_chars:
            text = text[self.date_chars - start :]
        return f"{self.speaker}: {text}" if self.speaker and not self.says_who else text

    def to_index(self, text: str) -> str:
        """Return a chunk with the words to find it by: speaker and date belong to them."""
        speaker = "" if self.says_who else self.speaker
        return " ".join(filter(None, (self.date, speaker, text)))


def setting_of(text: str, metadata: ParsedMetadata, timestamp_ms: int) -> Setting:
    """Read the setting from the metadata, or else from how the text begins."""
    opening = _OPENING.match(text)
    assert opening is not None  # every part of it is optional
    when = opening["when"] if _is_date(opening["when"]) else None
    who = opening["who"] if _is_speaker(opening["who"], metadata, when) else None
    speaker = metadata.speaker or who or ""
    is_dated = metadata.timestamp_ms is not None and when is None
    return Setting(
        thread=_thread(metadata, speaker, when or str(timestamp_ms // _DAY_MS)),
        place=timestamp_ms if metadata.position is None else metadata.position,
        speaker=_ROLES.get(speaker.casefold(), speaker),
        date=_spelled(timestamp_ms) if is_dated and speaker else "",
        date_chars=opening.end("date") if when else 0,
        says_who=who is not None and who.casefold() == speaker.casefold(),
    )


def _thread(metadata: ParsedMetadata, speaker: str, day: str) -> str:
    if metadata.session:
        # "1" is a session of many conversations.
        scope = metadata.source if metadata.session.isdigit() else ""
        return f"{scope} {metadata.session}".strip()
    if speaker:
        return f"{metadata.source} {day}".strip()
    if not _CONVERSATION_SOURCE.search(metadata.source):
        return ""
    # "chat-17" is one conversation, "chat" is all of them.
    is_one = any(character.isdigit() for character in metadata.source)
    return metadata.source if is_one else f"{metadata.source} {day}"


def _is_date(when: str | None) -> bool:
    return when is not None and any(character.isdigit() for character in when)


def _is_speaker(who: str | None, metadata: ParsedMetadata, when: str | None) -> bool:
    """Tell a speaker from a title: "Monitors: An Operating System Concept" is nobody's speech.

    Only something else that speaks of a conversation makes a name before a colon a speaker.
    """
    if who is None or who.casefold() in _HEADINGS:
        return False
    is_conversation = (
        when is not None
        or metadata.session is not None
        or metadata.position is not None
        or metadata.timestamp_ms is not None
        or metadata.speaker is not None
        or _CONVERSATION_SOURCE.search(metadata.source) is not None
    )
    return is_conversation or who.casefold() in _ROLE_NAMES


def _spelled(timestamp_ms: int) -> str:
    moment = moment_of(timestamp_ms)
    return f"{moment.day} {moment:%B} {moment.year}"
