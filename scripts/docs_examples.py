"""The calls that the documentation shows, with what was answered in one real run."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zapomni_core.jobs import JobReport

__all__ = [
    "CODE_CALLS",
    "EXAMPLES",
    "GRAPH_CALLS",
    "LIFE_CALLS",
    "MEMORY",
    "MEMORY_ID",
    "METADATA",
    "MINUTES",
    "PROJECT",
    "PROJECT_FOLDER",
    "READ_MINUTES",
    "WORKSPACE",
    "Example",
]

MEMORY = (
    "We chose PostgreSQL over MongoDB for the billing service because invoices need transactions."
)
METADATA = {
    "tags": ["billing", "decision"],
    "source": "standup",
    "timestamp": "2025-11-24T10:30:00Z",
}
MEMORY_ID = "83557326-b097-4d29-8b9c-8ced7e932f0d"
WORKSPACE = "Notes for the thesis, apart from work"
MINUTES = """# Meeting of 3 March

## Decided

The second chapter is about reading.

## Open

Who compares the two corpora?
"""
READ_MINUTES = JobReport("0b5f6c9d2a71", "add_document", "done", 1, 1, 0.052)
ABOUT_CODE = "`encode_invoice` must keep the order of its fields: the tax office compares files."


@dataclass(frozen=True, slots=True)
class Example:
    """A call that the documentation shows with its answer."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


def _read(name: str) -> Any:
    return json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


# Calls with what the engine answered in one real run; null where it refused.
GRAPH_CALLS: list[dict[str, Any]] = _read("graph_examples.json")
LIFE_CALLS: list[dict[str, Any]] = _read("life_examples.json")
_CODE: dict[str, Any] = _read("code_examples.json")
CODE_CALLS: list[dict[str, Any]] = _CODE["calls"]
# The files that these calls are about, and the folder that the documentation shows them in.
PROJECT: dict[str, str] = {path: "\n".join(lines) for path, lines in _CODE["project"].items()}
PROJECT_FOLDER: str = _CODE["folder"]
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
    Example("add_memory", {"text": ABOUT_CODE, "metadata": METADATA}),
    *(Example(call["tool"], call["arguments"]) for call in CODE_CALLS),
    *(Example(call["tool"], call["arguments"]) for call in LIFE_CALLS),
    Example("create_workspace", {"name": "thesis", "description": WORKSPACE}),
    Example("set_current_workspace", {"name": "thesis"}),
    Example("list_workspaces"),
    Example("add_document", {"text": MINUTES, "name": "minutes.md", "workspace": "thesis"}),
    Example("add_document", {"path": "/etc/hosts"}),
    Example("list_jobs", {"workspace": "thesis"}),
    Example("control_job", {"job_id": READ_MINUTES.id, "action": "cancel", "workspace": "thesis"}),
    Example("control_job", {"job_id": "1234", "action": "resume", "workspace": "thesis"}),
    Example("search_memory", {"query": "MongoDB", "workspace": "thesys"}),
    Example("delete_workspace", {"name": "thesis", "confirm": "yes"}),
    Example("delete_workspace", {"name": "thesis", "confirm": "thesis"}),
)
