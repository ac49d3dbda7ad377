"""Every value reaches the database as itself or is refused before anything is sent."""

import datetime as dt
import decimal
import math
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.zapomni_db.samples import fresh_keyspace
from zapomni_db import EmbeddedAddress, Vector
from zapomni_db.connection import Connection
from zapomni_db.cypher import with_parameters
from zapomni_db.graph import Graph

pytestmark = pytest.mark.anyio

asks_the_database = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
pieces_of_syntax = st.lists(
    st.sampled_from(['"', "'", "\\", "`", "$", "{", "}", "//", "/*", "*/", "\n", "n", "u0041"])
).map("".join)
int64s = st.integers(-(2**63), 2**63 - 1)
identifiers = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,15}", fullmatch=True)
values = st.recursive(
    st.none() | st.booleans() | int64s | texts | pieces_of_syntax,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(identifiers, inner, max_size=4),
    max_leaves=12,
)
float32s = st.floats(allow_nan=False, allow_infinity=False, width=32)


@pytest.fixture
async def graph(embedded: EmbeddedAddress) -> AsyncIterator[Graph]:
    connection = Connection(embedded)
    await connection.open()
    yield Graph(connection, fresh_keyspace().graph)
    await connection.close()


async def _echo(graph: Graph, value: Any) -> Any:
    ((reply,),) = await graph.write("RETURN $x", x=value)
    return reply


@asks_the_database
@given(text=texts | pieces_of_syntax)
async def test_any_text_arrives_exactly(graph: Graph, text: str) -> None:
    assert await _echo(graph, text) == text


@asks_the_database
@given(number=int64s)
async def test_any_64_bit_integer_arrives_exactly(graph: Graph, number: int) -> None:
    assert await _echo(graph, number) == number


@pytest.mark.parametrize("number", [-(2**63), -1, 0, 2**63 - 1])
async def test_the_ends_of_the_integer_range_arrive_exactly(graph: Graph, number: int) -> None:
    assert await _echo(graph, number) == number


@asks_the_database
@given(number=st.integers(-(2**53), 2**53), exponent=st.integers(0, 60))
async def test_a_float_arrives_with_all_its_bits(graph: Graph, number: int, exponent: int) -> None:
    """A reply shows 15 digits only, so the database scales the float to an integer first."""
    value = math.ldexp(number, -exponent)

    ((scaled,),) = await graph.write("RETURN toInteger($x * $scale)", x=value, scale=2**exponent)

    assert scaled == number


@asks_the_database
@given(number=st.floats(allow_nan=False, allow_infinity=False))
async def test_a_float_comes_back_with_15_digits(graph: Graph, number: float) -> None:
    reply = await _echo(graph, number)

    assert type(reply) is float
    assert reply == float(f"{number:.15g}")


@asks_the_database
@given(value=values)
async def test_nested_lists_and_maps_arrive_exactly(graph: Graph, value: Any) -> None:
    reply = await _echo(graph, value)

    assert reply == value
    assert type(reply) is type(value)


@asks_the_database
@given(vector=arrays(np.float32, st.integers(1, 64), elements=float32s))
async def test_a_vector_arrives_bit_by_bit(graph: Graph, vector: Vector) -> None:
    ((reply,),) = await graph.write("RETURN vecf32($x)", x=vector)

    assert np.asarray(reply, np.float32).tobytes() == vector.tobytes()


async def test_every_identifier_can_name_a_map_key(graph: Graph) -> None:
    keys = ["null", "true", "RETURN", "match", "CYPHER", "_", "IN", "not", "x" * 64]
    value = dict.fromkeys(keys, 1)

    assert await _echo(graph, value) == value


@pytest.mark.parametrize(
    "value",
    [
        "a\0b",
        "\ud800",
        math.nan,
        math.inf,
        -math.inf,
        2**63,
        -(2**63) - 1,
        {"not an identifier": 1},
        {"": 1},
        {"1a": 1},
        {"a`b": 1},
        {"é": 1},
        {"a\n": 1},
        {"x" * 65: 1},
        np.array([1.0, math.nan], np.float32),
        np.array([1.0, math.inf], np.float32),
        np.array([[1.0]], np.float32),
        np.array([1.0], np.float64),
        np.array([1], np.int64),
    ],
)
def test_values_that_could_not_arrive_are_refused(value: Any) -> None:
    for nested in (value, [value], {"inside": value}):
        with pytest.raises(ValueError, match=r"must|encode"):
            with_parameters("RETURN $x", {"x": nested})


@pytest.mark.parametrize(
    "value",
    [
        uuid.UUID(int=1),
        dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
        Path("a"),
        decimal.Decimal(1),
        b"bytes",
        bytearray(b"bytes"),
        {1, 2},
        object(),
        np.int64(1),
        1j,
    ],
)
def test_unknown_types_are_refused(value: Any) -> None:
    for nested in (value, [value], {"inside": value}):
        with pytest.raises(TypeError, match="cannot be a query parameter"):
            with_parameters("RETURN $x", {"x": nested})


@pytest.mark.parametrize("name", ["", "1a", "a b", "a=1 b", "a`", "a\n", "é", "x" * 65, "$x"])
def test_parameter_names_that_are_not_identifiers_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="plain identifier"):
        with_parameters("RETURN 1", {name: 1})


INJECTIONS = [
    '" DETACH DELETE n //',
    '"}) DETACH DELETE (n) //',
    '\\" MATCH (n) DELETE n //',
    '\\\\" MATCH (n) DELETE n //',
    '" y=1 MATCH (n) SET n.hacked = true RETURN "',
    "' MATCH (n) DELETE n //",
    "` MATCH (n) DELETE n //",
    "\\",
    '\\"',
    '"\n\nMATCH (n) DELETE n\n//',
    "*/ MATCH (n) DELETE n /*",
    "$x",
    "x'; GRAPH.DELETE g",
    "\r\nFLUSHALL\r\n",
    "*1\r\n$8\r\nFLUSHALL\r\n",
    "\u2028MATCH (n) DELETE n",
    "\uff02 MATCH (n) DELETE n",
    "CYPHER x=1 MATCH (n) DELETE n",
    "]}) MATCH (n) DELETE n //",
]


@pytest.mark.parametrize("text", INJECTIONS)
async def test_text_that_looks_like_cypher_stays_text(graph: Graph, text: str) -> None:
    await graph.write("CREATE (:Note {text: 'kept', n: 1})")

    for value in (text, [text], {"inside": text}):
        assert await _echo(graph, value) == value
    found = await graph.write("MATCH (n:Note) WHERE n.text = $x RETURN n.text", x=text)
    await graph.write("CREATE (:Note {text: $x, n: 2})", x=text)

    assert found == []
    assert await graph.read("MATCH (n) RETURN labels(n), properties(n) ORDER BY n.n") == [
        [["Note"], {"text": "kept", "n": 1}],
        [["Note"], {"text": text, "n": 2}],
    ]
