"""Have the official MCP inspector lint the tools and make the calls that the docs show."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.background import CommandFailed, run_bounded, running_server
from scripts.clients.programs import INSPECTOR
from scripts.docs_examples import EXAMPLES, PROJECT, PROJECT_FOLDER, READ_MINUTES, Example
from scripts.example_engine import ExampleEngine
from scripts.node import ROOT, NotInstalled, node_program
from scripts.write_docs import answers
from zapomni_core import Settings

TIMEOUT_S = 90


@dataclass(frozen=True, slots=True)
class Inspector:
    """The inspector, looking at one server over HTTP."""

    url: str

    def ask(self, method: str, *options: str) -> dict[str, Any]:
        """Return a result; a complaint, or an answer that is an error, raises."""
        program = [str(node_program()), str(INSPECTOR.program(".bin/mcp-inspector")), "--cli"]
        how = ["--transport", "http", "--format", "json", "--method", method, *options]
        variables = {"PATH": f"{node_program().parent}:{os.environ['PATH']}"}
        said = run_bounded([*program, self.url, *how], variables, ROOT, TIMEOUT_S)
        result = json.loads(said)["result"]
        assert isinstance(result, dict)
        return result

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool."""
        given = ("--tool-name", tool, "--tool-args-json", json.dumps(arguments))
        return self.ask("tools/call", *given)


def good_examples() -> Iterator[Example]:
    """Yield the documented calls that are answered, without those that are refused."""
    shown = answers(ExampleEngine(Settings.model_construct()))
    for example, answer in zip(EXAMPLES, shown, strict=True):
        if not answer.is_error:
            yield example


def inspect(inspector: Inspector, project: Path) -> list[str]:
    """Make the calls in their order and return the names of the tools that nobody has called."""
    declared = inspector.ask("tools/list", "--strict")["tools"]
    print(f"tools/list --strict: {len(declared)} tools")
    uncalled = {tool["name"]: None for tool in declared}
    job_id = ""
    for example in good_examples():
        arguments = json.dumps(example.arguments).replace(PROJECT_FOLDER, str(project))
        result = inspector.call(
            example.tool, json.loads(arguments.replace(READ_MINUTES.id, job_id))
        )
        if example.tool == "add_document":
            job_id = result["structuredContent"]["job"]["id"]
        print(f"tools/call {example.tool}: ok")
        uncalled.pop(example.tool, None)
    return list(uncalled)


def main() -> int:
    """Start a server, have it inspected, stop it."""
    INSPECTOR.install()
    with tempfile.TemporaryDirectory(prefix="zapomni-inspector-") as name:
        folder = Path(name).resolve()
        project = folder / Path(PROJECT_FOLDER).name
        for path, text in PROJECT.items():
            file = project / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        program = Path(sys.prefix) / "bin" / "zapomni-mcp"
        command = ["env", f"ZAPOMNI_CODE_ROOTS={project}", str(program)]
        with running_server(command, folder) as server:
            uncalled = inspect(Inspector(f"{server.url}/mcp"), project)
    print(f"not called: {', '.join(uncalled)}" if uncalled else "inspector: no complaint")
    return 1 if uncalled else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CommandFailed, NotInstalled) as exc:
        sys.exit(f"inspector: {exc}")
