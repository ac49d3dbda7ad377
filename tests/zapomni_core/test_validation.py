"""Validation: what passes is stored as it is, what does not is named with its field."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core import ValidationError
from zapomni_core.validation import (
    end_of_day_ms,
    parse_limit,
    parse_metadata,
    parse_query,
    parse_text,
    start_of_day_ms,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PLAIN_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | PLAIN_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLAIN_TEXT, inner, max_size=3),
    max_leaves=8,
)


def shown(milliseconds: int | None) -> datetime:
    assert milliseconds is not None
    return EPOCH + timedelta(milliseconds=milliseconds)


@given(PLAIN_TEXT)
def test_a_text_loses_only_the_white_space_around_it(text: str) -> None:
    if text.strip():
        assert parse_text(text) == text.strip()
    else:
        with pytest.raises(ValidationError, match="text cannot be empty"):
            parse_text(text)


@pytest.mark.parametrize("text", ["a\0", "\ud800", "a\udfffb", " ", 5, None, b"bytes"])
def test_a_text_that_cannot_be_stored_is_refused(text: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        parse_text(text)

    assert refused.value.field == "text"


def test_texts_and_queries_have_their_longest_length() -> None:
    assert len(parse_text("x" * 10_000_000)) == 10_000_000
    assert len(parse_query("x" * 1000)) == 1000
    with pytest.raises(ValidationError, match=r"10,000,000 characters \(it has 10,000,001\)"):
        parse_text("x" * 10_000_001)
    with pytest.raises(ValidationError, match="query exceeds maximum length of 1,000"):
        parse_query("x" * 1001)


@given(st.integers())
def test_a_limit_is_between_1_and_100(limit: int) -> None:
    if 1 <= limit <= 100:
        assert parse_limit(limit) == limit
    else:
        with pytest.raises(ValidationError, match="limit must be between 1 and 100"):
            parse_limit(limit)


def test_true_is_not_a_limit() -> None:
    with pytest.raises(ValidationError):
        parse_limit(True)


@given(st.dictionaries(PLAIN_TEXT.map(lambda key: f"own {key}"), JSON, max_size=4))
def test_own_metadata_is_kept_whole(metadata: dict[str, Any]) -> None:
    parsed = parse_metadata(metadata)

    assert orjson.loads(parsed.json) == metadata
    assert (parsed.source, parsed.tags, parsed.timestamp_ms, parsed.language) == (
        "",
        (),
        None,
        None,
    )


@pytest.mark.parametrize("text", ["\\u0000", "\\\\u0000", "\\\\\\u0000", "C:\\u0000"])
def test_the_letters_of_an_escape_are_not_the_character(text: str) -> None:
    assert orjson.loads(parse_metadata({"own": text}).json) == {"own": text}


@pytest.mark.parametrize("text", ["\0", "a\0b", "\\\0", "\\\\\0"])
@pytest.mark.parametrize("place", ["key", "value", "inside"])
def test_nul_is_refused_anywhere_in_metadata(text: str, place: str) -> None:
    places: dict[str, Any] = {
        "key": {text: 1},
        "value": {"own": text},
        "inside": {"own": [{"a": [text]}]},
    }

    with pytest.raises(ValidationError, match="metadata must not contain NUL"):
        parse_metadata(places[place])


def test_known_fields_are_taken_out_and_kept() -> None:
    given_fields = {"source": "diary", "tags": ["b", "a", "b"], "language": "python"}

    parsed = parse_metadata(given_fields)

    assert (parsed.source, parsed.tags, parsed.language) == ("diary", ("b", "a"), "python")
    assert orjson.loads(parsed.json) == given_fields


@pytest.mark.parametrize(
    ("metadata", "field"),
    [
        ({"source": 1}, "metadata.source"),
        ({"language": ["python"]}, "metadata.language"),
        ({"tags": "a"}, "metadata.tags"),
        ({"tags": [1]}, "metadata.tags"),
        ({"tags": ["a", ""]}, "metadata.tags"),
        ({"tags": [None]}, "metadata.tags"),
        ({"timestamp": "soon"}, "metadata.timestamp"),
        ({"timestamp": ""}, "metadata.timestamp"),
        ({"own": {1, 2}}, "metadata"),
        ({"own": object()}, "metadata"),
        ({"own": "\ud800"}, "metadata"),
        ({1: "own"}, "metadata"),
    ],
)
def test_metadata_of_the_wrong_kind_is_refused(metadata: Any, field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        parse_metadata(metadata)

    assert refused.value.field == field


@given(st.integers(0, 60))
def test_metadata_may_be_nested_32_levels_deep(levels: int) -> None:
    metadata: dict[str, Any] = {}
    for _ in range(levels):
        metadata = {"own": [metadata]} if levels % 2 else {"own": metadata}

    depth = levels * (2 if levels % 2 else 1)
    if depth <= 32:
        assert orjson.loads(parse_metadata(metadata).json) == metadata
    else:
        with pytest.raises(ValidationError, match="nested deeper than 32 levels"):
            parse_metadata(metadata)


@given(st.datetimes(timezones=st.timezones() | st.none()))
def test_a_time_is_kept_to_the_millisecond_or_refused(moment: datetime) -> None:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        parsed = parse_metadata({"timestamp": moment.isoformat()}).timestamp_ms
    except ValidationError:
        with pytest.raises(OverflowError):
            aware.astimezone(UTC)
        return

    assert timedelta(0) <= aware - shown(parsed) < timedelta(milliseconds=1)


@given(st.dates())
def test_a_day_is_86_400_000_milliseconds_of_utc(day: date) -> None:
    first, last = start_of_day_ms(day), end_of_day_ms(day)

    assert last - first == 86_399_999
    assert shown(first).date() == shown(last).date() == day


@pytest.mark.parametrize(
    ("ttl", "lasts"),
    [
        ("P30D", timedelta(days=30)),
        ("PT12H", timedelta(hours=12)),
        ("P1W", timedelta(weeks=1)),
        ("P1Y2M3DT4H5M6S", timedelta(days=365 + 60 + 3, hours=4, minutes=5, seconds=6)),
    ],
)
def test_a_duration_counts_from_now(ttl: str, lasts: timedelta) -> None:
    assert parse_metadata({"ttl": ttl}).expiry_ms(1000) == 1000 + lasts / timedelta(milliseconds=1)


@pytest.mark.parametrize("ttl", ["", "P", "PT", "30D", "P1H", "P0D", "P999999Y", "p1d", 5, True])
def test_a_duration_that_is_none_is_refused(ttl: Any) -> None:
    with pytest.raises(ValidationError, match=r"metadata\.ttl must be an ISO 8601 duration"):
        parse_metadata({"ttl": ttl})


def test_a_day_of_expiry_means_its_end() -> None:
    parsed = parse_metadata({"expires": "2030-01-01"})

    assert shown(parsed.expiry_ms(0)) == datetime(2030, 1, 1, 23, 59, 59, 999_000, UTC)


def test_a_duration_and_an_end_exclude_each_other() -> None:
    with pytest.raises(ValidationError, match=r"metadata\.ttl cannot be given together"):
        parse_metadata({"ttl": "P1D", "expires": "2030-01-01"})


@pytest.mark.parametrize("pinned", ["yes", 1, []])
def test_pinned_is_true_or_false(pinned: Any) -> None:
    with pytest.raises(ValidationError, match=r"metadata\.pinned must be true or false"):
        parse_metadata({"pinned": pinned})
