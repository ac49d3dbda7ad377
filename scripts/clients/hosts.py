"""Agents that people use, set up with their own commands in an empty home.

Their model is a script of ours: it has the host remember something and recall it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from scripts.background import CommandFailed, run_bounded
from scripts.clients.checks import TIMEOUT_S, Bench, Check, Transport, memorable
from scripts.clients.model import ToolCall, scripted_model
from scripts.node import Package

__all__ = [
    "CLAUDE",
    "CODEX",
    "GEMINI",
    "HOST_CHECKS",
    "OPENCODE",
    "claude_variables",
    "program",
]

CLAUDE = Package("@anthropic-ai/claude-code", "2.1.325")
CODEX = Package("@openai/codex", "0.166.0")
GEMINI = Package("@google/gemini-cli", "0.61.0")
OPENCODE = Package("opencode-ai", "1.18.33")

_PROGRAMS = {
    "claude": (CLAUDE, "@anthropic-ai/claude-code-*/claude"),
    "codex": (CODEX, ".bin/codex"),
    "gemini": (GEMINI, ".bin/gemini"),
    "opencode": (OPENCODE, "opencode-*/bin/opencode"),
}
_NAME = "zapomni"
_PROMPT = "Remember where the key is, then tell me."


@dataclass(frozen=True, slots=True)
class Setup:
    """How a host is prepared and asked something."""

    commands: list[list[str | Path]]
    variables: dict[str, str] = field(default_factory=dict)
    files: dict[str, object] = field(default_factory=dict)


def program(name: str) -> Path:
    """Return the program of a host by the name that people call it by."""
    package, pattern = _PROGRAMS[name]
    return package.program(pattern)


type Prepare = Callable[[Bench, Transport, str, Path], Setup]


def _check(client: str, prepare: Prepare, transport: Transport, bench: Bench) -> None:
    home = bench.clean_home()
    text = memorable(client, transport)
    script = (ToolCall("add_memory", {"text": text}), ToolCall("search_memory", {"query": text}))
    with scripted_model(script) as model:
        setup = prepare(bench, transport, model.url, home)
        for name, content in setup.files.items():
            file = home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(content), "utf-8")
        environment = bench.environment(home) | setup.variables
        output = [run_bounded(command, environment, home, TIMEOUT_S) for command in setup.commands]
    if len(model.results) != len(script) or text not in model.results[-1]:
        raise CommandFailed(f"the model was told {model.results}", "".join(output))


def _settings(bench: Bench, flag: str) -> list[str]:
    pairs = [f"{name}={value}" for name, value in bench.stdio_environment.items()]
    return [part for pair in pairs for part in (flag, pair)]


def _claude(bench: Bench, transport: Transport, model_url: str, _home: Path) -> Setup:
    claude = program("claude")
    add: list[str | Path] = [claude, "mcp", "add", "--scope", "user"]
    if transport == "stdio":
        add += [_NAME, *_settings(bench, "-e"), "--", *bench.stdio_command]
    else:
        add += ["--transport", transport, _NAME, bench.url(transport)]
    return Setup(
        commands=[add, [claude, "-p", _PROMPT, "--allowedTools", f"mcp__{_NAME}"]],
        variables=claude_variables(model_url),
    )


def claude_variables(model_url: str) -> dict[str, str]:
    """Return what makes Claude Code ask our model, and nobody else."""
    return {
        "ANTHROPIC_BASE_URL": model_url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        # Otherwise it begins without the tools when the server takes some seconds to start,
        # and hides them behind a search, which our model cannot use.
        "MCP_CONNECTION_NONBLOCKING": "false",
        "ENABLE_TOOL_SEARCH": "false",
    }


def _codex(bench: Bench, transport: Transport, model_url: str, _home: Path) -> Setup:
    codex = program("codex")
    add: list[str | Path] = [codex, "mcp", "add", _NAME]
    if transport == "stdio":
        add += [*_settings(bench, "--env"), "--", *bench.stdio_command]
    else:
        add += ["--url", bench.url(transport)]
    provider = f'{{name="scripted",base_url="{model_url}/v1",wire_api="responses"}}'
    settings = {
        "model": '"scripted"',
        "model_provider": '"scripted"',
        "model_providers.scripted": provider,
        # Otherwise it does not wait for the tools, and does not call what may change something.
        f"mcp_servers.{_NAME}.required": "true",
        f"mcp_servers.{_NAME}.default_tools_approval_mode": '"approve"',
    }
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return Setup([add, [codex, "exec", "--skip-git-repo-check", *options, _PROMPT]])


def _gemini(bench: Bench, transport: Transport, model_url: str, home: Path) -> Setup:
    gemini = program("gemini")
    add: list[str | Path] = [gemini, "mcp", "add", "--scope", "user"]
    if transport == "stdio":
        command, *arguments = bench.stdio_command
        add += [*_settings(bench, "-e"), _NAME, command, "--", *arguments]
    else:
        add += ["--transport", transport, _NAME, bench.url(transport)]
    return Setup(
        commands=[add, [gemini, "-p", _PROMPT, "--approval-mode", "yolo"]],
        variables={"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": model_url},
        files={
            ".gemini/trustedFolders.json": {str(home): "TRUST_FOLDER"},
            ".gemini/settings.json": {
                "general": {"enableAutoUpdate": False},
                "model": {"name": "gemini-2.5-flash"},
                "privacy": {"usageStatisticsEnabled": False},
                "security": {"auth": {"selectedType": "gemini-api-key"}},
            },
        },
    )


def _opencode(bench: Bench, transport: Transport, model_url: str, _home: Path) -> Setup:
    opencode = program("opencode")
    local = {
        "type": "local",
        "command": bench.stdio_command,
        "environment": bench.stdio_environment,
    }
    server = local if transport == "stdio" else {"type": "remote", "url": bench.url(transport)}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{model_url}/v1", "apiKey": "none"},
        "models": {"model": {"tool_call": True}},
    }
    return Setup(
        commands=[[opencode, "run", _PROMPT]],
        variables={"OPENCODE_DISABLE_MODELS_FETCH": "1"},
        files={
            ".config/opencode/opencode.json": {
                "autoupdate": False,
                "mcp": {_NAME: server},
                "model": "scripted/model",
                "permission": "allow",
                "provider": {"scripted": provider},
                "small_model": "scripted/model",
            }
        },
    )


_HOSTS: list[tuple[str, Package, Prepare, list[Transport]]] = [
    ("Claude Code", CLAUDE, _claude, ["stdio", "sse", "http"]),
    ("Codex CLI", CODEX, _codex, ["stdio", "http"]),
    ("Gemini CLI", GEMINI, _gemini, ["stdio", "sse", "http"]),
    ("opencode", OPENCODE, _opencode, ["stdio", "sse", "http"]),
]

HOST_CHECKS = [
    Check(
        client,
        package,
        transport,
        "its agent remembers, recalls",
        partial(_check, client, prepare, transport),
        is_host=True,
    )
    for client, package, prepare, transports in _HOSTS
    for transport in transports
]
