"""/metrics: numbers that Prometheus can read, and nothing but numbers."""

from uuid import uuid4

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.zapomni_mcp_http.running import HttpServer
from tests.zapomni_mcp_http.sessions import open_session

type Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def numbers(server: HttpServer) -> Numbers:
    """Return every sample by its name and labels."""
    answer = server.http.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def calls(found: Numbers, tool: str, outcome: str) -> float:
    labels = (("outcome", outcome), ("tool", tool))
    return found.get(("zapomni_tool_calls_total", labels), 0.0)


@pytest.mark.anyio
async def test_calls_are_counted_by_tool_and_outcome(server: HttpServer) -> None:
    """AC-4: successes, errors and durations, and one name for whatever is no tool."""
    before = numbers(server)
    async with open_session(server.url) as session:
        await session.call("get_stats")
        await session.call("get_stats")
        await session.call("search_memory", query="")
        await session.call(f"made_up_{uuid4().hex}")
    after = numbers(server)

    def more(tool: str, outcome: str) -> float:
        return calls(after, tool, outcome) - calls(before, tool, outcome)

    assert more("get_stats", "success") == 2
    assert more("search_memory", "error") == 1
    assert more("unknown", "error") == 1
    timed = ("zapomni_tool_seconds_count", (("tool", "get_stats"),))
    assert after[timed] - before.get(timed, 0) == 2
    assert not [name for name, labels in after if "made_up" in str(labels)]


@pytest.mark.anyio
async def test_sessions_pool_store_and_loop_are_measured(server: HttpServer) -> None:
    """R-1 to R-3 and FR-009.1: what an operator must watch."""
    server.wait_for_sessions(0)
    async with open_session(server.url) as session:
        before = numbers(server)
        await session.call("add_memory", text=f"A number more, {uuid4().hex}")
        after = numbers(server)

    def gauge(name: str) -> float:
        return after[f"zapomni_{name}", ()]

    assert gauge("sse_sessions") == 1
    assert gauge("pool_size") == 20
    assert 0 <= gauge("pool_in_use") <= 20
    assert gauge("memories") == before["zapomni_memories", ()] + 1
    assert gauge("chunks") == before["zapomni_chunks", ()] + 1
    assert gauge("store_bytes") > 0
    assert 0 <= gauge("event_loop_lag_seconds") <= gauge("event_loop_lag_max_seconds")


@pytest.mark.anyio
async def test_no_text_gets_into_the_numbers(server: HttpServer) -> None:
    """NFR-003: neither what is stored, nor what is asked, nor the name of a wrong tool."""
    secrets = [f"secret{uuid4().hex}" for _ in range(3)]
    async with open_session(server.url) as session:
        await session.call("add_memory", text=secrets[0])
        await session.call("search_memory", query=secrets[1])
        await session.call(secrets[2])

    text = server.http.get("/metrics").text
    assert not [secret for secret in secrets if secret in text]
