"""Memories for tests: one running database for many, each with a graph of its own."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import redis
from pydantic import AliasChoices

from zapomni_core import Settings
from zapomni_db import Keyspace
from zapomni_db.embedded import EmbeddedServer


@contextmanager
def running_database(folder: Path) -> Iterator[Path]:
    """Keep a folder's database running, so that opening a memory in it costs milliseconds."""
    server = EmbeddedServer(folder)
    server.start()
    try:
        yield folder
    finally:
        server.stop()


def fresh_settings(folder: Path, **overrides: Any) -> Settings:
    """Return settings of an empty memory, whatever the environment says."""
    given = {"data_dir": folder, "graph_name": f"test-{uuid.uuid4().hex}"} | overrides
    return Settings.model_validate(given)


def forget_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every setting out of the environment."""
    for variable in setting_names():
        monkeypatch.delenv(variable, raising=False)


def setting_names() -> list[str]:
    """List the environment variables that the settings are read from."""
    aliases = [field.validation_alias for field in Settings.model_fields.values()]
    return [
        str(name) for alias in aliases if isinstance(alias, AliasChoices) for name in alias.choices
    ]


def keyspace_of(settings: Settings) -> Keyspace:
    """Return the names of a memory's keys in the database."""
    return Keyspace(settings.graph_name)


@contextmanager
def direct_client(folder: Path) -> Iterator[Any]:
    """Talk to a folder's running database behind the engine's back."""
    with redis.Redis(unix_socket_path=str(folder / "db.sock"), protocol=2) as client:
        yield client


def database_process(folder: Path) -> psutil.Process:
    """Return the process of a folder's running database."""
    with direct_client(folder) as client:
        return psutil.Process(int(client.info("server")["process_id"]))


def processes_of(folder: Path) -> list[psutil.Process]:
    """List the processes whose command line names a folder or something in it."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(str(folder) in part for part in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue  # it ended while we looked
    return found
