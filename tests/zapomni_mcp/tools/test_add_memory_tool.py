"""The component tests of add_memory, each against a real engine on a real database."""

from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pydantic
import pytest

from tests.fakes import FakeOllama
from tests.folders import fresh_settings
from tests.zapomni_mcp.answers import logged
from tests.zapomni_mcp.engines import FailingEngine, without_database
from zapomni_core import (
    DatabaseError,
    MemoryEngine,
    ProcessingError,
    Settings,
    ValidationError,
)
from zapomni_mcp import AddMemoryTool
from zapomni_mcp.schemas import AddMemoryResponse

pytestmark = pytest.mark.anyio

RETRY = "Error: Database temporarily unavailable. Please retry in a few seconds."
INTERNAL = "Error: An internal error occurred while processing your "
EMPTY = "Error: text cannot be empty or contain only whitespace"


@pytest.fixture
def tool(engine: MemoryEngine) -> AddMemoryTool:
    return AddMemoryTool(core_engine=engine)


def error(result: dict[str, Any]) -> str:
    text: str = result["content"][0]["text"]
    assert result == {"content": [{"type": "text", "text": text}], "isError": True}
    return text


async def memories(tool: AddMemoryTool) -> int:
    return (await tool.core_engine.get_stats()).total_memories


async def test_init_success(engine: MemoryEngine, log: StringIO) -> None:
    tool = AddMemoryTool(core_engine=engine)
    tool.logger.info("looked_at")

    assert tool.core_engine is engine
    assert tool.name == "add_memory"
    assert tool.description.startswith("Add a memory (text or code) to the knowledge graph.")
    assert tool.input_schema["required"] == ["text"]
    assert logged(log, "looked_at")["tool"] == "add_memory"


@pytest.mark.parametrize("wrong", [None, object(), "engine", MemoryEngine])
def test_init_invalid_core_engine_type(wrong: Any) -> None:
    with pytest.raises(TypeError, match="core_engine must be MemoryEngine instance"):
        AddMemoryTool(core_engine=wrong)


async def test_execute_success_minimal(tool: AddMemoryTool) -> None:
    result = await tool.execute({"text": "Remember this"})

    memory_id = result["structuredContent"]["memory_id"]
    answer = (
        f"Memory stored successfully.\nID: {memory_id}\nChunks created: 1\nPreview: Remember this"
    )
    assert UUID(memory_id).version == 4
    assert result == {
        "content": [{"type": "text", "text": answer}],
        "structuredContent": {
            "status": "success",
            "memory_id": memory_id,
            "chunks_created": 1,
            "text_preview": "Remember this",
            "deduplicated": False,
            "similar_to": [],
            "secrets_hidden": {},
            "error": None,
        },
        "isError": False,
    }


async def test_execute_success_with_metadata(tool: AddMemoryTool) -> None:
    text = "def fibonacci(n):\n    if n <= 1:\n        return n\n" * 20
    metadata = {
        "source": "tutorial",
        "tags": ["python", "algorithms"],
        "language": "python",
        "timestamp": "2025-11-24T10:30:00Z",
        "difficulty": "intermediate",
    }

    stored = (await tool.execute({"text": text, "metadata": metadata}))["structuredContent"]

    found = (await tool.core_engine.search_memory("fibonacci", 1)).results[0]
    assert found.memory_id == stored["memory_id"]
    assert found.metadata == metadata
    assert (found.source, found.tags) == ("tutorial", ("python", "algorithms"))
    assert stored["chunks_created"] >= 1
    assert stored["text_preview"] == text[:100]


async def test_execute_validation_error_empty_text(tool: AddMemoryTool) -> None:
    assert error(await tool.execute({"text": ""})) == EMPTY
    assert await memories(tool) == 0


async def test_execute_validation_error_whitespace_only(tool: AddMemoryTool) -> None:
    assert error(await tool.execute({"text": " \n\t "})) == EMPTY
    assert await memories(tool) == 0


async def test_execute_validation_error_missing_text(tool: AddMemoryTool) -> None:
    answer = error(await tool.execute({"metadata": {"source": "user"}}))

    assert answer == "Error: text field required"
    assert await memories(tool) == 0


