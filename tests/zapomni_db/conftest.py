"""One database of each kind for the whole run, and an empty store for each test."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.zapomni_db.samples import fresh_keyspace, opened
from tests.zapomni_db.servers import WITH_GRAPHS, Server, running_cluster, running_server
from zapomni_db import Address, EmbeddedAddress, Keyspace, Store
from zapomni_db.embedded import EmbeddedServer


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedAddress]:
    folder = tmp_path_factory.mktemp("embedded")
    server = EmbeddedServer(folder)
    server.start()
    yield EmbeddedAddress(folder)
    server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with running_server(folder, *WITH_GRAPHS, password="correct horse") as running:
        yield running


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as nodes:
        yield nodes


@pytest.fixture(params=["embedded", "server", "cluster"])
def address(request: pytest.FixtureRequest) -> Address:
    match request.param:
        case "embedded":
            folder: EmbeddedAddress = request.getfixturevalue("embedded")
            return folder
        case "server":
            single: Server = request.getfixturevalue("server")
            return single.address
        case _:
            nodes: list[Server] = request.getfixturevalue("cluster")
            return nodes[0].address


@pytest.fixture
def keyspace() -> Keyspace:
    return fresh_keyspace()


@pytest.fixture
async def store(address: Address, keyspace: Keyspace) -> AsyncIterator[Store]:
    async with opened(address, keyspace) as store:
        yield store
