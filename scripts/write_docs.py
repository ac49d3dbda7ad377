"""Write the parts of the documentation that come from the code; `--check` only compares."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.types import CallToolResult, TextContent, Tool
from pydantic import TypeAdapter
from structlog.testing import capture_logs

from zapomni_core import (
    MemoryEngine,
    MemoryResult,
    SearchFilters,
    SearchResultItem,
    SearchResults,
    Settings,
    Statistics,
    ValidationError,
)
from zapomni_core.knowledge import (
    PREDICATES,
    ExportFormat,
    GraphBuilt,
    GraphExport,
    GraphStatus,
    Related,
)
from zapomni_core.knowledge.language_model import LanguageModelChange
from zapomni_core.validation import parse_file_name, parse_query, parse_text
from zapomni_mcp import MCPServer

__all__ = ["EXAMPLES", "Example", "answers", "declared_tools", "main", "texts"]

type Schema = dict[str, Any]

ROOT = Path(__file__).parents[1]
LONGEST_LINE = 99
MEMORY = (
    "We chose PostgreSQL over MongoDB for the billing service because invoices need transactions."
)
METADATA = {
    "tags": ["billing", "decision"],
    "source": "standup",
    "timestamp": "2025-11-24T10:30:00Z",
}
MEMORY_ID = "83557326-b097-4d29-8b9c-8ced7e932f0d"
# The only default that depends on the machine.
DEFAULTS = {
    "ZAPOMNI_DATA_DIR": "Linux: `$XDG_DATA_HOME/zapomni` or `~/.local/share/zapomni`; "
    "macOS: `~/Library/Application Support/zapomni`"
}


@dataclass(frozen=True, slots=True)
class Example:
    """A call that the documentation shows with its answer."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


# Calls of the graph's tools with what the engine answered in one real run.
GRAPH_CALLS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("graph_examples.json").read_text(encoding="utf-8")
)
# In the order in which they make sense against an empty memory.
EXAMPLES = (
    Example("add_memory", {"text": MEMORY, "metadata": METADATA}),
    Example("add_memory", {"text": " "}),
    Example("add_memory", {"content": "a fact"}),
    Example(
        "search_memory",
        {"query": "Why did we not use MongoDB?", "limit": 3, "filters": {"tags": ["billing"]}},
    ),
    Example("search_memory", {"query": "MongoDB", "filters": {"source": "nobody"}}),
    Example("search_memory", {"query": "MongoDB", "limit": 1000}),
    Example("search_memory", {"query": "MongoDB", "filters": {"date_from": "last week"}}),
    Example("get_stats"),
    *(Example(call["tool"], call["arguments"]) for call in GRAPH_CALLS),
    Example("set_model"),
)


class ExampleEngine(MemoryEngine):
    """Knows one memory and answers with the numbers of one real run, so that they stay put."""

    async def initialize(self) -> None:
        """Open nothing."""

    async def add_memory(
        self, text: str, metadata: dict[str, Any] | None = None, progress: object = None
    ) -> MemoryResult:
        """Pretend to store a text."""
        del metadata, progress
        return MemoryResult(MEMORY_ID, 1, parse_text(text)[:100])

    async def search_memory(
        self,
        query: str,
        limit: int = 10,
        filters: SearchFilters | None = None,
        *,
        min_score: float = 0.0,
        max_tokens: int | None = None,
        explain: bool = False,
    ) -> SearchResults:
        """Find the one memory, unless a source is asked for that it does not have."""
        del min_score, max_tokens, explain
        parse_query(query)
        wanted = filters or SearchFilters()
        is_found = limit > 0 and wanted.source in (None, METADATA["source"])
        return SearchResults((_example_hit(),) if is_found else ())

    async def get_stats(self) -> Statistics:
        """Return the statistics of a memory with one text in it."""
        return Statistics(
            total_memories=1,
            total_chunks=1,
            database_size_mb=3.92,
            graph_name="zapomni",
            cache_hit_rate=0.0,
            avg_query_latency_ms=22.0,
            embedding_model="zapomni-small-2",
            embedding_dimension=384,
            database="embedded",
            disk_size_mb=0.005,
            pool_size=20,
            pool_in_use=1,
            state="ready",
        )

    async def build_graph(self, text: str | None = None, *_: object, **__: object) -> GraphBuilt:
        """Return what was found in a text."""
        return _recorded(GraphBuilt, "build_graph", text=text)

    async def cancel_build(self, job_id: str) -> GraphBuilt:
        """Know no job."""
        raise ValidationError("job_id", f"{job_id} is not there")

    async def get_related(self, entity: str, *, as_of: object = None, **_: object) -> Related:
        """Return what was known about a name."""
        return _recorded(Related, "get_related", entity=entity, as_of=as_of)

    async def graph_status(self) -> GraphStatus:
        """Return the counts of the graph."""
        return _recorded(GraphStatus, "graph_status")

    async def export_graph(
        self, form: ExportFormat = "json", file_name: str | None = None
    ) -> GraphExport:
        """Return what was written, and where."""
        parse_file_name(file_name)
        return _recorded(GraphExport, "export_graph", format=form, file_name=file_name)

    async def keep_fact(self, fact_id: str, *, is_kept: bool = True) -> None:
        """Keep any fact."""

    async def set_language_model(self, model: str | None) -> LanguageModelChange:
        """Know no other model."""
        return LanguageModelChange(None, model)


