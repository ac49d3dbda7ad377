"""What a client is told about the tools: the schemas of the specification, and nothing odd."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from mcp import Client

from tests.zapomni_mcp.answers import structured
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
MOMENT = {"type": "string", "format": "date-time"}
DAY = {"type": "string", "format": "date"}
LONG_TEXT = {"type": "string", "minLength": 1, "maxLength": 10_000_000}
NAME = {"type": "string", "minLength": 1, "maxLength": 1000}
SEVERAL_NAMES = {"type": "array", "items": NAME, "maxItems": 100}
METADATA = {
    "type": "object",
    "properties": {
        "source": TEXT,
        "tags": TEXTS,
        "timestamp": MOMENT,
        "language": TEXT,
        "session": TEXT,
        "position": {"type": "integer"},
        "speaker": TEXT,
        "ttl": TEXT,
        "expires": MOMENT,
        "pinned": {"type": "boolean"},
    },
    "additionalProperties": True,
}
MEMORY_ID = {"type": "string", "format": "uuid"}
NO = {"type": "boolean", "default": False}
FILTERS = {
    "type": "object",
    "properties": {"tags": TEXTS, "source": TEXT, "date_from": DAY, "date_to": DAY},
    "additionalProperties": False,
}
NOTHING = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}

DESTRUCTIVE = {"update_memory", "delete_memory", "clear_all", "prune_memory"}
INPUTS: dict[str, dict[str, Any]] = {
    "add_memory": {
        "type": "object",
        "properties": {"text": LONG_TEXT, "metadata": METADATA},
        "required": ["text"],
        "additionalProperties": False,
    },
    "search_memory": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 1000},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
            "filters": FILTERS,
            "min_score": {"type": "number", "minimum": 0.0, "maximum": 1.0, "default": 0.0},
            "max_tokens": {"type": "integer", "minimum": 16},
            "explain": {"type": "boolean", "default": False},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "get_stats": NOTHING,
    "get_memory": {
        "type": "object",
        "properties": {
            "memory_id": MEMORY_ID,
            "max_chars": {"type": "integer", "minimum": 1},
            "full_history": NO,
        },
        "required": ["memory_id"],
        "additionalProperties": False,
    },
    "list_memories": {
        "type": "object",
        "properties": {
            "filters": FILTERS,
            "order": {
                "type": "string",
                "enum": ["newest", "oldest", "last_added", "first_added"],
                "default": "newest",
            },
            "cursor": TEXT,
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
        },
        "required": [],
        "additionalProperties": False,
    },
    "update_memory": {
        "type": "object",
        "properties": {"memory_id": MEMORY_ID, "text": LONG_TEXT, "metadata": METADATA},
        "required": ["memory_id"],
        "additionalProperties": False,
    },
    "delete_memory": {
        "type": "object",
        "properties": {"memory_id": MEMORY_ID, "confirm": NO, "erase": NO},
        "required": ["memory_id"],
        "additionalProperties": False,
    },
    "clear_all": {
        "type": "object",
        "properties": {"phrase": TEXT, "erase": NO},
        "required": ["phrase"],
        "additionalProperties": False,
    },
    "prune_memory": {
        "type": "object",
        "properties": {
            "kinds": {
                "type": "array",
                "items": {"type": "string", "enum": ["expired", "orphans", "history", "code"]},
            },
            "dry_run": {"type": "boolean", "default": True},
            "older_than_days": {"type": "integer", "minimum": 0, "default": 90},
        },
        "required": [],
        "additionalProperties": False,
    },
    "build_graph": {
        "type": "object",
        "properties": {
            "text": LONG_TEXT,
            "memory_ids": TEXTS,
            "metadata": METADATA,
            "cancel_job": TEXT,
        },
        "required": [],
        "additionalProperties": False,
    },
    "get_related": {
        "type": "object",
        "properties": {
            "entity": NAME,
            "depth": {"type": "integer", "minimum": 1, "maximum": 5, "default": 1},
            "relations": TEXTS,
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
            "as_of": TEXT,
        },
        "required": ["entity"],
        "additionalProperties": False,
    },
    "graph_status": NOTHING,
    "export_graph": {
        "type": "object",
        "properties": {
            "format": {
                "type": "string",
                "enum": ["graphml", "cytoscape", "cypher", "jsonld", "json"],
                "default": "json",
            },
            "file_name": {"type": "string", "pattern": r"^[\w-][\w.-]{0,99}$"},
        },
        "required": [],
        "additionalProperties": False,
    },
    "keep_fact": {
        "type": "object",
        "properties": {"fact_id": NAME, "keep": {"type": "boolean", "default": True}},
        "required": ["fact_id"],
        "additionalProperties": False,
    },
    "set_model": {
        "type": "object",
        "properties": {"model": NAME},
        "required": [],
        "additionalProperties": False,
    },
    "index_codebase": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "minLength": 1, "maxLength": 4096},
            "languages": SEVERAL_NAMES,
            "exclude": SEVERAL_NAMES,
            "full": NO,
            "cancel_job": NAME,
        },
        "required": [],
        "additionalProperties": False,
    },
    "search_code": {
        "type": "object",
        "properties": {
            "repository": NAME,
            "query": NAME,
            "kinds": SEVERAL_NAMES,
            "languages": SEVERAL_NAMES,
            "path": NAME,
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
            "explain": NO,
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    "get_symbol": {
        "type": "object",
        "properties": {"repository": NAME, "symbol": NAME},
        "required": ["symbol"],
        "additionalProperties": False,
    },
    "get_call_graph": {
        "type": "object",
        "properties": {
            "repository": NAME,
            "symbol": NAME,
            "direction": {
                "type": "string",
                "enum": ["callers", "callees", "impact"],
                "default": "callers",
            },
            "depth": {"type": "integer", "minimum": 1, "maximum": 5},
            "guesses": {"type": "boolean", "default": True},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 50},
        },
        "required": ["symbol"],
        "additionalProperties": False,
    },
    "code_overview": {
        "type": "object",
        "properties": {
            "repository": NAME,
            "max_tokens": {"type": "integer", "minimum": 16, "default": 2000},
        },
        "required": [],
        "additionalProperties": False,
    },
    "code_status": NOTHING,
}


def undescribed(schema: Any) -> Any:
    """Drop the prose, and spell out that nothing is required."""
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: undescribed(part) for name, part in value.items()}
        if key == "properties"
        else undescribed(value)
        for key, value in schema.items()
        if key != "description"
    }


def undescribed_fields(schema: dict[str, Any]) -> list[str]:
    """Name the fields at any depth that nobody has described; a constant speaks for itself."""
    found = []
    for name, part in schema.get("properties", {}).items():
        if not part.get("description") and "const" not in part:
            found.append(name)
        for inner in (part, part.get("items", {}), *part.get("anyOf", ())):
            found += [f"{name}.{path}" for path in undescribed_fields(inner)]
    return found


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_input_schemas_are_those_of_the_specification_and_our_additions(
    server: MCPServer, mode: str
) -> None:
    async with Client(server.sdk_server, mode=mode) as client:
        tools = (await client.list_tools()).tools

    offered = {tool.name: {"required": [], **undescribed(tool.input_schema)} for tool in tools}
    assert offered == INPUTS


async def test_every_argument_and_field_is_described(client: Client) -> None:
    for tool in (await client.list_tools()).tools:
        assert tool.description
        assert tool.title
        assert undescribed_fields(tool.input_schema) == []
        assert undescribed_fields(tool.output_schema or {}) == []


async def test_the_schemas_have_no_references_titles_or_unions_in_their_inputs(
    client: Client,
) -> None:
    for tool in (await client.list_tools()).tools:
        written = json.dumps(tool.input_schema)
        for foreign in ('"$ref"', '"$defs"', '"title"', '"anyOf"', "null"):
            assert foreign not in written
        assert '"$ref"' not in json.dumps(tool.output_schema)


async def test_structured_answers_are_valid_by_their_output_schemas(client: Client) -> None:
    schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_memory", {"query": "nothing is stored yet"}),
        ("get_stats", {}),
        ("add_memory", {"text": "Anna plays the cello", "metadata": {"tags": ["music"], "n": 1}}),
        ("search_memory", {"query": "cello", "explain": True}),
        ("get_stats", {}),
        ("graph_status", {}),
        ("build_graph", {"text": "Anna Petrova lives in Oslo since March 2021."}),
        ("build_graph", {}),
        ("get_related", {"entity": "Anna Petrova", "depth": 2, "as_of": "2024-01-01"}),
        ("get_related", {"entity": "Anna Petrova"}),
        ("get_related", {"entity": "nobody at all"}),
        ("graph_status", {}),
        ("export_graph", {"format": "graphml"}),
        ("export_graph", {"file_name": "mine"}),
    ]

    for name, arguments in calls:
        answer = structured(await client.call_tool(name, arguments))

        jsonschema.Draft202012Validator(
            schemas[name] or {}, format_checker=jsonschema.FormatChecker()
        ).validate(answer)
        assert answer["status"] == "success"
        assert answer["error"] is None


async def test_the_annotations_say_what_a_tool_changes(client: Client) -> None:
    hints = {}
    for tool in (await client.list_tools()).tools:
        assert tool.annotations is not None
        hints[tool.name] = (tool.annotations.read_only_hint, tool.annotations.open_world_hint)
        assert bool(tool.annotations.destructive_hint) == (tool.name in DESTRUCTIVE)

    assert hints == {
        "add_memory": (False, False),
        "search_memory": (True, False),
        "get_stats": (True, False),
        "get_memory": (True, False),
        "list_memories": (True, False),
        "update_memory": (False, False),
        "delete_memory": (False, False),
        "clear_all": (False, False),
        "prune_memory": (False, False),
        "build_graph": (False, False),
        "get_related": (True, False),
        "graph_status": (True, False),
        "export_graph": (False, False),
        "keep_fact": (False, False),
        "set_model": (False, False),
        "index_codebase": (False, False),
        "search_code": (True, False),
        "get_symbol": (True, False),
        "get_call_graph": (True, False),
        "code_overview": (True, False),
        "code_status": (True, False),
    }


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_server_introduces_itself_and_says_how_to_use_it(
    server: MCPServer, mode: str
) -> None:
    async with Client(server.sdk_server, mode=mode) as client:
        info, instructions = client.server_info, client.instructions

    assert info is not None
    assert info.name == "zapomni"
    assert instructions is not None
    for name in INPUTS:
        assert name in instructions or name in ("get_stats", "set_model")
