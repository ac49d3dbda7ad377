"""Nothing leaves the machine: the server works where no network can be reached."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.processes import environment, running

REFUSE_NETWORK = """
import socket

def refuse(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.sendto"):
        if arguments[0].family != socket.AF_UNIX:
            raise OSError("the network is off")
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        raise OSError("the network is off")

import sys
sys.addaudithook(refuse)
"""


def can_unshare() -> bool:
    command = shutil.which("unshare")
    if command is None:
        return False
    return (
        subprocess.run([command, "-rn", "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not can_unshare(), reason="this system does not permit `unshare -rn`")
def test_it_works_without_any_network_interface(folder: Path) -> None:
    with running(folder, prefix=["unshare", "-rn"]) as server:
        server.remember("Anna plays the cello")

        assert server.search("Who plays an instrument?") == ["Anna plays the cello"]


def test_it_works_when_every_network_address_is_refused(folder: Path) -> None:
    hook = folder.parent / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(REFUSE_NETWORK)
    attempt = "import socket; socket.create_connection(('127.0.0.1', 1))"
    refused = subprocess.run(
        [sys.executable, "-c", attempt],
        env=environment(folder, PYTHONPATH=str(hook)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "the network is off" in refused.stderr

    with running(folder, PYTHONPATH=str(hook)) as server:
        server.remember("Anna plays the cello")

        assert server.search("Who plays an instrument?") == ["Anna plays the cello"]


def test_nothing_is_noted_about_the_user_at_home(folder: Path) -> None:
    home = folder.parent / "home"
    home.mkdir()

    with running(folder, HOME=str(home), XDG_CACHE_HOME=str(home / ".cache")) as server:
        server.remember("Anna plays the cello")
        assert server.search("Who plays an instrument?") == ["Anna plays the cello"]

    # Empty folders by which the database knows which of its own parts it has compiled.
    assert {path.name for path in home.iterdir()} <= {".SuiteSparse"}
