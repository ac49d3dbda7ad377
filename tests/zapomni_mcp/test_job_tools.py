"""The tools for long work: every job is listed, given up and taken up again by its id."""

from pathlib import Path

import pytest
from mcp import Client

from tests.zapomni_mcp.answers import refusal, text_of
from tests.zapomni_mcp.code_calls import allow, write_project
from tests.zapomni_mcp.graph_calls import ask, remember
from zapomni_core import Settings

pytestmark = pytest.mark.anyio


async def test_jobs_are_listed(client: Client, tmp_path: Path, settings: Settings) -> None:
    folder = write_project(tmp_path / "shop")
    allow([settings.data_dir], folder)
    await remember(client, "Anna Petrova works at Siemens.", "2024-01-01")
    built = await ask(client, "build_graph")
    indexed = await ask(client, "index_codebase", path=str(folder))

    listed = (await ask(client, "list_jobs"))["jobs"]

    states = {each["id"]: (each["kind"], each["state"]) for each in listed}
    assert states[built["job"]["id"]] == ("build_graph", "done")
    assert states[indexed["job"]["id"]] == ("index_codebase", "done")


async def test_without_jobs_the_list_says_so(client: Client) -> None:
    result = await client.call_tool("list_jobs", {})

    assert text_of(result) == "There are no jobs."


@pytest.mark.parametrize("action", ["cancel", "resume"])
async def test_an_unknown_job_is_refused_with_the_way_out(client: Client, action: str) -> None:
    result = await client.call_tool("control_job", {"job_id": "nothing", "action": action})
    answer = refusal(result)

    assert "job_id" in answer
    assert "list_jobs" in answer


async def test_a_job_that_is_done_is_not_taken_up(client: Client) -> None:
    await remember(client, "Anna Petrova works at Siemens.", "2024-01-01")
    job = (await ask(client, "build_graph"))["job"]

    result = await client.call_tool("control_job", {"job_id": job["id"], "action": "resume"})

    assert "is done" in refusal(result)
    again = await ask(client, "control_job", job_id=job["id"], action="cancel")
    assert again["job"]["state"] == "done"
