"""What a client is told about the tools: the schemas of the specification, and nothing odd."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from mcp import Client

from tests.zapomni_mcp.answers import structured
from tests.zapomni_mcp.expected_inputs import DESTRUCTIVE, INPUTS, TEXT, WORKSPACE_INPUTS
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio


def in_a_workspace(schema: dict[str, Any]) -> dict[str, Any]:
    """Add the argument that every tool has which works in a workspace."""
    return schema | {"properties": schema["properties"] | {"workspace": TEXT}}


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
    expected = {name: in_a_workspace(schema) for name, schema in INPUTS.items()}
    assert offered == expected | WORKSPACE_INPUTS


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
        "add_document": (False, False),
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
        "list_jobs": (True, False),
        "control_job": (False, False),
        "list_workspaces": (True, False),
        "create_workspace": (False, False),
        "set_current_workspace": (False, False),
        "delete_workspace": (False, False),
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
