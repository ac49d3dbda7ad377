"""`zapomni export`, `import`, `backup`, `restore`, `move` and `reembed` as a person runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.zapomni_core.keeping.samples import many_lines
from tests.zapomni_db.servers import WITH_GRAPHS, running_server

TIMEOUT_S = 120
COUNT = 12


def zapomni(
    folder: Path, *arguments: str | Path, given: bytes = b"", **settings: str
) -> subprocess.CompletedProcess[bytes]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "-m", "zapomni_cli", *map(str, arguments)],
        env={**kept, "ZAPOMNI_DATA_DIR": str(folder), **settings},
        input=given,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    done = zapomni(folder, "import", given=many_lines(COUNT))
    assert done.returncode == 0, done.stderr
    return folder


def exported(folder: Path, **settings: str) -> bytes:
    done = zapomni(folder, "export", "--quiet", given=b"", **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_export_can_be_piped_into_an_import(memory: Path, tmp_path: Path) -> None:
    export = exported(memory)

    done = zapomni(tmp_path / "other", "import", "--json", given=export)

    assert json.loads(done.stdout)["added"] == COUNT
    assert exported(tmp_path / "other") == export


def test_an_export_to_a_file_is_private_and_whole(memory: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"

    done = zapomni(memory, "export", path)

    assert done.returncode == 0, done.stderr
    assert path.stat().st_mode & 0o077 == 0
    assert path.read_bytes() == exported(memory)


def test_a_backup_is_restored_after_a_yes(memory: Path, tmp_path: Path) -> None:
    before = exported(memory)
    made = json.loads(zapomni(memory, "backup", "--json", tmp_path).stdout)
    zapomni(memory, "import", given=many_lines(COUNT + 5))

    refused = zapomni(memory, "restore", made["path"], given=b"n\n")
    assert refused.returncode != 0
    assert exported(memory) != before
    restored = zapomni(memory, "restore", "--yes", made["path"])

    assert restored.returncode == 0, restored.stderr
    assert exported(memory) == before


def test_a_damaged_backup_is_refused_in_one_line(memory: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.tar"
    damaged.write_bytes(b"not a backup")
    before = exported(memory)

    done = zapomni(memory, "restore", "--yes", damaged)

    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert exported(memory) == before


def test_a_memory_moves_to_a_server_and_back(memory: Path, tmp_path: Path) -> None:
    before = exported(memory)
    home = tmp_path / "server"
    home.mkdir()
    with running_server(home, *WITH_GRAPHS) as server:
        url = f"falkor://127.0.0.1:{server.port}"
        there = zapomni(memory, "move", "--to", url)
        assert there.returncode == 0, there.stderr
        on_server = exported(tmp_path / "nothing", FALKORDB_URL=url)
        by_export = zapomni(tmp_path / "nothing", "backup", "--json", tmp_path, FALKORDB_URL=url)
        cannot = zapomni(
            memory, "restore", "--yes", json.loads(by_export.stdout)["path"], FALKORDB_URL=url
        )
        back = zapomni(tmp_path / "nothing", "move", "--to", tmp_path / "back", FALKORDB_URL=url)

    assert on_server == before
    assert back.returncode == 0, back.stderr
    assert cannot.returncode == 1
    assert b"zapomni import" in cannot.stderr
    assert exported(tmp_path / "back") == before
    assert exported(memory) == before


def test_nothing_moves_to_where_other_memories_are(memory: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    zapomni(other, "import", given=many_lines(COUNT + 1))
    before = exported(other)

    done = zapomni(memory, "move", "--to", other)

    assert done.returncode == 1
    assert exported(other) == before


def test_an_unknown_model_is_refused_in_one_line(memory: Path) -> None:
    done = zapomni(memory, "reembed", "--model", "no-such-model")

    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_an_export_goes_through_links_and_pipes_and_leaves_them_there(
    memory: Path, tmp_path: Path
) -> None:
    link, pipe = tmp_path / "link.jsonl", tmp_path / "pipe"
    (tmp_path / "there.jsonl").touch()
    link.symlink_to("there.jsonl")
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        through_pipe = zapomni(memory, "export", pipe)
        assert reader.stdout is not None
        read = reader.stdout.read()

    through_link = zapomni(memory, "export", link)

    assert (through_pipe.returncode, through_link.returncode) == (0, 0)
    assert len(read.splitlines()) == len((tmp_path / "there.jsonl").read_bytes().splitlines())
    assert link.is_symlink()
    assert pipe.is_fifo()


def test_an_export_into_no_folder_is_refused_by_its_name(memory: Path, tmp_path: Path) -> None:
    done = zapomni(memory, "export", tmp_path / "nowhere" / "all.jsonl")

    assert done.returncode == 1
    assert f"There is no folder {tmp_path / 'nowhere'}".encode() in done.stderr


def test_nothing_moves_among_other_things(memory: Path, tmp_path: Path) -> None:
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "letter.txt").write_text("Dear Ann")

    there, empty = (zapomni(memory, "move", "--to", target) for target in (desk, ""))

    assert (there.returncode, empty.returncode) == (2, 2)
    assert b"holds other things" in there.stderr
    assert b"--to is empty" in empty.stderr
    assert [each.name for each in desk.iterdir()] == ["letter.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_told_in_one_line(memory: Path) -> None:
    command = [sys.executable, "-m", "zapomni_cli", "list"]
    environment = {"PATH": os.environ["PATH"], "ZAPOMNI_DATA_DIR": str(memory)}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command,
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=TIMEOUT_S,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: ")
    assert b"Traceback" not in done.stderr
