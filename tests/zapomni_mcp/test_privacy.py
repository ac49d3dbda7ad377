"""No word of a memory, a question or its metadata is ever logged, whatever goes wrong."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from tests.fakes import FakeOllama
from tests.folders import fresh_settings
from tests.zapomni_mcp.answers import entries
from tests.zapomni_mcp.engines import without_database
from zapomni_core import MemoryEngine
from zapomni_mcp import MCPServer

pytestmark = pytest.mark.anyio

SECRET = "xylograph-marzipan"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("add_memory", {"text": f"The word is {SECRET}", "metadata": {"tags": [SECRET], "a": SECRET}}),
    ("search_memory", {"query": SECRET, "filters": {"tags": [SECRET], "source": SECRET}}),
    ("add_memory", {"text": f"{SECRET}\0"}),
    ("add_memory", {"text": SECRET, "metadata": {"timestamp": SECRET}}),
    ("add_memory", {"text": SECRET, "metadata": SECRET}),
    ("add_memory", {"text": [SECRET]}),
    ("add_memory", {"text": "a", "metadata": {"tags": [[SECRET]]}}),
    ("search_memory", {"query": SECRET * 100}),
    ("search_memory", {"query": "a", "filters": {"date_from": SECRET}}),
    ("get_stats", {}),
    ("build_graph", {"text": f"{SECRET.title()} Petrova lives in {SECRET.title()}."}),
    ("build_graph", {}),
    ("get_related", {"entity": SECRET}),
    ("get_related", {"entity": SECRET, "relations": [SECRET], "depth": 3}),
    ("graph_status", {}),
    ("export_graph", {}),
    ("build_graph", {"memory_ids": [SECRET]}),
    ("build_graph", {"cancel_job": SECRET}),
    ("get_related", {"entity": "a", "as_of": SECRET}),
    ("export_graph", {"format": SECRET}),
    ("export_graph", {"file_name": f"/{SECRET}"}),
    ("keep_fact", {"fact_id": SECRET}),
    ("keep_fact", {"fact_id": f"{SECRET}\0"}),
    ("keep_fact", {"fact_id": "a", "keep": SECRET}),
    ("forget_memory", {"text": SECRET}),
]


async def call_everything(engine: MemoryEngine) -> list[str]:
    server = MCPServer(engine)
    server.register_all_tools()
    async with Client(server.sdk_server) as client:
        answers = [await client.call_tool(name, arguments) for name, arguments in CALLS]
    return [answer.content[0].text for answer in answers if answer.is_error]  # type: ignore[union-attr]


def assert_private(log: StringIO, capture: pytest.CaptureFixture[str]) -> None:
    captured = capture.readouterr()
    for written in (log.getvalue(), captured.out, captured.err):
        for part in SECRET.split("-"):
            assert part not in written.casefold()


async def test_a_session_logs_no_word_of_what_is_remembered(
    engine: MemoryEngine, log: StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    refusals = await call_everything(engine)

    assert len(refusals) == 16
    assert {
        "graph_walked",
        "invalid_arguments",
        "job_ended",
        "memory_added",
        "memory_searched",
        "request_processed",
    } <= {entry["event"] for entry in entries(log)}
    assert SECRET not in json.dumps(refusals)
    assert_private(log, capsys)


async def test_a_lost_database_logs_no_word_of_what_was_to_be_remembered(
    memory_folder: Path, log: StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    refusals = await call_everything(without_database(memory_folder))

    assert len(refusals) == len(CALLS)
    assert "tool_failed" in {entry["event"] for entry in entries(log)}
    assert_private(log, capsys)


@pytest.mark.parametrize("behaviour", ["garbage", "no_model", "wrong_count"])
async def test_a_failing_embedder_logs_no_word_either(
    memory_folder: Path,
    ollama: FakeOllama,
    log: StringIO,
    capsys: pytest.CaptureFixture[str],
    behaviour: str,
) -> None:
    ollama.behaviour = behaviour  # type: ignore[assignment]
    async with MemoryEngine(fresh_settings(memory_folder, ollama_host=ollama.host)) as engine:
        await call_everything(engine)

    assert "tool_failed" in {entry["event"] for entry in entries(log)}
    assert_private(log, capsys)


async def test_the_settings_are_logged_without_secrets(memory_folder: Path, log: StringIO) -> None:
    settings = fresh_settings(
        memory_folder, falkordb_url=f"falkor://anna:{SECRET}@127.0.0.1:1", falkordb_password=SECRET
    )
    server = MCPServer(MemoryEngine(settings))
    server.register_all_tools()

    await server._handle_request("get_stats", {})

    assert SECRET not in json.dumps(settings.without_secrets())
    assert SECRET not in log.getvalue()