def _recorded[T](kind: type[T], tool: str, **given: object) -> T:
    (answer,) = [
        call["answer"]
        for call in GRAPH_CALLS
        if call["tool"] == tool
        and all(call["arguments"].get(name) == value for name, value in given.items())
        and call["answer"] is not None
    ]
    return TypeAdapter(kind).validate_python(answer)


def _example_hit() -> SearchResultItem:
    return SearchResultItem(
        memory_id=MEMORY_ID,
        text=MEMORY,
        similarity_score=0.7439,
        tags=tuple(METADATA["tags"]),
        source=str(METADATA["source"]),
        timestamp=datetime(2025, 11, 24, 10, 30, tzinfo=UTC),
        highlight=MEMORY,
        chunk_id="ba467289-547e-4036-87e8-c88587dce2b2",
        chunk_index=0,
        start_char=0,
        end_char=len(MEMORY),
        metadata=dict(METADATA),
    )


def texts() -> dict[Path, str]:
    """Return every file with generated parts, as it should be."""
    engine = ExampleEngine(Settings.model_construct())
    tools, shown = declared_tools(engine), answers(engine)
    parts = {
        "README.md": {"tools": _tools_table(tools)},
        "docs/tools.md": {"relations": _relations(), "reference": _reference(tools, shown)},
        "docs/configuration.md": {"settings": _settings_table()},
    }
    return {ROOT / name: _with_parts(ROOT / name, of_file) for name, of_file in parts.items()}


def declared_tools(engine: MemoryEngine) -> list[Tool]:
    """Ask a server for its tools, as a client would."""

    async def ask() -> list[Tool]:
        async with Client(_server(engine).sdk_server) as client:
            return (await client.list_tools()).tools

    return asyncio.run(ask())


def answers(engine: MemoryEngine) -> list[CallToolResult]:
    """Make every example call in order, as a client would."""

    async def ask() -> list[CallToolResult]:
        async with engine, Client(_server(engine).sdk_server) as client:
            return [await client.call_tool(e.tool, e.arguments) for e in EXAMPLES]

    with capture_logs():
        return asyncio.run(ask())


def _server(engine: MemoryEngine) -> MCPServer:
    server = MCPServer(engine)
    server.register_all_tools()
    return server


