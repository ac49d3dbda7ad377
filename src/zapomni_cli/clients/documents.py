"""Put our entry into a settings file, or take it out, and prove that the rest is as it was."""

from __future__ import annotations

import codecs
from importlib import import_module
from typing import Any, Literal, Protocol, cast

from zapomni_cli.clients.errors import Uneditable, Unparsable

__all__ = ["NAME", "Entry", "Format", "entry_of", "has_section", "with_entry", "without_entry"]

NAME = "zapomni"

type Entry = dict[str, Any]
type Format = Literal["json", "toml", "yaml"]


class _Editor(Protocol):
    def parse(self, text: str) -> Any: ...
    def put(self, text: str, section: str, name: str, entry: Entry) -> str: ...
    def drop(self, text: str, section: str, name: str, *, keep_section: bool) -> str: ...


def entry_of(kind: Format, content: bytes, section: str) -> Entry | None:
    """Return the entry that a file has."""
    entry = _servers(_parsed(kind, content), section).get(NAME)
    if entry is not None and not isinstance(entry, dict):
        raise Uneditable(f"{section}.{NAME} is not a table of settings")
    return entry


def has_section(kind: Format, content: bytes, section: str) -> bool:
    """Tell whether a file has the section of the servers."""
    return section in _parsed(kind, content)


def with_entry(kind: Format, content: bytes, section: str, entry: Entry) -> bytes:
    """Return the file with the entry in it."""
    wanted = _parsed(kind, content)
    wanted[section] = {**_servers(wanted, section), NAME: entry}
    mark, text = _decoded(content)
    return _proven(kind, mark + _encoded(_editor(kind).put(text, section, NAME, entry)), wanted)


def without_entry(kind: Format, content: bytes, section: str, *, keep_section: bool) -> bytes:
    """Return the file without the entry."""
    wanted = _parsed(kind, content)
    wanted[section] = {k: v for k, v in _servers(wanted, section).items() if k != NAME}
    mark, text = _decoded(content)
    after = _editor(kind).drop(text, section, NAME, keep_section=keep_section)
    return _proven(kind, mark + _encoded(after), wanted, may_lack=section)


def _proven(kind: Format, content: bytes, wanted: Entry, may_lack: str = "") -> bytes:
    try:
        found = _parsed(kind, content)
    except Unparsable as exc:
        raise Uneditable("its layout is one that cannot be changed safely") from exc
    for data in (found, wanted):
        if may_lack in data and not data[may_lack]:
            del data[may_lack]
    if found != wanted:
        raise Uneditable("its layout is one that cannot be changed safely")
    return content


def _parsed(kind: Format, content: bytes) -> Entry:
    data = _editor(kind).parse(_decoded(content)[1])
    if not isinstance(data, dict):
        raise Uneditable("its top level is not a table of settings")
    return data


def _servers(data: Entry, section: str) -> Entry:
    servers = data.get(section)
    if servers is None:
        return {}
    if not isinstance(servers, dict):
        raise Uneditable(f"{section} is not a table of settings")
    return servers


def _editor(kind: Format) -> _Editor:
    # YAML needs a library that takes longer to import than the rest together.
    return cast("_Editor", import_module(f"zapomni_cli.clients.{kind}_text"))


def _decoded(content: bytes) -> tuple[bytes, str]:
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    try:
        return mark, content[len(mark) :].decode()
    except UnicodeDecodeError as exc:
        raise Unparsable("it is not UTF-8") from exc


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as exc:
        raise Uneditable("a path or a value here is not valid Unicode") from exc
