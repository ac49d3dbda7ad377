"""Folders that a client names as its roots may be indexed, if the client is the user's own."""

import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ListRootsResult, Root
from pydantic import FileUrl

from tests.zapomni_mcp.answers import refusal, structured

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "my project"
    folder.mkdir()
    (folder / "tool.py").write_text("def hammer(nail):\n    return nail\n")
    return folder


def roots_of(*folders: Path) -> Any:
    async def list_roots(_context: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(each.as_uri())) for each in folders])

    return list_roots


def stdio(environment: dict[str, str]) -> StdioServerParameters:
    arguments = ["-m", "zapomni_mcp", "--transport", "stdio"]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment)


async def test_a_root_of_the_client_may_be_indexed(
    environment: dict[str, str], project: Path
) -> None:
    callback = roots_of(project)
    async with Client(stdio(environment), list_roots_callback=callback, mode="legacy") as client:
        indexed = structured(await client.call_tool("index_codebase", {"path": str(project)}))

        assert indexed["indexed"] == 1
        outside = await client.call_tool("index_codebase", {"path": str(project.parent)})
        assert "ZAPOMNI_CODE_ROOTS" in refusal(outside)


async def test_without_roots_nothing_may_be_indexed(
    environment: dict[str, str], project: Path
) -> None:
    async with Client(stdio(environment)) as client:
        answer = await client.call_tool("index_codebase", {"path": str(project)})

        assert "ZAPOMNI_CODE_ROOTS" in refusal(answer)


async def test_roots_of_a_client_over_http_count_for_nothing(
    http_address: str, project: Path
) -> None:
    callback = roots_of(project)
    address = f"{http_address}/mcp"
    async with Client(address, list_roots_callback=callback, mode="legacy") as client:
        answer = await client.call_tool("index_codebase", {"path": str(project)})

        assert "ZAPOMNI_CODE_ROOTS" in refusal(answer)
