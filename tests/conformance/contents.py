"""What the fixtures answer with: the smallest picture, the smallest sound, and some text."""

from __future__ import annotations

import io
import struct
import wave
import zlib
from base64 import b64encode

import mcp_types as types

__all__ = ["PICTURE", "audio", "embedded", "image", "text"]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _one_red_pixel() -> bytes:
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _one_silent_sample() -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(b"\0\0")
    return file.getvalue()


PICTURE = b64encode(_one_red_pixel()).decode()
_SOUND = b64encode(_one_silent_sample()).decode()


def text(words: str) -> types.TextContent:
    """Return words as content."""
    return types.TextContent(text=words)


def image() -> types.ImageContent:
    """Return the picture as content."""
    return types.ImageContent(data=PICTURE, mime_type="image/png")


def audio() -> types.AudioContent:
    """Return the sound as content."""
    return types.AudioContent(data=_SOUND, mime_type="audio/wav")


def embedded(uri: str, words: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    """Return a resource as content."""
    return types.EmbeddedResource(
        resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=words)
    )
