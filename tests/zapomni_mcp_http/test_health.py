"""/health: what it says, and whether it is true."""

from importlib.metadata import version
from pathlib import Path

import anyio
import httpx2
import pytest

from tests.folders import database_process
from tests.zapomni_db.servers import WITH_GRAPHS, running_server
from tests.zapomni_mcp.toys import EchoTool
from tests.zapomni_mcp_http.inside import serving_inside
from tests.zapomni_mcp_http.running import HttpServer


def test_a_healthy_server_says_so(server: HttpServer) -> None:
    """FR-007.1 to FR-007.7: every field, of its type, as JSON."""
    answer = server.http.get("/health")
    body = answer.json()

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert body["status"] == "healthy"
    assert body["version"] == version("zapomni")
    assert type(body["active_sessions"]) is int
    assert type(body["uptime_seconds"]) is int
    assert type(body["event_loop_lag_max_ms"]) is float


def test_the_uptime_is_that_of_the_process(server: HttpServer) -> None:
    """FR-007.4: it grows, and never beyond the age of the process."""
    first = server.http.get("/health").json()["uptime_seconds"]
    second = server.http.get("/health").json()["uptime_seconds"]

    assert 0 <= first <= second <= server.age_s()


def test_an_embedded_database_that_died_is_started_again(server: HttpServer) -> None:
    """FR-007 and NFR-002: a crash of the database is mended before anybody notices."""
    before = database_process(server.folder)
    before.kill()
    before.wait(10)

    assert server.http.get("/health").json()["status"] == "healthy"
    assert database_process(server.folder).pid != before.pid


async def status_of(url: str) -> tuple[int, str]:
    async with httpx2.AsyncClient(base_url=url, timeout=30) as client:
        answer = await client.get("/health")
    return answer.status_code, answer.json()["status"]


async def until_status_is(url: str, expected: tuple[int, str]) -> None:
    with anyio.fail_after(20):
        status = await status_of(url)
        while status != expected:
            await anyio.lowlevel.checkpoint()
            status = await status_of(url)


@pytest.mark.anyio
@pytest.mark.usefixtures("log")
async def test_without_its_database_a_server_is_unhealthy_until_it_is_back(tmp_path: Path) -> None:
    """FR-007.2 and FR-007.7: 503 and "unhealthy", though the server itself answers."""
    with running_server(tmp_path, *WITH_GRAPHS, "--appendonly", "yes") as database:
        async with serving_inside(
            tmp_path, EchoTool(), falkordb_host="127.0.0.1", falkordb_port=database.port
        ) as url:
            assert await status_of(url) == (200, "healthy")
            await anyio.to_thread.run_sync(database.stop)
            assert await status_of(url) == (503, "unhealthy")

            await anyio.to_thread.run_sync(database.start)
            await until_status_is(url, (200, "healthy"))


@pytest.mark.anyio
@pytest.mark.usefixtures("log")
async def test_a_server_that_started_before_its_database_becomes_healthy(tmp_path: Path) -> None:
    """FR-007 and NFR-002: no order of starting is wrong."""
    with running_server(tmp_path, *WITH_GRAPHS) as database:
        await anyio.to_thread.run_sync(database.stop)
        async with serving_inside(
            tmp_path, EchoTool(), falkordb_host="127.0.0.1", falkordb_port=database.port
        ) as url:
            assert await status_of(url) == (503, "unhealthy")
            assert await metrics_without_store(url)

            await anyio.to_thread.run_sync(database.start)
            await until_status_is(url, (200, "healthy"))


async def metrics_without_store(url: str) -> bool:
    async with httpx2.AsyncClient(base_url=url, timeout=30) as client:
        return (await client.get("/metrics")).status_code == 200
