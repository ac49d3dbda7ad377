"""Clients that do as they are told: the TypeScript SDK, the inspector, and a bridge to stdio."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from scripts.background import CommandFailed, run_bounded
from scripts.clients.checks import TIMEOUT_S, Bench, Check, Transport, memorable
from scripts.node import Package

__all__ = ["INSPECTOR", "PROGRAM_CHECKS"]

SDK = Package("@modelcontextprotocol/sdk", "1.32.2")
INSPECTOR = Package("@modelcontextprotocol/inspector", "2.12.0")
BRIDGE = Package("mcp-remote", "0.15.1")

_SCRIPT = Path(__file__).with_name("sdk.mjs")


def _target(bench: Bench, transport: Transport) -> list[str]:
    return bench.stdio_command if transport == "stdio" else [bench.url(transport)]


def _run_sdk(bench: Bench, client: str, transport: Transport, target: Sequence[str]) -> None:
    SDK.install()
    home = bench.clean_home()
    text = memorable(client, transport)
    environment = bench.environment(home) | bench.stdio_environment
    command = [bench.node, _SCRIPT, SDK.folder, text, transport, *target]
    run_bounded(command, environment, home, TIMEOUT_S)


def _sdk(transport: Transport, bench: Bench) -> None:
    _run_sdk(bench, "The SDK", transport, _target(bench, transport))


def _bridge(transport: Transport, bench: Bench) -> None:
    kind = {"sse": "sse-only", "http": "http-only"}[transport]
    program = str(BRIDGE.program(".bin/mcp-remote"))
    target = [str(bench.node), program, bench.url(transport), "--allow-http", "--transport", kind]
    _run_sdk(bench, f"A bridge to {transport}", "stdio", target)


def _inspector(transport: Transport, era: str, bench: Bench) -> None:
    home = bench.clean_home()
    text = memorable("The inspector", f"{transport} ({era})")
    variables = [f"-e{name}={value}" for name, value in bench.stdio_environment.items()]
    program: list[str | Path] = [
        bench.node,
        INSPECTOR.program(".bin/mcp-inspector"),
        "--cli",
        *variables,
    ]
    common = ["--format", "json", "--protocol-era", era]
    if transport != "stdio":
        common += ["--transport", transport]

    def inspect(*options: str) -> str:
        command = [*program, *common, *options, "--", *_target(bench, transport)]
        return run_bounded(command, bench.environment(home), home, TIMEOUT_S)

    call = ("--method", "tools/call", "--tool-name")
    inspect("--method", "tools/list", "--strict")
    inspect(*call, "get_stats", "--tool-args-json", "{}")
    inspect(*call, "add_memory", "--tool-args-json", json.dumps({"text": text}))
    found = inspect(*call, "search_memory", "--tool-args-json", json.dumps({"query": text}))
    if text not in found:
        raise CommandFailed("the memory did not come back", found)


_CALLS = "list, remember, recall"
_ERAS: list[tuple[Transport, str]] = [
    ("stdio", "legacy"),
    ("stdio", "modern"),
    ("sse", "legacy"),
    ("http", "legacy"),
    ("http", "modern"),
]
_TRANSPORTS: list[Transport] = ["stdio", "sse", "http"]

PROGRAM_CHECKS = [
    *(Check("TypeScript SDK", SDK, each, _CALLS, partial(_sdk, each)) for each in _TRANSPORTS),
    *(
        Check(
            "MCP inspector",
            INSPECTOR,
            f"{transport} ({era})",
            f"strict {_CALLS}",
            partial(_inspector, transport, era),
        )
        for transport, era in _ERAS
    ),
    *(
        Check("mcp-remote", BRIDGE, f"stdio to {each}", _CALLS, partial(_bridge, each))
        for each in _TRANSPORTS[1:]
    ),
]