async def test_execute_validation_error_text_too_long(tool: AddMemoryTool) -> None:
    answer = error(await tool.execute({"text": "x" * 10_000_001}))

    assert answer == "Error: text exceeds maximum length of 10,000,000 characters"
    assert await memories(tool) == 0


async def test_execute_validation_error_invalid_metadata_type(tool: AddMemoryTool) -> None:
    answer = error(await tool.execute({"text": "valid", "metadata": "invalid"}))

    assert answer == "Error: metadata must be an object"
    assert await memories(tool) == 0


async def test_execute_processing_error(memory_folder: Path, ollama: FakeOllama) -> None:
    ollama.behaviour = "garbage"
    async with MemoryEngine(fresh_settings(memory_folder, ollama_host=ollama.host)) as engine:
        answer = error(await AddMemoryTool(engine).execute({"text": "a text"}))

        assert answer.startswith("Error: Ollama could not embed with the model 'nomic-embed-text'")
        for internal in (ollama.host, "html", "Traceback", "JSONDecodeError"):
            assert internal not in answer
        assert (await engine.get_stats()).total_memories == 0


async def test_execute_database_error(memory_folder: Path) -> None:
    tool = AddMemoryTool(without_database(memory_folder))

    assert error(await tool.execute({"text": "a text"})) == RETRY


async def test_execute_unexpected_error(settings: Settings, log: StringIO) -> None:
    tool = AddMemoryTool(FailingEngine(settings, ZeroDivisionError("at 10.0.0.7, row 3")))

    answer = error(await tool.execute({"text": "a text"}))

    failure = logged(log, "tool_failed")
    assert answer.startswith(INTERNAL)
    assert failure["reference"] in answer
    assert failure["exception"][0]["exc_type"] == "ZeroDivisionError"
    assert failure["exception"][0]["exc_value"] == "at 10.0.0.7, row 3"
    assert failure["exception"][0]["frames"]
    assert "10.0.0.7" not in answer
    assert "ZeroDivisionError" not in answer


async def test_validate_arguments_success(tool: AddMemoryTool) -> None:
    given = {"text": "valid", "metadata": {"tags": ["a"], "source": None, "own": None}}

    request = tool._validate_arguments(given)

    assert request.text == "valid"
    assert request.given_metadata() == {"tags": ["a"], "own": None}
    assert tool._validate_arguments({"text": "valid"}).given_metadata() == {}
    with pytest.raises(pydantic.ValidationError):
        tool._validate_arguments({"text": "valid", "content": "valid"})


async def test_format_success(tool: AddMemoryTool) -> None:
    stored = AddMemoryResponse(
        memory_id="550e8400-e29b-41d4-a716-446655440000",
        chunks_created=3,
        text_preview="Python is a high-level programming language",
    )

    assert tool._format_success(stored) == {
        "content": [
            {
                "type": "text",
                "text": "Memory stored successfully.\n"
                "ID: 550e8400-e29b-41d4-a716-446655440000\n"
                "Chunks created: 3\n"
                "Preview: Python is a high-level programming language",
            }
        ],
        "structuredContent": stored.model_dump(mode="json"),
        "isError": False,
    }


async def test_format_error_validation_error(tool: AddMemoryTool, log: StringIO) -> None:
    failure = ValidationError("metadata.tags", "must be a list of strings")

    assert error(tool._format_error(failure)) == "Error: metadata.tags must be a list of strings"
    assert logged(log, "invalid_arguments")["level"] == "warning"


async def test_format_error_database_error(tool: AddMemoryTool, log: StringIO) -> None:
    failure = DatabaseError("Database temporarily unavailable. Please retry in a few seconds.")

    assert error(tool._format_error(failure)) == RETRY
    assert logged(log, "tool_failed")["level"] == "error"


@pytest.mark.parametrize("failure", [RuntimeError("secret"), ProcessingError("secret")])
async def test_format_error_generic(tool: AddMemoryTool, failure: Exception) -> None:
    answer = error(tool._format_error(failure))

    assert answer.startswith(INTERNAL)
    assert "secret" not in answer
