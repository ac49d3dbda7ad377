"""What the code takes for granted about FalkorDB and Redis; a new version must pass this first."""

import uuid
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import redis

from tests.zapomni_db.samples import unit_vector
from zapomni_db import EmbeddedAddress, Vector
from zapomni_db.cypher import with_parameters
from zapomni_db.embedded import EmbeddedServer
from zapomni_db.memories import _ALL_ENTRIES, _ENTRIES_OF, _HITS, _SIMILARITIES


class Engine:
    """A plain client, with one graph and one key of its own."""

    def __init__(self, socket_path: str) -> None:
        self.client: Any = redis.Redis(
            unix_socket_path=socket_path, decode_responses=True, protocol=2
        )
        self.graph = f"{{{uuid.uuid4().hex}}}:graph"
        self.key = f"{{{uuid.uuid4().hex}}}:key"

    def ask(self, *command: Any) -> Any:
        return self.client.execute_command(*command)

    def query(self, query: str, /, **parameters: Any) -> list[list[Any]]:
        reply = self.ask("GRAPH.QUERY", self.graph, with_parameters(query, parameters))
        rows: list[list[Any]] = reply[1] if len(reply) == 3 else []
        return rows

    def plan(self, query: str, /, **parameters: Any) -> str:
        return "\n".join(self.ask("GRAPH.EXPLAIN", self.graph, with_parameters(query, parameters)))

    def add_vector(self, member: str, vector: Vector) -> int:
        return int(self.ask("VADD", self.key, "FP32", vector.tobytes(), member, "Q8", "EF", 100))

    def scores(self, vector: Vector) -> dict[str, float]:
        reply = self.ask("VSIM", self.key, "FP32", vector.tobytes(), "COUNT", 100, "WITHSCORES")
        return {name: float(score) for name, score in zip(reply[::2], reply[1::2], strict=True)}


@pytest.fixture
def engine(embedded: EmbeddedAddress) -> Iterator[Engine]:
    server = EmbeddedServer(embedded.folder)
    server.start()
    engine = Engine(server.socket_path)
    yield engine
    engine.client.close()
    server.stop()


def test_the_versions_are_the_ones_that_were_measured(engine: Engine) -> None:
    """Every decision below; `falkordblite==0.11.*` in the dependencies."""
    modules = {name: version for _, name, _, version, *_ in engine.ask("MODULE", "LIST")}

    assert modules == {"graph": 42201, "vectorset": 1}
    assert engine.client.info("server")["redis_version"] == "8.10.2"


def test_a_vector_search_scores_half_of_one_plus_the_cosine(engine: Engine) -> None:
    """`Vectors.parse` turns scores back into cosines."""
    vectors = {f"v{number}": unit_vector() for number in range(20)}
    for member, vector in vectors.items():
        engine.add_vector(member, vector)
    query = unit_vector()

    expected = {member: (1 + float(vector @ query)) / 2 for member, vector in vectors.items()}
    assert engine.scores(query) == pytest.approx(expected, abs=0.01)


def test_adding_a_vector_again_replaces_it(engine: Engine) -> None:
    """A write may be sent twice, and a repair may race with a writer."""
    old, new = unit_vector(), unit_vector()

    assert engine.add_vector("a", old) == 1
    assert engine.add_vector("a", new) == 0

    assert engine.ask("VCARD", engine.key) == 1
    assert engine.scores(new) == pytest.approx({"a": 1.0}, abs=0.01)


def test_a_removed_vector_is_no_longer_found(engine: Engine) -> None:
    """`Store.remove` and the repair of orphans."""
    for member in ("a", "b"):
        engine.add_vector(member, unit_vector())

    assert engine.ask("VREM", engine.key, "a") == 1
    assert engine.ask("VREM", engine.key, "a") == 0

    assert set(engine.scores(unit_vector())) == {"b"}


def test_a_vector_set_can_be_counted_asked_and_walked(engine: Engine) -> None:
    """`Store.check` compares the vector set with the graph."""
    for member in ("c", "a", "b"):
        engine.add_vector(member, unit_vector())

    assert engine.ask("VCARD", engine.key) == 3
    assert engine.ask("VISMEMBER", engine.key, "a") == 1
    assert engine.ask("VISMEMBER", engine.key, "z") == 0
    assert engine.ask("VRANGE", engine.key, "-", "+", 2) == ["a", "b"]
    assert engine.ask("VRANGE", engine.key, "(b", "+", 2) == ["c"]
    assert engine.ask("VCARD", "nobody") == 0
    assert engine.ask("VISMEMBER", "nobody", "a") == 0
    assert engine.ask("VRANGE", "nobody", "-", "+", 2) == []


def test_a_vector_of_another_length_is_an_error(engine: Engine) -> None:
    """The store does not check lengths itself."""
    engine.add_vector("a", unit_vector())

    with pytest.raises(redis.ResponseError, match="dimension"):
        engine.add_vector("b", np.ones(9, np.float32))
    with pytest.raises(redis.ResponseError, match="dimension"):
        engine.scores(np.ones(9, np.float32))


def test_a_failing_query_in_a_transaction_does_not_undo_the_rest(engine: Engine) -> None:
    """`Store.add` removes the memory when any part of its write failed."""
    with engine.client.pipeline(transaction=True) as pipe:
        pipe.execute_command("SET", "{facts}:before", "1")
        pipe.execute_command("GRAPH.QUERY", engine.graph, "RETURN abs('text')")
        pipe.execute_command("SET", "{facts}:after", "1")
        replies = pipe.execute(raise_on_error=False)

    assert isinstance(replies[1], redis.ResponseError)
    assert engine.ask("MGET", "{facts}:before", "{facts}:after") == ["1", "1"]


