"""Put hooks into the settings of Claude Code, or take them out, and touch nothing else."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Mapping
from typing import Any

from zapomni_cli.clients import json_text
from zapomni_cli.clients.errors import Uneditable, Unparsable
from zapomni_cli.clients.jsonc_scan import Node, is_blank, items_of, scan

__all__ = ["groups_of", "with_groups", "without_groups"]

type Group = dict[str, Any]
type IsOurs = Callable[[object], bool]

_SECTION = "hooks"


def groups_of(content: bytes, is_ours: IsOurs) -> dict[str, Group]:
    """Return our hooks by their event."""
    events = _events(json_text.parse(_text(content)))
    return {
        event: group
        for event, groups in events.items()
        if isinstance(groups, list)
        for group in groups
        if is_ours(group)
    }


def with_groups(content: bytes, hooks: Mapping[str, Group]) -> bytes:
    """Return the file with these hooks in front of those that are there."""
    text = _text(content)
    wanted = json_text.parse(text)
    before = _events(wanted)
    for event, group in hooks.items():
        text = _with_group(text, event, group)
    after = {event: [group, *before.get(event, [])] for event, group in hooks.items()}
    return _proven(content, text, {**wanted, _SECTION: {**before, **after}})


def without_groups(content: bytes, is_ours: IsOurs) -> bytes:
    """Return the file without our hooks, and without what is empty then."""
    text = _text(content)
    wanted = json_text.parse(text)
    events = dict(_events(wanted))
    for event in groups_of(content, is_ours):
        rest = [group for group in events[event] if not is_ours(group)]
        text = _without_items(text, event, is_ours)
        events[event] = rest
        if not rest:
            text = json_text.drop(text, _SECTION, event, keep_section=False)
            del events[event]
    expected = {**wanted, _SECTION: events}
    if not events:
        del expected[_SECTION]
    return _proven(content, text, expected)


def _with_group(text: str, event: str, group: Group) -> str:
    array = _array_of(text, event)
    if array is None:
        return json_text.put(text, _SECTION, event, [group])
    if not array.value:
        return text[: array.start] + json.dumps([group]) + text[array.end :]
    first = items_of(text, array)[0].node.start
    gap = text[array.start + 1 : first]
    # What stands between the bracket and the first of them may hold a comment.
    lead = gap if not gap.strip() else " "
    return text[:first] + json.dumps(group, ensure_ascii=False) + "," + lead + text[first:]


def _without_items(text: str, event: str, is_ours: IsOurs) -> str:
    array = _array_of(text, event)
    assert array is not None
    items = items_of(text, array)
    for number in reversed(range(len(items))):
        item = items[number]
        if not is_ours(item.node.value):
            continue
        start, end = item.node.start, item.node.end
        if number + 1 < len(items):
            end = items[number + 1].node.start
        elif number:
            start = items[number - 1].node.end
            end = item.node.end if item.comma is None else item.comma + 1
        elif item.comma is not None:
            end = item.comma + 1
        text = text[:start] + text[end:]
        array = _array_of(text, event)
        assert array is not None
        items = items_of(text, array)
    return text


def _array_of(text: str, event: str) -> Node | None:
    if is_blank(text):
        return None
    section = scan(text).member(_SECTION)
    found = None if section is None else section.node.member(event)
    if found is None:
        return None
    if not isinstance(found.node.value, list):
        raise Uneditable(f"{_SECTION}.{event} is not a list")
    return found.node


def _events(data: Any) -> dict[str, Any]:
    events = data.get(_SECTION, {}) if isinstance(data, dict) else None
    if not isinstance(events, dict):
        raise Uneditable(f"{_SECTION} is not a table of settings")
    return events


def _text(content: bytes) -> str:
    try:
        return content.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as exc:
        raise Unparsable("it is not UTF-8") from exc


def _proven(before: bytes, text: str, wanted: dict[str, Any]) -> bytes:
    try:
        found = json_text.parse(text)
    except Unparsable as exc:
        raise Uneditable("its layout is one that cannot be changed safely") from exc
    if found != wanted:
        raise Uneditable("its layout is one that cannot be changed safely")
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode()
