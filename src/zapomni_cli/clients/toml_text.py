"""Change one table of a TOML document and leave every other character as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zapomni_cli.clients.errors import Uneditable, Unparsable

__all__ = ["drop", "parse", "put"]

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\(?s:.)|"(?!""))*"{3,5}'
    r"|'''(?s:.*?)'{3,5}"
    r'|"(?:[^"\\\r\n]|\\.)*"'
    r"|'[^'\r\n]*'"
    r"|\#[^\r\n]*"
    r"|\r?\n"
    r"|[ \t]+"
    r"|[\[\]{}]"
    r"|[^\"'#\r\n \t\[\]{}]+"
)


def parse(text: str) -> Any:
    """Return the data."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise Unparsable(str(exc)) from exc


def put(text: str, section: str, name: str, entry: dict[str, Any]) -> str:
    """Set the table `section.name`: in its place, or else at the end."""
    table = _rendered(section, name, entry, _newline(text))
    servers = parse(text).get(section, {})
    if isinstance(servers, dict) and name in servers:
        place = _place(text, section, name)
        return text[: place.start] + table + text[place.end :]
    gap = "" if not text or text.endswith("\n") else _newline(text)
    blank = _newline(text) if text.strip() else ""
    return text + gap + blank + table


def drop(text: str, section: str, name: str, *, keep_section: bool) -> str:  # noqa: ARG001
    """Take the table `section.name` out; sections need no place of their own."""
    place = _place(text, section, name)
    before, after = text[: place.start], text[place.end :]
    for blank in ("\r\n\r\n", "\n\n"):
        if before.endswith(blank):
            return before[: -len(blank) // 2] + after
    return before + after


@dataclass(frozen=True, slots=True)
class _Line:
    """A logical line: a value may go on over many lines of text."""

    start: int
    end: int
    text: str

    @property
    def is_content(self) -> bool:
        return bool(self.text.strip()) and not self.text.lstrip().startswith("#")

    @property
    def path(self) -> list[str] | None:
        """The name of the table that this line begins."""
        if not self.text.lstrip(" \t").startswith("["):
            return None
        found, inner = [], tomllib.loads(self.text)
        while inner:
            key, value = next(iter(inner.items()))
            found.append(key)
            inner = value[0] if isinstance(value, list) else value
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int


def _place(text: str, section: str, name: str) -> _Place:
    """Find the table and its own tables; comments below belong to what follows."""
    start = end = None
    for line in _lines(text):
        if (path := line.path) is not None:
            is_ours = path[:2] == [section, name]
            if is_ours and start is None:
                start = line.start
            elif not is_ours and start is not None:
                break
        if start is not None and line.is_content:
            end = line.end
    if start is None or end is None:
        raise Uneditable(f"{section}.{name} is not a table of its own")
    return _Place(start, end)


def _lines(text: str) -> Iterator[_Line]:
    start = depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        elif token[0].endswith("\n") and not depth and token[0].strip() == "":
            yield _Line(start, token.end(), text[start : token.end()])
            start = token.end()
    if start < len(text):
        yield _Line(start, len(text), text[start:])


def _rendered(section: str, name: str, entry: dict[str, Any], newline: str) -> str:
    lines = [f"[{_key(section)}.{_key(name)}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in entry.items()]
    return newline.join(lines) + newline


def _value(value: Any) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_value, value)) + "]"
        case bool() | int() | float() | str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return str(value)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _value(key)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