def _with_parts(path: Path, parts: dict[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    for name, content in parts.items():
        start = f"<!-- generated by scripts/write_docs.py: {name} -->\n"
        end = f"<!-- end: {name} -->"
        before, found_start, rest = text.partition(start)
        _, found_end, after = rest.partition(end)
        if not found_start or not found_end:
            raise ValueError(f"{path.name} has no place for the generated part {name!r}")
        text = f"{before}{start}\n{content}\n\n{end}{after}"
    return text


def _tools_table(tools: Iterable[Tool]) -> str:
    rows = ((f"[`{t.name}`](docs/tools.md#{t.name})", _first_sentence(t)) for t in tools)
    return _table(("Tool", "What it does"), rows)


def _first_sentence(tool: Tool) -> str:
    return re.split(r"(?<=\.)\s", tool.description or "", maxsplit=1)[0]


def _relations() -> str:
    return ", ".join(f"`{name}`" for name in sorted(PREDICATES)) + "."


def _reference(tools: Iterable[Tool], shown: Iterable[CallToolResult]) -> str:
    pairs = list(zip(EXAMPLES, shown, strict=True))
    return "\n\n".join(
        _tool_section(tool, [pair for pair in pairs if pair[0].tool == tool.name])
        for tool in tools
    )


def _tool_section(tool: Tool, shown: list[tuple[Example, CallToolResult]]) -> str:
    given = [(f.path, f.type, f.limits, f.default, f.meaning) for f in _fields(tool.input_schema)]
    answered = [(f.path, f.type, f.meaning) for f in _fields(tool.output_schema or {})]
    arguments = _table(("Argument", "Type", "Limits", "Default", "Meaning"), given)
    return "\n\n".join(
        [
            f"## {tool.name}",
            tool.description or "",
            arguments if given else "It takes no arguments.",
            "Fields of the structured answer:",
            _table(("Field", "Type", "Meaning"), answered),
            *(_shown_call(*pair) for pair in shown),
        ]
    )


def _shown_call(example: Example, result: CallToolResult) -> str:
    call = json.dumps(example.arguments, ensure_ascii=False)
    if len(call) > LONGEST_LINE:
        call = json.dumps(example.arguments, ensure_ascii=False, indent=2)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return (
        f"{'Refused' if result.is_error else 'Example'}: `{example.tool}` with\n\n"
        f"```json\n{call}\n```\n\nanswers\n\n```text\n{content.text}\n```"
    )


@dataclass(frozen=True, slots=True)
class _Field:
    path: str
    type: str
    limits: str
    default: str
    meaning: str


def _fields(schema: Schema, prefix: str = "") -> Iterator[_Field]:
    for name, part in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        is_required = name in schema.get("required", ())
        default = "required" if is_required else _code(part.get("default")) or "optional"
        meaning = part.get("description") or f"Always `{part.get('const')}`"
        yield _Field(f"`{path}`", _type(part), _limits(part), default, str(meaning))
        for choice in (part, *part.get("anyOf", ())):
            yield from _fields(choice, f"{path}.")
        yield from _fields(part.get("items", {}), f"{path}[].")


def _type(part: Schema) -> str:
    if "anyOf" in part:
        return " or ".join(_type(choice) for choice in part["anyOf"])
    if part.get("type") == "array":
        return f"list of {_type(part['items'])}s"
    formats = {"date": "date", "date-time": "date and time", "path": "path"}
    return formats.get(part.get("format", ""), str(part.get("type")))


def _limits(part: Schema) -> str:
    if "enum" in part:
        return ", ".join(_code(value) for value in part["enum"])
    if "pattern" in part:
        return f"`{part['pattern']}`"
    if "maxLength" in part:
        return f"{part.get('minLength', 0):,} to {part['maxLength']:,} characters"
    if "maximum" in part:
        above = f"above {part['exclusiveMinimum']:,}" if "exclusiveMinimum" in part else ""
        return f"{above or format(part['minimum'], ',')} to {part['maximum']:,}"
    return ""


def _settings_table() -> str:
    settings = Settings.model_json_schema()["properties"]
    rows = (
        (f"`{name}`", _default(name, part), _limits(part), str(part["description"]))
        for name, part in settings.items()
    )
    return _table(("Variable", "Default", "Accepts", "Meaning"), rows)


def _default(name: str, part: Schema) -> str:
    return DEFAULTS.get(name) or _code(part.get("default")) or "not set"


def _code(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return f"`{str(value).lower()}`"
        case float():
            return f"`{value:g}`"
    return f"`{value}`"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    """Write what is stale; with `--check`, only name it and fail."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail when stale")
    is_check = parser.parse_args().check
    stale = {p: text for p, text in texts().items() if p.read_text(encoding="utf-8") != text}
    for path, text in stale.items():
        if not is_check:
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)} {'is stale' if is_check else 'was written'}")
    return 1 if is_check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
