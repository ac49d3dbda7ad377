"""Bytes of text in whatever encoding they are."""

from __future__ import annotations

import codecs
import re
from typing import Final

from zapomni_core.documents.libraries import charset_normalizer

__all__ = ["decoded", "is_text"]

_SAMPLE_BYTES: Final = 64_000
_HEAD_BYTES: Final = 4_096
_MAX_CONTROL_SHARE: Final = 0.02
_MAX_INVALID_SHARE: Final = 0.01
_MAX_ALPHABETS: Final = 6
_MIN_PLAIN_SHARE: Final = 0.05
# Without the encodings that few files are in, and for which others are mistaken.
_LATIN: Final = ("cp1252", "cp1250", "cp1254", "cp1258", "iso8859_2")
_OTHER_NAMES: Final = (
    "cp1251 koi8_r cp866 cp1253 cp1255 cp1256 cp874 shift_jis euc_jp gb18030 big5 euc_kr"
)
_OTHER: Final = tuple(_OTHER_NAMES.split())
_CENTRAL: Final = frozenset({"cp1250", "iso8859_2"})
_WESTERN_LETTERS: Final = frozenset("àâäáãåæçèéêëìíîïñòóôöõøùúûüßœ")
_CENTRAL_LETTERS: Final = frozenset("ąćęłńóśźżáčďéěíňřšťúůýžőűöüâăîşţđ")
_MOST_ACCENTS: Final = 0.6
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED: Final = re.compile(
    rb"""(?:charset\s*=\s*|<\?xml[^>]{0,100}?encoding\s*=\s*|coding[:=]\s*)["']?([\w.:-]{2,40})""",
    re.IGNORECASE,
)
_CONTROL: Final = bytes({*range(32), 127} - {*b"\t\n\r\f\v\b\x1b"})


def decoded(raw: bytes, declared: str = "") -> str:
    """Decode text by its mark, by what it or its envelope declares, or by a guess."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return raw.decode(encoding, "replace").removeprefix("\ufeff")
    if wide := _unmarked_utf16(raw):
        return raw.decode(wide, "replace")
    try:
        return raw.decode()
    except UnicodeDecodeError:
        pass
    found = _DECLARED.search(raw, 0, _HEAD_BYTES)
    for encoding in (declared, found[1].decode("ascii", "replace") if found else ""):
        if encoding and (text := _as_declared(raw, encoding)) is not None:
            return text
    if _invalid_share(raw) <= _MAX_INVALID_SHARE:
        return raw.decode(errors="replace")
    return raw.decode(_guessed(raw), "replace")


def is_text(raw: bytes) -> bool:
    """Tell text in any encoding from other bytes by how they begin."""
    head = raw[:_HEAD_BYTES]
    if any(head.startswith(mark) for mark, _ in _MARKS) or _unmarked_utf16(head):
        return True
    unseen = len(head) - len(head.translate(None, _CONTROL))
    return b"\0" not in head and unseen <= len(head) * _MAX_CONTROL_SHARE


def _as_declared(raw: bytes, encoding: str) -> str | None:
    try:
        codec = codecs.lookup(encoding)
        # Others (`zlib`, `rot13`) turn bytes into bytes or need text.
        if not codec._is_text_encoding or codec.name in {"idna", "punycode", "unicode_escape"}:  # noqa: SLF001
            return None
        return raw.decode(codec.name)
    except (LookupError, UnicodeError):
        return None


def _unmarked_utf16(raw: bytes) -> str | None:
    """Tell it by letters of one alphabet with blanks between; ideographs need a mark."""
    head = raw[: min(_HEAD_BYTES, len(raw) // 2 * 2)]
    if len(head) < 8 or b"\0" not in head:
        return None
    for encoding, high in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        text = head.decode(encoding, "replace")
        plain = sum(letter.isascii() for letter in text)
        unseen = sum(not letter.isprintable() and letter not in "\r\n\t" for letter in text)
        if (
            len(set(high)) <= _MAX_ALPHABETS
            and plain >= len(text) * _MIN_PLAIN_SHARE
            and unseen <= len(text) * _MAX_CONTROL_SHARE
        ):
            return encoding
    return None


def _invalid_share(raw: bytes) -> float:
    return 1 - len(raw.decode(errors="ignore").encode()) / max(len(raw), 1)


def _guessed(raw: bytes) -> str:
    sample = raw[:_SAMPLE_BYTES]
    names = _OTHER if _share_of_high_letters(sample) > _MOST_ACCENTS else (*_LATIN, *_OTHER)
    best = charset_normalizer().from_bytes(sample, cp_isolation=list(names)).best()
    guess = "cp1252" if best is None else str(best.encoding)
    # charset-normalizer 3.5 takes French for Polish; no Latin text is written in accents only.
    if guess in _CENTRAL and _known(sample, "cp1252", _WESTERN_LETTERS) >= _known(
        sample, guess, _CENTRAL_LETTERS
    ):
        return "cp1252"
    return guess


def _share_of_high_letters(sample: bytes) -> float:
    high = sum(byte >= 0x80 for byte in sample)
    return high / max(1, high + sum(chr(byte).isalpha() for byte in sample if byte < 0x80))


def _known(sample: bytes, encoding: str, letters: frozenset[str]) -> int:
    return sum(letter in letters for letter in sample.decode(encoding, "replace").lower())
