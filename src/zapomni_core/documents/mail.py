"""E-mail: who wrote what to whom and when, and the files attached to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from typing import Final

from zapomni_core.documents.cleaning import collapsed
from zapomni_core.documents.dates import iso_date
from zapomni_core.documents.decoding import decoded
from zapomni_core.documents.draft import Draft
from zapomni_core.documents.model import DocumentRefused
from zapomni_core.documents.outline import Outline
from zapomni_core.documents.webpages import add_html

__all__ = ["ReadPart", "read_email", "read_mbox"]

type ReadPart = Callable[[bytes, str, Draft], None]

_SHOWN: Final = ("From", "To", "Cc", "Date", "Subject")
_MAX_HEADER: Final = 2_000
_ENVELOPE: Final = re.compile(rb"(?:\A|\n)From [^\n]*\d\d:\d\d[^\n]*\n")
_QUOTED_FROM: Final = re.compile(rb"^>(>*From )", re.MULTILINE)


def read_email(raw: bytes, draft: Draft, read_part: ReadPart) -> None:
    """Read one message."""
    message = _parsed(raw, draft)
    draft.title = _header(message, "Subject")
    draft.author = _header(message, "From")
    draft.date = iso_date(_header(message, "Date"))
    _Reading(draft, read_part).add(message, ())


def read_mbox(raw: bytes, draft: Draft, read_part: ReadPart) -> None:
    """Read a folder of messages, each with its own author and date."""
    ends = [*_ENVELOPE.finditer(raw)]
    if not ends:
        raise draft.refused("holds no messages; check that it is a mailbox in mbox format")
    draft.title = draft.name
    for found, following in zip(ends, [*ends[1:], None], strict=True):
        text = raw[found.end() : following.start() if following else len(raw)]
        message = _parsed(_QUOTED_FROM.sub(rb"\1", text), draft)
        _Reading(draft, read_part).add(message, (_header(message, "Subject"),))


class _Reading:
    def __init__(self, draft: Draft, read_part: ReadPart) -> None:
        self._draft = draft
        self._read_part = read_part

    def add(self, message: Message, above: tuple[str, ...]) -> None:
        self._draft.sign(_header(message, "From"), iso_date(_header(message, "Date")))
        bodies = Outline(self._draft, above)
        attached: list[Message] = []
        bodies.block(_shown_headers(message))
        for part in _leaves(message):
            if part.get_filename() or part.get_content_type() == "message/rfc822":
                attached.append(part)
            elif part.get_content_maintype() == "text":
                self._add_text(part, bodies)
            else:
                self._draft.leave_out(f"parts of type {part.get_content_type()}")
        bodies.close()
        self._draft.sign("", "")
        for part in attached:
            self._add_attached(part, above)

    def _add_text(self, part: Message, bodies: Outline) -> None:
        text = decoded(_payload(part), _charset(part))
        if part.get_content_type() == "text/html":
            title = self._draft.title
            add_html(text, self._draft, bodies)
            self._draft.title = title
        else:
            bodies.block(text)

    def _add_attached(self, part: Message, above: tuple[str, ...]) -> None:
        draft = self._draft
        draft.parts += 1
        name = _decoded_header(part.get_filename() or "") or "attached message.eml"
        if draft.depth >= draft.limits.depth or draft.parts > draft.limits.parts:
            draft.leave_out("attached files beyond the limit")
            return
        inner = Draft(name, draft.limits, depth=draft.depth + 1, parts=draft.parts)
        try:
            self._read_part(_payload(part), name, inner)
        except DocumentRefused as exc:
            draft.leave_out(f"attached file ({name}: {exc.reason})")
            return
        draft.take_over(inner, (*above, name))


def _leaves(message: Message) -> list[Message]:
    """List the parts to read; of alternatives, the plainest that is text."""
    ahead, found = [message], list[Message]()
    while ahead:
        part = ahead.pop()
        inner = part.get_payload()
        if part.get_content_type() == "message/rfc822" or not isinstance(inner, list):
            found.append(part)
            continue
        parts = [each for each in inner if isinstance(each, Message)]
        if part.get_content_type() == "multipart/alternative":
            parts = _plainest(parts)
        ahead.extend(reversed(parts))
    return found


def _plainest(parts: list[Message]) -> list[Message]:
    for wanted in ("text/plain", "text/html"):
        for part in parts:
            if part.get_content_type() == wanted and _payload(part).strip():
                return [part]
    return parts[-1:]


def _shown_headers(message: Message) -> str:
    shown = ((name, _header(message, name)) for name in _SHOWN)
    return "\n".join(f"{name}: {value}" for name, value in shown if value)


def _header(message: Message, name: str) -> str:
    return _decoded_header(str(message.get(name, ""))[:_MAX_HEADER])


def _decoded_header(text: str) -> str:
    try:
        pieces = decode_header(text)
    except (MessageError, ValueError):
        return collapsed(text)
    return collapsed(
        "".join(
            piece if isinstance(piece, str) else decoded(piece, charset or "")
            for piece, charset in pieces
        )
    )


def _payload(part: Message) -> bytes:
    inner = part.get_payload()
    if isinstance(inner, list):
        return inner[0].as_bytes() if inner and isinstance(inner[0], Message) else b""
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _charset(part: Message) -> str:
    return str(part.get_content_charset() or "")


def _parsed(raw: bytes, draft: Draft) -> Message:
    message = message_from_bytes(raw)
    if not any(name in message for name in _SHOWN):
        raise draft.refused("is no e-mail: it has no sender, subject or date; check the file")
    return message
