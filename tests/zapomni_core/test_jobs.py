"""Long work is seen, given up and taken up again by its id, from any process."""

import subprocess
import sys
from collections.abc import AsyncIterator

import anyio
import pytest

from tests.folders import fresh_settings, keyspace_of
from zapomni_core import MemoryEngine, Settings, ValidationError
from zapomni_core.address import address_of
from zapomni_core.jobs import Arguments, Job, Jobs, Progress
from zapomni_db import JobRecords, Store

pytestmark = pytest.mark.anyio

KILLED = """
import asyncio, sys
from zapomni_core import MemoryEngine, Settings, configure_logs

async def note(done, total):
    print(done, flush=True)

async def main():
    settings = Settings(data_dir=sys.argv[1], graph_name=sys.argv[2], auto_graph=False)
    async with MemoryEngine(settings) as engine:
        await engine.build_graph(progress=note)

configure_logs("CRITICAL")
asyncio.run(main())
"""


@pytest.fixture
async def records(settings: Settings) -> AsyncIterator[JobRecords]:
    store = Store(address_of(settings), keyspace_of(settings))
    await store.open()
    yield store.jobs
    await store.close()


async def wait_for(jobs: Jobs, job_id: str, state: str) -> None:
    with anyio.fail_after(30):
        while [each.state for each in await jobs.reports() if each.id == job_id] != [state]:  # noqa: ASYNC110
            await anyio.sleep(0.05)


def killed_while_reading(settings: Settings) -> None:
    command = [sys.executable, "-c", KILLED, str(settings.data_dir), settings.graph_name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) < 120
        process.kill()


async def for_ever(_report: Progress) -> None:
    await anyio.sleep_forever()


async def test_every_process_sees_how_far_a_job_is(records: JobRecords) -> None:
    here, there = Jobs(records), Jobs(records)

    async def work(report: Progress) -> None:
        await report(3, 7)

    job = here.start("count", work, {})
    await here.wait(job, 10)
    (seen,) = await there.reports()

    assert (seen.id, seen.kind, seen.state) == (job.id, "count", "done")
    assert (seen.done, seen.total) == (3, 7)


async def test_a_job_of_another_process_can_be_given_up(records: JobRecords) -> None:
    here, there = Jobs(records), Jobs(records)
    job = here.start("wait", for_ever, {})
    await wait_for(there, job.id, "running")

    await there.end(job.id)
    await wait_for(there, job.id, "cancelled")

    assert job.state == "cancelled"


async def test_a_job_can_be_given_up_before_its_first_step(records: JobRecords) -> None:
    jobs = Jobs(records)

    job = await jobs.cancel(jobs.start("wait", for_ever, {}).id)

    assert job.state == "cancelled"
    assert [each.state for each in await Jobs(records).reports()] == ["cancelled"]


async def test_a_job_that_was_given_up_is_taken_up_under_its_id(records: JobRecords) -> None:
    here, there = Jobs(records), Jobs(records)
    taken_up: list[Arguments] = []

    async def nothing(_report: Progress) -> None:
        pass

    async def begin(arguments: Arguments, job_id: str) -> Job:
        taken_up.append(arguments)
        return there.start("wait", nothing, arguments, job_id)

    there.teach("wait", begin)
    job = here.start("wait", for_ever, {"path": "ä b", "names": ["x"]})
    await wait_for(there, job.id, "running")
    await there.end(job.id)
    await wait_for(there, job.id, "cancelled")

    again = await there.resume(job.id)
    await there.wait(again, 10)

    assert (again.id, again.state) == (job.id, "done")
    assert taken_up == [{"path": "ä b", "names": ["x"]}]


async def test_what_runs_is_done_or_unknown_is_not_taken_up(records: JobRecords) -> None:
    here, there = Jobs(records), Jobs(records)

    async def nothing(_report: Progress) -> None:
        pass

    done, running = here.start("count", nothing, {}), here.start("wait", for_ever, {})
    await wait_for(there, done.id, "done")
    await wait_for(there, running.id, "running")

    for job_id, reason in ((done.id, "done"), (running.id, "running"), ("nothing", "list_jobs")):
        with pytest.raises(ValidationError, match=reason):
            await there.resume(job_id)
    with pytest.raises(ValidationError, match="list_jobs"):
        await there.end("nothing")
    assert (await here.resume(running.id)) is running
    await here.close()


async def test_work_that_its_process_begins_by_itself_is_not_taken_up(
    records: JobRecords,
) -> None:
    here, there = Jobs(records), Jobs(records)
    job = here.start("wait", for_ever)
    await wait_for(there, job.id, "running")
    await here.cancel(job.id)

    with pytest.raises(ValidationError, match="job_id"):
        await there.resume(job.id)


async def test_what_could_not_be_done_is_named(records: JobRecords) -> None:
    here, there = Jobs(records), Jobs(records)
    job = here.start("count", for_ever, {})
    for number in range(150):
        job.fail_at(f"file {number}")
    await wait_for(there, job.id, "running")
    await here.cancel(job.id)

    (seen,) = await there.reports()

    assert seen.failed == 150
    assert seen.failures == tuple(f"file {number}" for number in range(100))


async def test_old_jobs_are_forgotten_and_running_ones_are_not(records: JobRecords) -> None:
    jobs = Jobs(records)
    running = jobs.start("wait", for_ever, {})

    async def nothing(_report: Progress) -> None:
        pass

    for _ in range(60):
        await jobs.wait(jobs.start("count", nothing, {}), 10)

    noted = [record.id for record in await records.all()]
    assert len(noted) == 51
    assert running.id in noted
    await jobs.close()


async def test_a_job_whose_process_was_killed_goes_on_in_another(settings: Settings) -> None:
    asleep = fresh_settings(settings.data_dir, graph_name=settings.graph_name, auto_graph=False)
    async with MemoryEngine(asleep) as engine:
        for number in range(120):
            await engine.add_memory(f"Anna Petrova met Boris Orlov in Vienna, {number} days ago.")
        await anyio.to_thread.run_sync(killed_while_reading, asleep)
        (cut_off,) = await engine.jobs()

        resumed = await engine.resume_job(cut_off.id, patience_s=None)
        status = await engine.graph_status()

    assert (cut_off.kind, cut_off.state) == ("build_graph", "interrupted")
    assert (resumed.id, resumed.state) == (cut_off.id, "done")
    assert (status.memories_built, status.memories_total) == (120, 120)
