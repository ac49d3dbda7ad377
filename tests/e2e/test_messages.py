"""What a server answers over raw pipes: to bad lines, stray output, slow tools, long texts."""

import json

import pytest

from tests.e2e.conftest import LONGEST_LINE
from tests.e2e.processes import ServerProcess


def test_unreadable_lines_are_answered_and_the_server_goes_on(toys: ServerProcess) -> None:
    toys.send(b"not JSON")
    malformed = toys.receive()
    toys.send(b'{"id": 5, "method": "tools/list"}')
    invalid = toys.receive()
    answer = toys.ask("echo")

    assert (malformed["id"], malformed["error"]["code"]) == (None, -32700)
    assert (invalid["id"], invalid["error"]["code"]) == (5, -32600)
    assert not answer["isError"]


@pytest.mark.parametrize("escape", [r"\ud83d", r"\u0000", r"\udc00 and \ud83d\ude00"])
def test_characters_that_cannot_be_stored_are_refused_as_escapes_too(
    toys: ServerProcess, escape: str
) -> None:
    toys.send(
        '{"jsonrpc": "2.0", "id": "n", "method": "tools/call", "params": '
        f'{{"name": "add_memory", "arguments": {{"text": "a {escape}"}}}}}}'.encode()
    )
    answer = toys.receive()

    assert answer["id"] == "n"
    assert answer["result"]["isError"]
    assert answer["result"]["content"][0]["text"].startswith("Error: text ")


def test_nothing_but_messages_reaches_standard_output(toys: ServerProcess) -> None:
    answer = toys.ask("print")
    next_answer = toys.ask("echo")

    assert answer["content"][0]["text"] == "print"
    assert next_answer["content"][0]["text"] == "echo"
    for stray in ("a stray print", "a stray write", "a stray child"):
        assert stray in toys.log()


def test_a_slow_call_does_not_block_a_quick_one(toys: ServerProcess) -> None:
    slow = toys.call("wait")
    quick = toys.ask("echo")
    allowing = toys.call("allow")
    answers = [toys.receive()["id"], toys.receive()["id"]]

    assert quick["content"][0]["text"] == "echo"
    assert sorted(answers) == [slow, allowing]


def test_a_line_that_is_too_long_is_answered_and_skipped(toys: ServerProcess) -> None:
    toys.send(b"x" * (LONGEST_LINE + 1))
    refused = toys.receive()
    answer = toys.ask("echo")

    assert (refused["id"], refused["error"]["code"]) == (None, -32700)
    assert "longer than" in refused["error"]["message"]
    assert not answer["isError"]


def test_a_text_over_the_limit_gets_a_small_answer(toys: ServerProcess) -> None:
    result = toys.ask("add_memory", text="x" * 10_000_001)

    assert result["isError"]
    assert len(json.dumps(result)) < 1024


def test_an_unknown_method_is_a_protocol_error_and_an_unknown_tool_is_not(
    toys: ServerProcess,
) -> None:
    toys.request("memory/forget", {})
    method = toys.receive()
    tool = toys.ask("forget_memory")

    assert method["error"]["code"] == -32601
    assert tool["isError"]
