"""The same thing has the same name, different things have different ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.knowledge.model import Alias, EntityType, Mention
from zapomni_core.knowledge.names.keys import entity_id
from zapomni_core.knowledge.names.naming import name_mentions

LONGEST_NAME = 1000


def key_of(written: str, kind: EntityType = "concept", value: str = "") -> str:
    [name], _ = name_mentions(written, [Mention(0, len(written), kind, 1.0, value)])
    return name.key


def aliases_of(text: str, *names: str, kind: EntityType = "person") -> list[tuple[str, str]]:
    """Mention each name where it stands next after the one before."""
    mentions, place = list[Mention](), 0
    for name in names:
        start = text.index(name, place)
        place = start + len(name)
        mentions.append(Mention(start, place, kind, 1.0))
    return [(alias.short, alias.full) for alias in name_mentions(text, mentions)[1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Marie Curie", "MARIE  CURIE"),
        ("Marie Curie", "Dr. Marie Curie"),
        ("Marie Curie", "Marie Curie's"),
        ("Marie Curie", "“Marie Curie”"),
        ("Marie Curie", "\u202eMarie\N{ZERO WIDTH SPACE} Curie\x00"),
        ("The Louvre", "Louvre"),
        ("José", "Jose\N{COMBINING ACUTE ACCENT}"),
        ("José", "Jose"),
        ("Node.js", "NodeJS"),
        ("Node.js", "node js"),
        ("scikit-learn", "Scikit Learn"),
        ("J. K. Rowling", "J.K. Rowling"),
        ("U.S.", "US"),
        ("Apple Inc.", "Apple"),
        ("ﬁne", "fine"),
        ("https://Example.org/A/", "http://www.example.org/A"),
        ("Anna@Example.org", "anna@example.org"),
    ],
)
def test_ways_to_write_a_name_have_one_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C#", "C++"),
        ("Dr. Dre", "Dre"),
        (".NET", "NET"),
        ("React", "React Native"),
        ("Anna", "Hanna"),
        ("мой", "мои"),
        ("max_tokens", "max tokens"),
        ("docs/README.md", "docs/readme.md"),
        ("https://example.org/A", "https://example.org/a"),
    ],
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


def test_date_is_called_by_the_day_it_names() -> None:
    assert key_of("May 8th, 2023", "date", "2023-05-08") == "2023-05-08"


def test_marked_name_is_called_without_its_mark() -> None:
    assert key_of("@tomasz", "person", "tomasz") == key_of("Tomasz", "person")


@pytest.mark.parametrize(
    "written",
    ["'; MATCH (n) DELETE n //", '"', "\\", "😀", "\x00", "\ud800", " ", "مرحبا", "a" * 10_000],
)
def test_hostile_names_stay_data(written: str) -> None:
    [name], _ = name_mentions(written, [Mention(0, len(written), "concept", 1.0)])

    assert 0 < len(name.key) <= LONGEST_NAME
    assert 0 < len(name.name) <= LONGEST_NAME
    assert name.name.isprintable()


@given(st.text(min_size=1, max_size=60))
def test_key_of_a_shown_name_is_the_key_of_what_was_written(written: str) -> None:
    [name], _ = name_mentions(written, [Mention(0, len(written), "concept", 1.0)])

    assert key_of(name.name) == name.key
    assert name.name.isprintable()


@given(st.text(), st.text())
def test_ids_are_32_hex_digits_that_tell_keys_apart(one: str, other: str) -> None:
    assert len(entity_id(one)) == 32
    assert set(entity_id(one)) <= set("0123456789abcdef")
    assert (entity_id(one) == entity_id(other)) is (one == other)


def test_surname_and_first_name_after_the_full_name_mean_it() -> None:
    text = "Marie Curie won. Curie smiled, Marie too, and so did M. Curie and Dr. Curie."

    assert aliases_of(text, "Marie Curie", "Curie", "Marie", "M. Curie", "Dr. Curie") == [
        ("curie", "marie curie"),
        ("marie", "marie curie"),
        ("m curie", "marie curie"),
        ("dr. curie", "marie curie"),
    ]


def test_short_name_before_the_full_name_may_be_someone_else() -> None:
    assert aliases_of("Curie came before Marie Curie.", "Curie", "Marie Curie") == []


def test_short_name_that_fits_two_people_means_neither() -> None:
    text = "Marie Curie and Pierre Curie met. Curie spoke, M. Curie listened."

    assert aliases_of(text, "Marie Curie", "Pierre Curie", "Curie", "M. Curie") == [
        ("m curie", "marie curie")
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the Model Context Protocol (MCP) is", ("Model Context Protocol", "MCP")),
        ("MCP (Model Context Protocol) is", ("MCP", "Model Context Protocol")),
        ('MCP ("Model Context Protocol") is', ("MCP", "Model Context Protocol")),
        ("MCP stands for Model Context Protocol", ("MCP", "Model Context Protocol")),
    ],
)
def test_acronym_means_its_expansion(text: str, names: tuple[str, str]) -> None:
    assert aliases_of(text, *names, kind="technology") == [("mcp", "model context protocol")]


def test_acronym_may_leave_out_lesser_words() -> None:
    text = "the Department of Motor Vehicles (DMV) is"

    assert aliases_of(text, "Department of Motor Vehicles", "DMV", kind="organisation") == [
        ("dmv", "department of motor vehicles")
    ]


def test_other_names_in_brackets_mean_nothing() -> None:
    text = "Paris (France) and Model Context Protocol (IBM)"

    assert aliases_of(text, "Paris", "France", "Model Context Protocol", "IBM", kind="place") == []


@pytest.mark.parametrize(
    "text",
    [
        "Samuel Clemens, also known as Mark Twain, wrote",
        "Samuel Clemens (aka Mark Twain) wrote",
        "Samuel Clemens, better known as “Mark Twain”, wrote",
    ],
)
def test_other_name_that_the_text_states_is_an_alias(text: str) -> None:
    assert aliases_of(text, "Samuel Clemens", "Mark Twain") == [("mark twain", "samuel clemens")]


def test_aliases_have_a_confidence_below_certainty() -> None:
    text = "Marie Curie won. Curie smiled."
    mentions = [Mention(0, 11, "person", 1.0), Mention(17, 22, "person", 1.0)]

    [alias] = name_mentions(text, mentions)[1]

    assert isinstance(alias, Alias)
    assert 0 < alias.confidence < 1


@given(st.text(alphabet="Ab. (),'\"\n", max_size=40), st.lists(st.integers(0, 39), max_size=12))
def test_every_mention_gets_a_name_and_aliases_join_names(text: str, places: list[int]) -> None:
    bounds = sorted({place for place in places if place < len(text)})
    mentions = [
        Mention(start, end, "person", 1.0)
        for start, end in zip(bounds[::2], bounds[1::2], strict=False)
    ]

    names, aliases = name_mentions(text, mentions)

    keys = {name.key for name in names}
    assert len(names) == len(mentions)
    assert all({alias.short, alias.full} <= keys for alias in aliases)
    assert all(alias.short != alias.full for alias in aliases)
