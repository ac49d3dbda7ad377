"""Read notes of basic-memory: Markdown with observations and relations, as of August 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from zapomni_core.importing.items import leave_out, reject, remember
from zapomni_core.importing.models import ImportedItem, ImportKind
from zapomni_core.importing.parts import Part
from zapomni_core.importing.values import label, tags_of

__all__ = ["WANTED", "looks_like_basic_memory", "read_basic_memory"]

WANTED = re.compile(r"^(?!(.*/)?\.).*\.md$")
_KIND = ImportKind.BASIC_MEMORY
_MAX_NOTE_BYTES = 40 << 20
_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"#{1,6}(\s|$)")
# No boxes to tick, and no links, which have a parenthesis behind the brackets.
_OBSERVATION = re.compile(r"\s*[-*] \[(?![ xX-]\])([^\[\]()]+)\](?!\()\s+(\S.*)")
_RELATION = re.compile(
    r"""\s*[-*] (?:"([^"]+)"|'([^']+)'|([^\s"'\[]\S*))?\s*\[\[([^\[\]]+)\]\](.*)"""
)
_TAG = re.compile(r"(?:^|\s)#([^\s#]+)")
_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"([A-Za-z_][\w -]*):(?:\s+(.*))?$")
_ITEM = re.compile(r"\s*-\s+(.*)$")


def looks_like_basic_memory(text: str) -> bool:
    """Tell such notes from other Markdown by their permalink."""
    return "permalink" in _split(text)[0]


def read_basic_memory(part: Part) -> Iterator[ImportedItem]:
    """Read a note: its observations, its relations, and the rest as one text."""
    with part.open() as stream:
        content = stream.read(_MAX_NOTE_BYTES + 1)
    if len(content) > _MAX_NOTE_BYTES:
        yield reject(f"larger than {_MAX_NOTE_BYTES >> 20} MiB", part.name)
        return
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield reject("not UTF-8", part.name)
        return
    fields, body = _split(text.replace("\r\n", "\n"))
    yield from _Note(part, fields).items(body)


type _Fields = dict[str, str | list[str]]


def _split(text: str) -> tuple[_Fields, str]:
    """Take the front matter off; of YAML it needs no more than plain values and lists."""
    found = _FRONT_MATTER.match(text)
    if not found:
        return {}, text
    fields: _Fields = {}
    name = ""
    for line in found[1].split("\n"):
        if given := _FIELD.match(line):
            name = given[1].strip().lower()
            fields[name] = _value(given[2] or "")
        elif name and (item := _ITEM.match(line)):
            before = fields[name]
            fields[name] = [*(before if isinstance(before, list) else []), _unquoted(item[1])]
    return fields, text[found.end() :]


def _value(written: str) -> str | list[str]:
    written = written.strip()
    if written.startswith("[") and written.endswith("]"):
        return [_unquoted(each) for each in written[1:-1].split(",")]
    return _unquoted(written)


def _unquoted(written: str) -> str:
    written = written.strip()
    is_quoted = len(written) > 1 and written[0] == written[-1] and written[0] in "\"'"
    return written[1:-1] if is_quoted else written


@dataclass(slots=True)
class _Note:
    part: Part
    fields: _Fields
    prose: list[str] = field(default_factory=list)

    def items(self, body: str) -> Iterator[ImportedItem]:
        in_code = False
        position = 0
        for line in body.split("\n"):
            if _FENCE.match(line):
                in_code = not in_code
            item = None if in_code else self._item(line, position)
            if item is None:
                self.prose.append(line)
            else:
                position += 1
                yield item
        yield self._prose_item()

    def _item(self, line: str, position: int) -> ImportedItem | None:
        if found := _OBSERVATION.match(line):
            return self._observation(found[1].strip(), found[2].strip(), position)
        if found := _RELATION.match(line):
            relation = found[1] or found[2] or found[3] or "links_to"
            return self._relation(relation, found[4].strip(), found[5].strip(), position)
        return None

    def _observation(self, category: str, text: str, position: int) -> ImportedItem:
        tags = [*tags_of(self.fields.get("tags")), *_TAG.findall(text)]
        metadata = {"category": label(category), "tags": tags_of(tags), "position": position}
        said = f"{self._title()} ({category}): {text}"
        return self._remember(("observation", category, text), said, metadata)

    def _relation(self, relation: str, target: str, context: str, position: int) -> ImportedItem:
        said = f"{self._title()} {relation} {target} {context}".strip()
        metadata = {"relation": label(relation), "to": label(target), "position": position}
        return self._remember(("relation", relation, target, context), said, metadata)

    def _prose_item(self) -> ImportedItem:
        said = [line for line in self.prose if line.strip() and not _HEADING.match(line)]
        if not said:
            return leave_out("a note without text of its own", self.part.name)
        return self._remember(("note",), "\n".join(self.prose).strip(), {})

    def _remember(
        self, what: tuple[str, ...], text: str, metadata: Mapping[str, object]
    ) -> ImportedItem:
        about: dict[str, object] = {
            "title": label(self._title()),
            "path": label(self.part.name),
            "permalink": label(self.fields.get("permalink")),
            "note_type": label(self.fields.get("type")),
            "tags": tags_of(self.fields.get("tags")),
            **self._time(),
            **metadata,
        }
        name = label(self.fields.get("permalink")) or self.part.name
        return remember(_KIND, (name, *what), text, about, self.part.name)

    def _title(self) -> str:
        return (
            label(self.fields.get("title")) or label(PurePosixPath(self.part.name).stem) or "Note"
        )

    def _time(self) -> dict[str, object]:
        created = self.fields.get("created")
        if isinstance(created, str) and created:
            return {"timestamp": _in_local_time(created)}
        modified = self.part.modified
        return {"timestamp": modified.isoformat(), "timestamp_of": "file"} if modified else {}


def _in_local_time(written: str) -> str:
    """Give a time without an offset that of this machine, as basic-memory does."""
    try:
        moment = datetime.fromisoformat(written)
        return written if moment.tzinfo else moment.astimezone().isoformat()
    except (ValueError, OverflowError, OSError):
        return written
