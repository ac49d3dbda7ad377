"""Change one entry of a YAML document and leave every other character as it is."""

from __future__ import annotations

import json
from typing import Any

import yaml

from zapomni_cli.clients.errors import Uneditable, Unparsable

__all__ = ["drop", "parse", "put"]

type _Pair = tuple[yaml.Node, yaml.Node]


def parse(text: str) -> Any:
    """Return the data; an empty document is an empty mapping."""
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as exc:
        raise Unparsable(" ".join(str(exc).split())) from exc
    return {} if data is None else data


def put(text: str, section: str, name: str, entry: dict[str, Any]) -> str:
    """Set `section.name`, and make the section if it is missing."""
    root = yaml.compose(text, yaml.SafeLoader)
    newline = _newline(text)
    holder = _pair(root, section) if root is not None else None
    if holder is None:
        gap = "" if not text or text.endswith("\n") else newline
        return text + gap + f"{section}:{newline}" + _block(name, entry, "  ", newline)
    key, servers = holder
    if not isinstance(servers, yaml.MappingNode):
        return _put_first(text, key, servers, _block(name, entry, "  ", newline))
    present = _pair(servers, name)
    if servers.flow_style:
        return _put_inline(text, servers, present, name, entry)
    if present is not None:
        start, end = _span(text, present)
        return text[:start] + _block(name, entry, _indent(servers), newline) + text[end:]
    # At the top of its section: where a block ends depends on the comments after it.
    line_end = _line_end(text, key.end_mark.index)
    block = _block(name, entry, _indent(servers), newline)
    return text[:line_end] + block + text[line_end:]


def drop(text: str, section: str, name: str, *, keep_section: bool) -> str:
    """Take `section.name` out, and its section if that is empty then and not to be kept."""
    root = yaml.compose(text, yaml.SafeLoader)
    holder = _pair(root, section)
    assert holder
    key, servers = holder
    assert isinstance(servers, yaml.MappingNode)
    present = _pair(servers, name)
    assert present
    if len(servers.value) == 1:
        if not keep_section:
            start, end = _span(text, holder)
            return text[:start] + text[end:]
        if not servers.flow_style:
            return _emptied(text, key, present)
    if servers.flow_style:
        start, end = _inline_span(servers, present)
    else:
        start, end = _span(text, present)
    return text[:start] + text[end:]


def _put_first(text: str, key: yaml.Node, value: yaml.Node, block: str) -> str:
    """Begin a section that has a key and no value yet."""
    if not isinstance(value, yaml.ScalarNode) or value.tag != "tag:yaml.org,2002:null":
        raise Uneditable(f"{key.value} is not a mapping")
    bare = text[: value.start_mark.index] + text[value.end_mark.index :]
    line_end = _line_end(bare, key.end_mark.index)
    gap = "" if bare[:line_end].endswith("\n") else _newline(text)
    return bare[:line_end] + gap + block + bare[line_end:]


def _put_inline(
    text: str, servers: yaml.MappingNode, present: _Pair | None, name: str, entry: dict[str, Any]
) -> str:
    flow = json.dumps(entry, ensure_ascii=False)
    if present is not None:
        value = present[1]
        return text[: value.start_mark.index] + flow + text[value.end_mark.index :]
    inside = servers.start_mark.index + 1
    comma = ", " if servers.value else ""
    return text[:inside] + f"{json.dumps(name)}: {flow}{comma}" + text[inside:]


def _emptied(text: str, key: yaml.Node, present: _Pair) -> str:
    start, end = _span(text, present)
    colon = text.index(":", key.end_mark.index) + 1
    return text[:colon] + " {}" + text[colon:start] + text[end:]


def _inline_span(servers: yaml.MappingNode, present: _Pair) -> tuple[int, int]:
    index = servers.value.index(present)
    if index + 1 < len(servers.value):
        return present[0].start_mark.index, servers.value[index + 1][0].start_mark.index
    start = servers.value[index - 1][1].end_mark.index if index else present[0].start_mark.index
    return start, present[1].end_mark.index


def _span(text: str, pair: _Pair) -> tuple[int, int]:
    """Return the lines of a key and its value."""
    start = text.rfind("\n", 0, pair[0].start_mark.index) + 1
    return start, _line_end(text, _end(pair[1]))


def _end(node: yaml.Node) -> int:
    """Return where a value ends: the mark of a block is after the comments below it."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        # Up to the beginning of the next line with something in it.
        return max(node.end_mark.index - 1, node.start_mark.index)
    return int(node.end_mark.index)


def _pair(node: yaml.Node | None, key: str) -> _Pair | None:
    if not isinstance(node, yaml.MappingNode):
        raise Uneditable("the top level is not a mapping")
    found = [pair for pair in node.value if pair[0].value == key]
    if len(found) > 1:
        raise Unparsable(f"{key} is there twice")
    return found[0] if found else None


def _block(name: str, entry: dict[str, Any], indent: str, newline: str) -> str:
    lines = [f"{indent}{name}:"]
    # JSON is YAML: no string needs rules of its own.
    lines += [f"{indent}  {k}: {json.dumps(v, ensure_ascii=False)}" for k, v in entry.items()]
    return newline.join(lines) + newline


def _indent(mapping: yaml.MappingNode) -> str:
    return " " * int(mapping.value[0][0].start_mark.column)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
