"""What the code takes for granted about the database after it was killed and started again."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.zapomni_db.processes import joined, kill, pair_of
from tests.zapomni_db.samples import unit_vector
from tests.zapomni_db.servers import wait_until
from zapomni_db.embedded import EmbeddedServer

GRAPH, VECTORS, LOG = "{facts}:graph", "{facts}:vectors", "{facts}:log"
CONSTRUCTION = "UNDER CONSTRUCTION"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with joined(tmp_path) as server:
        yield server


def _client(database: EmbeddedServer) -> Any:
    options: dict[str, Any] = {"decode_responses": True, "protocol": 2}
    never = Retry(NoBackoff(), 0)
    return redis.Redis(unix_socket_path=database.socket_path, retry=never, **options)


def _query(client: Any, query: str) -> list[list[Any]]:
    reply = client.execute_command("GRAPH.QUERY", GRAPH, query)
    rows: list[list[Any]] = reply[1] if len(reply) == 3 else []
    return rows


def _write_until_it_dies(client: Any, acknowledged: list[int]) -> None:
    number = 0
    try:
        while True:
            with client.pipeline(transaction=True) as pipe:
                pipe.execute_command("GRAPH.QUERY", GRAPH, f"CREATE (:Chunk {{n: {number}}})")
                blob = unit_vector().tobytes()
                pipe.execute_command("VADD", VECTORS, "FP32", blob, str(number), "Q8")
                pipe.execute_command("XADD", LOG, "*", "added", str(number))
                pipe.execute()
            acknowledged.append(number)
            number += 1
    except redis.ConnectionError:
        return


def test_a_transaction_is_whole_and_kept_when_the_database_is_killed(
    database: EmbeddedServer,
) -> None:
    """`Store.add` acknowledges graph, vector and log entry as one write."""
    acknowledged: list[int] = []
    with _client(database) as client:
        writer = threading.Thread(target=_write_until_it_dies, args=(client, acknowledged))
        writer.start()
        wait_until(lambda: len(acknowledged) > 100)
        kill(pair_of(database).database)
        writer.join()
    database.start()

    with _client(database) as client:
        nodes = [row[0] for row in _query(client, "MATCH (c:Chunk) RETURN c.n ORDER BY c.n")]
        vectors = client.execute_command("VCARD", VECTORS)
        entries = client.execute_command("XLEN", LOG)
    assert nodes in (acknowledged, [*acknowledged, len(acknowledged)])
    assert vectors == entries == len(nodes)


def _lookups(client: Any) -> tuple[object, ...]:
    one = _query(client, "MATCH (c:Chunk {id: 'id59999'}) RETURN count(c)")
    some = _query(client, "MATCH (c:Chunk) WHERE c.id IN ['id1', 'id59998'] RETURN count(c)")
    _query(client, "MERGE (c:Chunk {id: 'id59997'}) SET c.seen = true")
    _query(client, "MERGE (c:Chunk {id: 'new'}) SET c.seen = true")
    seen = _query(client, "MATCH (c:Chunk) WHERE c.seen RETURN c.id ORDER BY c.id")
    return one, some, seen, _query(client, "MATCH (c:Chunk) RETURN count(c)")


def test_lookups_are_right_while_an_index_is_built_again(database: EmbeddedServer) -> None:
    """DELAY_INDEXING opens a big store at once; searches and writes must not wait or err."""
    with _client(database) as client:
        _query(client, "CREATE INDEX FOR (c:Chunk) ON (c.id)")
        _query(client, "UNWIND range(1, 60000) AS i CREATE (:Chunk {id: 'id' + toString(i)})")
        # Only a rewritten log is loaded without its indexes.
        client.execute_command("BGREWRITEAOF")
        wait_until(lambda: not client.info("persistence")["aof_rewrite_in_progress"])

    statuses = "CALL db.indexes() YIELD status RETURN status"
    was_seen = False
    # On a busy machine the index may be there before the questions are.
    for _ in range(10):
        kill(pair_of(database).database)
        database.start()
        with _client(database) as client:
            found = _lookups(client)
            was_seen = CONSTRUCTION in _query(client, statuses)[0][0]
            wait_until(lambda: _query(client, statuses) == [["OPERATIONAL"]])
            later = _lookups(client)
        assert found == later == ([[1]], [[2]], [["id59997"], ["new"]], [[60_001]])
        if was_seen:
            break
    assert was_seen