def test_a_query_that_fails_in_the_middle_changes_nothing(engine: Engine) -> None:
    """A batch of chunks is one query: all of them or none."""
    with pytest.raises(redis.ResponseError, match="Type mismatch"):
        engine.query("UNWIND [1, 2, 'text'] AS x CREATE (:Chunk {size: abs(x)})")

    assert engine.query("MATCH (c:Chunk) RETURN count(c)") == [[0]]


def test_merging_on_an_indexed_id_twice_makes_one_node(engine: Engine) -> None:
    """Every write may run twice; there are no unique constraints, which crash 4.22.1."""
    engine.query("CREATE INDEX FOR (c:Chunk) ON (c.id)")
    ids = [uuid.uuid4().hex for _ in range(50)]

    for _ in range(2):
        engine.query("UNWIND $ids AS id MERGE (c:Chunk {id: id}) SET c.seen = true", ids=ids)

    assert engine.query("MATCH (c:Chunk) RETURN count(c), count(DISTINCT c.id)") == [[50, 50]]


def test_a_stored_vector_keeps_every_bit(engine: Engine) -> None:
    """The nodes hold the truth from which the vector set is restored."""
    vectors = [unit_vector() for _ in range(20)]
    engine.query("UNWIND $vectors AS v CREATE (:Chunk {emb: vecf32(v)})", vectors=vectors)

    query = "MATCH (c:Chunk) RETURN c.emb ORDER BY id(c)"
    rows = engine.ask("GRAPH.QUERY", engine.graph, query, "--compact")[1]
    found = [np.array(row[0][1], np.float32) for row in rows]

    assert [vector.tobytes() for vector in found] == [vector.tobytes() for vector in vectors]


def test_the_cosine_distance_is_one_minus_the_cosine(engine: Engine) -> None:
    """Exact scores come from the graph, also for vectors that are not of unit length."""
    a, b = unit_vector(), unit_vector()
    exact = 1 - float(a.astype(np.float64) @ b.astype(np.float64))

    query = "RETURN vec.cosineDistance(vecf32($a), vecf32($b))"

    assert float(engine.query(query, a=a, b=b)[0][0]) == pytest.approx(exact, abs=1e-6)
    assert float(engine.query(query, a=a * 2, b=b)[0][0]) == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize(
    ("query", "scan"),
    [
        (_HITS, "Node By Index Scan | (c:Chunk)"),
        (_SIMILARITIES, "Node By Index Scan | (c:Chunk)"),
        (_ENTRIES_OF, "Node By Index Scan | (m:Memory)"),
        (_ALL_ENTRIES, "Node By Label and ID Scan | (c:Chunk)"),
    ],
)
def test_reads_touch_only_the_nodes_they_name(engine: Engine, query: str, scan: str) -> None:
    """Search must not slow down with the size of the store, nor paging with the page."""
    engine.query("CREATE INDEX FOR (c:Chunk) ON (c.id)")
    engine.query("CREATE INDEX FOR (m:Memory) ON (m.id)")
    parameters = {"ids": ["a", "b"], "from": 0, "to": 10, "query": unit_vector()}

    plan = engine.plan(query, **parameters)

    assert scan in plan
    assert "Node By Label Scan" not in plan


def test_compact_replies_number_their_types_as_we_read_them(engine: Engine) -> None:
    """`replies.rows` knows these numbers and refuses others."""
    query = "RETURN null, 'a', 1, true, 1.5, [1], {a: 1}, vecf32([1])"

    (row,) = engine.ask("GRAPH.QUERY", engine.graph, query, "--compact")[1]

    assert [kind for kind, _ in row] == [1, 2, 3, 4, 5, 6, 10, 12]


def test_only_the_first_entry_of_a_log_tells_what_was_trimmed(engine: Engine) -> None:
    """`Changes.reaches` must not trust max-deleted-entry-id, which trimming leaves alone."""
    for number in range(1, 6):
        engine.ask("XADD", engine.key, f"{number}-0", "added", "x")
    engine.ask("XTRIM", engine.key, "MAXLEN", "=", 2)

    reply = engine.ask("XINFO", "STREAM", engine.key)
    about = dict(zip(reply[::2], reply[1::2], strict=True))

    assert about["max-deleted-entry-id"] == "0-0"
    assert about["recorded-first-entry-id"] == "4-0"
    assert about["last-generated-id"] == "5-0"
    assert (about["entries-added"], about["length"]) == (5, 2)


def test_a_text_of_ten_megabytes_is_one_parameter(engine: Engine) -> None:
    """A memory's text is written in one piece."""
    text = 'a "b" \\ ' * (10_000_000 // 8)

    assert engine.query("RETURN size($x)", x=text) == [[len(text)]]


def test_no_log_of_the_server_keeps_texts(engine: Engine, embedded: EmbeddedAddress) -> None:
    """Memories are private: the slow log is off, and so is FalkorDB's query stream."""
    engine.query("CREATE (:Memory {text: $x})", x="a secret nobody logs")

    assert engine.ask("SLOWLOG", "LEN") == 0
    assert engine.ask("GRAPH.CONFIG", "GET", "CMD_INFO") == ["CMD_INFO", 0]
    assert engine.ask("KEYS", "telemetry*") == []
    for log in ("server.log", "server.err"):
        assert "a secret nobody logs" not in (embedded.folder / log).read_text()
