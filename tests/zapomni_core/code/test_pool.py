"""A pool of workers survives whatever a file or a worker does."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import psutil
import pytest

from tests.zapomni_core.code.files.trees import robustness_corpus, write
from zapomni_core.code.files.walk import walk
from zapomni_core.code.parsing.pool import ParserPool
from zapomni_core.code.parsing.report import FileReport
from zapomni_core.code.parsing.selection import sources_of
from zapomni_core.errors import ProcessingError

pytestmark = pytest.mark.anyio


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number in range(20):
        write(tmp_path, f"m{number}.py", f"def f{number}():\n    return {number}\n")
    return tmp_path.resolve()


@pytest.fixture
async def pool() -> AsyncIterator[ParserPool]:
    pool = ParserPool(1)
    yield pool
    await pool.close()


async def reports(pool: ParserPool, root: Path, *paths: str) -> dict[str, FileReport]:
    return {report.path: report async for report in pool.read(root, [(p, None) for p in paths])}


def workers() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children()
        # Other tests kill servers, and nobody asks after those.
        if child.status() != psutil.STATUS_ZOMBIE and "parsing.worker" in " ".join(child.cmdline())
    ]


async def test_every_file_is_reported_once(root: Path) -> None:
    pool = ParserPool(2)
    paths = [f"m{number}.py" for number in range(20)]

    found = [report async for report in pool.read(root, ((path, None) for path in paths))]
    await pool.close()

    assert sorted(report.path for report in found) == sorted(paths)
    assert {report.status for report in found} == {"read"}
    assert workers() == []


async def test_a_known_file_is_reported_as_unchanged(pool: ParserPool, root: Path) -> None:
    first = (await reports(pool, root, "m1.py"))["m1.py"]

    again = [report async for report in pool.read(root, [("m1.py", first.hash)])]

    assert [report.status for report in again] == ["unchanged"]


async def test_workers_stay_warm_and_little_work_needs_one(root: Path) -> None:
    pool = ParserPool(3)
    await reports(pool, root, "m1.py")
    (first,) = workers()
    await reports(pool, root, "m2.py")

    assert workers() == [first]
    await pool.close()
    assert not first.is_running()


async def test_workers_that_were_launched_are_those_that_read(root: Path) -> None:
    pool = ParserPool(2)
    await pool.launch()
    launched = workers()

    found = await reports(pool, root, *(f"m{number}.py" for number in range(20)))

    assert {report.status for report in found.values()} == {"read"}
    assert len(launched) == 2
    assert set(workers()) == set(launched)
    await pool.close()


async def test_a_worker_that_is_killed_while_it_starts_costs_nothing(
    pool: ParserPool, root: Path
) -> None:
    await pool.launch()
    (worker,) = workers()
    worker.kill()

    found = await reports(pool, root, "m1.py")

    assert found["m1.py"].status == "read"
    assert not worker.is_running()


async def test_who_cannot_be_launched_is_told_of_when_something_is_to_be_read(
    root: Path,
) -> None:
    pool = ParserPool(2, python="/nowhere/python")
    await pool.launch()

    for _ in range(3):
        with pytest.raises(ProcessingError, match="did not start"):
            await asyncio.wait_for(reports(pool, root, "m1.py"), 30)
    await pool.close()


async def test_a_launch_that_is_given_up_leaves_room_for_the_next(root: Path) -> None:
    pool = ParserPool(2)
    launching = asyncio.create_task(pool.launch())
    await asyncio.sleep(0)
    launching.cancel()
    await asyncio.wait([launching])

    found = await asyncio.wait_for(reports(pool, root, "m1.py", "m2.py"), 30)
    await pool.close()

    assert {report.status for report in found.values()} == {"read"}
    assert workers() == []


async def test_what_is_launched_while_the_pool_closes_is_ended() -> None:
    pool = ParserPool(2)
    launching = asyncio.create_task(pool.launch())
    await asyncio.sleep(0)
    await pool.close()
    await launching

    assert workers() == []


async def test_nothing_to_read_starts_nothing(pool: ParserPool, root: Path) -> None:
    assert await reports(pool, root) == {}
    assert workers() == []


async def test_a_crash_costs_one_file(pool: ParserPool, root: Path) -> None:
    await reports(pool, root, "m0.py")
    (worker,) = workers()
    worker.suspend()
    reading = asyncio.create_task(reports(pool, root, "m1.py", "m2.py", "m3.py"))
    await asyncio.sleep(0)
    worker.kill()

    found = await reading

    reasons = sorted(report.reason for report in found.values())
    assert reasons == ["", "", "parser crashed"]
    assert len(workers()) == 1


async def test_a_worker_that_died_while_idle_costs_nothing(pool: ParserPool, root: Path) -> None:
    await reports(pool, root, "m0.py")
    (worker,) = workers()
    worker.kill()
    async with asyncio.timeout(30):
        while worker.is_running():  # noqa: ASYNC110  (the loop has to reap it)
            await asyncio.sleep(0)

    found = await reports(pool, root, "m1.py")

    assert found["m1.py"].status == "read"


async def test_a_worker_that_hangs_is_replaced(root: Path) -> None:
    pool = ParserPool(1, limit_s=1)
    await reports(pool, root, "m0.py")
    (worker,) = workers()
    worker.suspend()

    found = await reports(pool, root, "m1.py", "m2.py")
    await pool.close()

    reasons = sorted(report.reason for report in found.values())
    assert reasons == ["", "parser took too long"]
    assert not worker.is_running()


async def test_who_is_cancelled_leaves_no_process_at_work(pool: ParserPool, root: Path) -> None:
    await reports(pool, root, "m0.py")
    (worker,) = workers()
    worker.suspend()
    reading = asyncio.create_task(reports(pool, root, "m1.py", "m2.py"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)

    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    assert not worker.is_running()
    assert (await reports(pool, root, "m3.py"))["m3.py"].status == "read"


async def test_who_stops_early_may_read_again(pool: ParserPool, root: Path) -> None:
    paths = [(f"m{number}.py", None) for number in range(20)]
    async with aclosing(pool.read(root, paths)) as reading:
        first = await anext(reading)

    assert first.status == "read"
    assert len(await reports(pool, root, *(path for path, _ in paths))) == 20


async def test_two_may_read_at_the_same_time(pool: ParserPool, root: Path) -> None:
    one, two = await asyncio.gather(
        reports(pool, root, "m1.py", "m2.py"), reports(pool, root, "m3.py", "m4.py")
    )

    assert sorted(one) == ["m1.py", "m2.py"]
    assert sorted(two) == ["m3.py", "m4.py"]


async def test_grammars_are_unpacked_into_the_folder_that_is_given(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("SEMBLE_GRAMMARS_CACHE_DIR", raising=False)
    pool = ParserPool(2, grammars=tmp_path / "grammars")

    found = await reports(pool, root, *(f"m{number}.py" for number in range(8)))
    await pool.close()

    assert {report.status for report in found.values()} == {"read"}
    assert list(home.iterdir()) == []
    unpacked = [path for path in (tmp_path / "grammars").rglob("*") if path.is_file()]
    assert [path.name for path in unpacked if "python" in path.name] != []


async def test_the_folder_for_grammars_that_the_user_has_set_is_taken(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEMBLE_GRAMMARS_CACHE_DIR", str(tmp_path / "chosen"))
    pool = ParserPool(1, grammars=tmp_path / "grammars")

    await reports(pool, root, "m1.py")
    await pool.close()

    assert not (tmp_path / "grammars").exists()
    assert list((tmp_path / "chosen").rglob("*python*")) != []


@pytest.mark.parametrize("python", ["/nonexistent/python", "/bin/false", "/bin/true"])
async def test_a_worker_that_cannot_start_is_an_error(root: Path, python: str) -> None:
    pool = ParserPool(2, python=python)

    with pytest.raises(ProcessingError, match="did not start"):
        await reports(pool, root, "m1.py", "m2.py", "m3.py")
    await pool.close()


async def test_a_file_deleted_meanwhile_is_skipped(pool: ParserPool, root: Path) -> None:
    (root / "m1.py").unlink()

    found = await reports(pool, root, "m0.py", "m1.py", "m2.py")

    assert found["m1.py"].reason == "deleted"
    assert found["m2.py"].status == "read"


@pytest.mark.parametrize("text", [b"(\n", b"[\n", b"{", b"if x:\n"])
async def test_endless_nesting_costs_one_file(root: Path, text: bytes) -> None:
    write(root, "deep.py", (text * 1_000_000)[:200_000])
    pool = ParserPool(1, limit_s=1)

    found = await reports(pool, root, "deep.py", "m1.py")
    await pool.close()

    assert found["deep.py"].reason in {"", "minified", "parser took too long", "parser crashed"}
    assert found["m1.py"].status == "read"


@pytest.fixture
def strange(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    folder = tmp_path.resolve() / "strange"
    folder.mkdir()
    return folder, robustness_corpus(folder)


async def test_every_strange_file_is_accounted_for(strange: tuple[Path, dict[str, str]]) -> None:
    folder, expected = strange
    chosen = sources_of(walk(folder))
    pool = ParserPool(2, limit_s=20)

    found = await reports(pool, folder, *(file.path for file in chosen.files))
    await pool.close()

    assert {path: report.reason for path, report in found.items()} | dict(
        chosen.skipped
    ) == expected


async def test_workers_end_when_the_one_who_started_them_is_killed(root: Path) -> None:
    program = (
        "import asyncio, os, signal, sys\n"
        "from pathlib import Path\n"
        "from zapomni_core.code.parsing.pool import ParserPool\n"
        "import psutil\n"
        "async def main():\n"
        "    pool = ParserPool(1)\n"
        "    async for _ in pool.read(Path(sys.argv[1]), [('m1.py', None)]): pass\n"
        "    print(psutil.Process().children()[0].pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program, str(root)), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()

    assert process.returncode == -signal.SIGKILL
    async with asyncio.timeout(30):
        while _is_alive(int(output)):  # noqa: ASYNC110  (it is nobody's child any more)
            await asyncio.sleep(0.01)


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_no_descriptors_are_left_behind(root: Path) -> None:
    before = psutil.Process().num_fds()
    for _ in range(3):
        pool = ParserPool(2)
        await reports(pool, root, "m1.py", "m2.py", "m3.py")
        await pool.close()

    assert psutil.Process().num_fds() <= before


async def test_a_crash_among_many_files_costs_none_of_the_others(root: Path) -> None:
    pool = ParserPool(1)
    await reports(pool, root, "m0.py")
    (worker,) = workers()
    worker.suspend()
    reading = asyncio.create_task(reports(pool, root, *(f"m{n}.py" for n in range(20))))
    await asyncio.sleep(0)
    worker.kill()

    found = await reading
    await pool.close()

    assert sorted(found) == sorted(f"m{n}.py" for n in range(20))
    assert {report.status for report in found.values()} == {"read"}
