"""What has the form of a name is found, whatever a model says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zapomni_core.knowledge.entities.merging import with_rules
from zapomni_core.knowledge.model import EntityType, Mention


def found(text: str, *model: tuple[str, EntityType, float]) -> list[tuple[str, str]]:
    mentions = [
        Mention(text.index(name), text.index(name) + len(name), kind, confidence)
        for name, kind, confidence in model
    ]
    return [(text[one.start : one.end], one.type) for one in with_rules(text, mentions)]


def values(text: str) -> list[str]:
    return [one.value for one in with_rules(text, []) if one.type == "date"]


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("See https://example.org/a_(b)?q=1, please.", "https://example.org/a_(b)?q=1"),
        ("It is at www.example.org.", "www.example.org"),
        ("It (http://example.org/x) is there", "http://example.org/x"),
        ("Clone example.com/team/app today", "example.com/team/app"),
        ("Mail anna.b+list@mail.example.org!", "anna.b+list@mail.example.org"),
        ("Edit src/app/main.py first", "src/app/main.py"),
        ("Edit README.md first", "README.md"),
        ("Logs are in /var/log/syslog now", "/var/log/syslog"),
        ("Keys are in ~/.ssh/config now", "~/.ssh/config"),
        (r"Open C:\Users\anna\notes.txt now", r"C:\Users\anna\notes.txt"),
    ],
)
def test_addresses_and_paths_are_references(text: str, reference: str) -> None:
    assert found(text) == [(reference, "reference")]


@pytest.mark.parametrize(
    "text", ["and/or", "he/she said", "24/7", "5 km/h", "great.Thanks", "wait..."]
)
def test_slashes_and_points_alone_are_no_references(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on 2023-05-08 we met", "2023-05-08"),
        ("at 2023-05-08T10:00 we met", "2023-05-08"),
        ("on 8 May 2023", "2023-05-08"),
        ("on 8th of May, 2023", "2023-05-08"),
        ("on May 8th, 2023", "2023-05-08"),
        ("am 8. Mai 2023", "2023-05-08"),
        ("8 мая 2023", "2023-05-08"),
        ("8.5.2023", "2023-05-08"),
        ("on 13/05/2023", "2023-05-13"),
        ("on 05/13/2023", "2023-05-13"),
        ("in May 2023", "2023-05"),
        ("from 2023-05 on", "2023-05"),
        ("since 1969", "1969"),
        ("the landing (1969)", "1969"),
    ],
)
def test_dates_stand_for_a_day_a_month_or_a_year(text: str, value: str) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "on 2023-02-30",  # no such day
        "on 05/06/2023",  # depends on the country
        "it costs 2023 euros",
        "port 2024 is open",
        "phone 555-2023-11-22",
        "in 20231 steps",
        "last Tuesday",
    ],
)
def test_what_names_no_certain_date_is_none(text: str) -> None:
    assert values(text) == []


def test_year_inside_a_longer_name_belongs_to_it() -> None:
    text = "after the 2012 French election"

    assert found(text, ("2012 French election", "event", 0.9)) == [
        ("2012 French election", "event")
    ]


@pytest.mark.parametrize("name", ["parse_config", "MAX_TOKENS", "engine.search()", "__init__"])
def test_code_in_prose_is_a_concept(name: str) -> None:
    assert found(f"The {name} there") == [(name, "concept")]


def test_ticks_mark_a_word_of_code_but_not_a_command() -> None:
    assert found("Set `threads` and run `make all the things`") == [("threads", "concept")]


def test_at_names_are_people_and_tags_are_concepts_without_their_sign() -> None:
    text = "Ask @tomasz about #perf, not @property or #12"

    mentions = with_rules(text, [])

    assert [(one.type, one.value) for one in mentions] == [
        ("person", "tomasz"),
        ("concept", "perf"),
    ]


def test_known_technology_corrects_the_type() -> None:
    text = "We run kubernetes and PostgreSQL 16 there"

    assert found(text, ("kubernetes", "place", 0.9)) == [
        ("kubernetes", "technology"),
        ("PostgreSQL", "technology"),
    ]


def test_version_is_kept_out_of_the_name() -> None:
    assert found("It needs Quux 3.12 today", ("Quux 3.12", "technology", 0.9)) == [
        ("Quux", "technology")
    ]


def test_longest_listed_name_wins() -> None:
    assert found("Claude Code speaks the Model Context Protocol") == [
        ("Claude Code", "technology"),
        ("Model Context Protocol", "technology"),
    ]


def test_name_that_contains_a_technology_is_left_whole() -> None:
    text = "The Python Software Foundation decides"

    assert found(text, ("Python Software Foundation", "organisation", 0.9)) == [
        ("Python Software Foundation", "organisation")
    ]


def test_word_of_two_meanings_is_a_technology_in_technical_texts_only() -> None:
    assert found("The backend is in Go") == [("Go", "technology")]
    assert found("Go home, the Swift is a bird") == []
    assert found("go to the server room") == []


def test_person_with_the_name_of_a_language_stays_a_person() -> None:
    assert found("Julia deployed the server", ("Julia", "person", 0.9)) == [("Julia", "person")]


def test_listed_name_in_a_longer_word_is_none() -> None:
    assert found("Javanese and Gitarre and redistribute and C-3PO with code") == []


def test_speaker_is_a_person_once_a_model_saw_a_name_there() -> None:
    text = "[8 May] Zed Quill: I like it\nSummary: fine\nUser: hello"

    assert found(text, ("Zed Quill", "organisation", 0.5)) == [("Zed Quill", "person")]


def test_speaker_is_known_from_elsewhere_in_the_text() -> None:
    text = "Hi Caro, it is me.\nCaro: hello"

    assert found(text, ("Caro", "person", 0.9)) == [("Caro", "person"), ("Caro", "person")]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("the Louvre", "Louvre"),
        ("Anna's", "Anna"),
        ("Anna’s", "Anna"),
        ('"Dune"', "Dune"),
        ("Berlin,", "Berlin"),
        ("U.S.", "U.S."),
        ("US", "US"),
    ],
)
def test_name_is_cut_to_itself(written: str, name: str) -> None:
    assert found(f"Then {written} again", (written, "place", 0.9)) == [(name, "place")]


@pytest.mark.parametrize("word", ["she", "Monday", "42", "X", "The", "server", "...", "March"])
def test_what_is_no_name_is_dropped(word: str) -> None:
    assert found(f"so {word} again", (word, "concept", 0.9)) == []


def test_person_may_be_called_like_a_month() -> None:
    assert found("so April came", ("April", "person", 0.9)) == [("April", "person")]


def test_name_of_a_model_with_its_version_is_a_technology_among_others() -> None:
    assert found("Ollama runs foo-bar-v1.5 now") == [
        ("Ollama", "technology"),
        ("foo-bar-v1.5", "technology"),
    ]
    assert found("a state-of-the-art tool, a 10-year-old boy") == []


def test_doubtful_name_is_dropped() -> None:
    assert found("so Blorb again", ("Blorb", "concept", 0.3)) == []


@given(
    st.text(
        st.sampled_from("aAbZ é1290.,:;/\\@#_-`'\"()[]\n\tмИ中\u202e😀") | st.characters(),
        max_size=300,
    ),
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 20))),
)
def test_mentions_lie_in_the_text_in_order_and_apart(
    text: str, places: list[tuple[int, int]]
) -> None:
    mentions: list[Mention] = []
    for start, length in sorted(places):
        if start + length <= len(text) and (not mentions or mentions[-1].end <= start):
            mentions.append(Mention(start, start + length, "concept", 0.9))

    ends = [0, *(place for one in with_rules(text, mentions) for place in (one.start, one.end))]

    assert ends == sorted(ends)
    assert ends[-1] <= len(text)
    assert all(one.start < one.end for one in with_rules(text, mentions))


@pytest.mark.parametrize("piece", ["a", "@", "a@", "a/", "a.", "a_", "aB", "/a", "8 May ", "A: "])
def test_long_runs_of_anything_are_read(piece: str) -> None:
    assert len(with_rules(piece * 20_000, [])) <= 20_000
