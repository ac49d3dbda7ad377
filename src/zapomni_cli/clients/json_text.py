"""Change one member of a JSON document and leave every other character as it is."""

from __future__ import annotations

import json
import re
from typing import Any

from zapomni_cli.clients.errors import Uneditable
from zapomni_cli.clients.jsonc_scan import Node, is_blank, scan

__all__ = ["drop", "parse", "put"]

# Comments that end on the line of the value they follow belong to it.
_REMARKS = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/))*")


def parse(text: str) -> Any:
    """Return the data; an empty document is an empty object."""
    return {} if is_blank(text) else scan(text).value


def put(text: str, section: str, name: str, entry: Any) -> str:
    """Set `section.name`, and make the section if it is missing."""
    if is_blank(text):
        gap = "" if not text or text.endswith("\n") else _newline(text)
        return text + gap + _pretty({section: {name: entry}}, text, "") + _newline(text)
    root = _object(scan(text), "the top level")
    holder = root.member(section)
    if holder is None:
        return _add(text, root, section, {name: entry})
    servers = _object(holder.node, section)
    present = servers.member(name)
    if present is None:
        return _add(text, servers, name, entry)
    new = _rendered(entry, text, present.start)
    return text[: present.node.start] + new + text[present.node.end :]


def drop(text: str, section: str, name: str, *, keep_section: bool) -> str:
    """Take `section.name` out, and its section if that is empty then and not to be kept."""
    root = _object(scan(text), "the top level")
    holder = root.member(section)
    assert holder
    after = _remove(text, _object(holder.node, section), name)
    root = _object(scan(after), "the top level")
    rest = root.member(section)
    assert rest
    return after if keep_section or rest.node.members else _remove(after, root, section)


def _object(node: Node, what: str) -> Node:
    if node.members is None:
        raise Uneditable(f"{what} is not an object")
    return node


def _add(text: str, node: Node, key: str, value: Any) -> str:
    assert node.members is not None
    if not node.members:
        return _fill(text, node, key, value)
    last = node.members[-1]
    end = last.node.end
    has_comma = last.comma is not None
    lead, tail = ("", ",") if has_comma else (",", "")
    anchor = end if last.comma is None else last.comma + 1
    if not _begins_line(text, last.start):
        member = f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        return text[:anchor] + f"{lead} {member}{tail}" + text[anchor:]
    remarks = _REMARKS.match(text, anchor)
    assert remarks
    indent = _indent(text, last.start)
    member = f"{json.dumps(key)}: {_pretty(value, text, indent)}"
    return (
        text[:end]
        + lead
        + text[end : remarks.end()]
        + f"{_newline(text)}{indent}{member}{tail}"
        + text[remarks.end() :]
    )


def _fill(text: str, node: Node, key: str, value: Any) -> str:
    """Put the first member into an object, below the comments that it may have."""
    inside = text[node.start + 1 : node.end - 1]
    is_root = not text[: node.start].strip()
    if not is_root and "\n" not in text.strip():
        member = f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        return text[: node.start + 1] + member + text[node.start + 1 :]
    outer = _indent(text, node.start)
    indent = outer + _unit(text)
    newline = _newline(text)
    member = f"{newline}{indent}{json.dumps(key)}: {_pretty(value, text, indent)}"
    remarks = inside.rstrip(" \t\r\n")
    rest = inside[len(remarks) :]
    closing = rest if "\n" in rest else newline + outer
    return text[: node.start + 1] + remarks + member + closing + text[node.end - 1 :]


def _remove(text: str, node: Node, key: str) -> str:
    members = node.members or ()
    index = [member.key for member in members].index(key)
    member = members[index]
    start, end = member.start, member.node.end if member.comma is None else member.comma + 1
    if _begins_line(text, start):
        start = len(text[:start].rstrip(" \t"))
        start = len(text[:start].removesuffix("\n").removesuffix("\r"))
    elif member.comma is not None:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    elif index:
        start = len(text[:start].rstrip(" \t"))
    after = text[:start] + text[end:]
    if member.comma is None and index:
        comma = members[index - 1].comma
        assert comma is not None
        after = after[:comma] + after[comma + 1 :]
    return after if len(members) > 1 else _closed_up(after, node.start)


def _closed_up(text: str, start: int) -> str:
    """Leave no blank lines in an object that has nothing else."""
    rest = text[start + 1 :].lstrip(" \t\r\n")
    return text[: start + 1] + rest if rest.startswith("}") else text


def _rendered(value: Any, text: str, key_start: int) -> str:
    if _begins_line(text, key_start):
        return _pretty(value, text, _indent(text, key_start))
    return json.dumps(value, ensure_ascii=False)


def _pretty(value: Any, text: str, indent: str) -> str:
    lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
    return (_newline(text) + indent).join(lines)


def _unit(text: str) -> str:
    """Guess what one level is indented by."""
    if is_blank(text):
        return "  "
    root = scan(text)
    outer = _indent(text, root.start)
    indents = [_indent(text, m.start) for m in root.members or () if _begins_line(text, m.start)]
    return (indents[0].removeprefix(outer) if indents else "") or "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _begins_line(text: str, at: int) -> bool:
    line_start = text.rfind("\n", 0, at) + 1
    return line_start > 0 and not text[line_start:at].strip(" \t")
