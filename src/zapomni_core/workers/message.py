"""What a worker is asked and what it answers, and how both travel."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

__all__ = ["HEAD_BYTES", "Message", "lengths"]

_HEAD: Final = struct.Struct("!II")
HEAD_BYTES: Final = _HEAD.size


class Message(NamedTuple):
    """A text, and bytes that belong to it."""

    text: bytes
    content: bytes = b""

    def framed(self) -> bytes:
        """Write the message behind a head that says how long its parts are."""
        return _HEAD.pack(len(self.text), len(self.content)) + self.text + self.content


def lengths(head: bytes) -> tuple[int, int]:
    """Read how long the two parts of a message are."""
    text, content = _HEAD.unpack(head)
    return text, content
