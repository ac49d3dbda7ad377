"""Names are found by the built-in model, wherever they stand in however long a text."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zapomni_model_small import LABELS

from zapomni_core.embedding.bundled import bundled_model
from zapomni_core.embedding.local import shared_model
from zapomni_core.embedding.wordpiece import Word
from zapomni_core.knowledge.entities import TaggerExtractor
from zapomni_core.knowledge.entities.decoding import Decoder
from zapomni_core.knowledge.entities.windows import WindowCutter
from zapomni_core.knowledge.model import EntityExtractor, Mention

pytestmark = pytest.mark.anyio
TOKENIZER = shared_model(bundled_model()).tokenizer


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


@pytest.fixture(scope="module")
def extractor(executor: Executor) -> TaggerExtractor:
    return TaggerExtractor(executor)


def shown(text: str, mentions: list[Mention]) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.type) for one in mentions]


async def test_people_organisations_places_dates_and_technologies_are_found(
    extractor: EntityExtractor,
) -> None:
    text = (
        "Maria Gonzalez joined Stripe in San Francisco in March 2021. She moved billing from"
        " PostgreSQL to CockroachDB with Tom O'Brien."
    )

    [mentions] = await extractor.extract_entities([text])

    assert shown(text, mentions) == [
        ("Maria Gonzalez", "person"),
        ("Stripe", "organisation"),
        ("San Francisco", "place"),
        ("March 2021", "date"),
        ("PostgreSQL", "technology"),
        ("CockroachDB", "technology"),
        ("Tom O'Brien", "person"),
    ]
    assert all(0 < one.confidence <= 1 for one in mentions)


async def test_speaker_of_a_turn_is_a_person(extractor: EntityExtractor) -> None:
    text = "Caroline: Hey Mel! I read it with my friend Dave."

    [mentions] = await extractor.extract_entities([text])

    assert shown(text, mentions) == [
        ("Caroline", "person"),
        ("Mel", "person"),
        ("Dave", "person"),
    ]


async def test_chat_in_lower_case_is_read(extractor: EntityExtractor) -> None:
    text = "i moved to berlin with john last year and we love it"

    [mentions] = await extractor.extract_entities([text])

    assert shown(text, mentions) == [("berlin", "place"), ("john", "person")]


async def test_text_is_read_to_its_end(extractor: EntityExtractor) -> None:
    text = "The weather was fine and we had a long walk. " * 150 + "Then we met Angela Merkel."

    [mentions] = await extractor.extract_entities([text])

    assert ("Angela Merkel", "person") in shown(text, mentions)


async def test_each_text_is_read_for_itself(extractor: EntityExtractor) -> None:
    texts = ["Anna lives in Paris.", "", "   ", "\N{ZERO WIDTH SPACE}", "Boris works at Siemens."]

    together = await extractor.extract_entities(texts)
    alone = [(await extractor.extract_entities([text]))[0] for text in texts]

    assert [shown(*each) for each in zip(texts, together, strict=True)] == [
        shown(*each) for each in zip(texts, alone, strict=True)
    ]
    assert [bool(mentions) for mentions in together] == [True, False, False, False, True]


async def test_no_texts_have_no_mentions(extractor: EntityExtractor) -> None:
    assert await extractor.extract_entities([]) == []


def test_name_tells_the_model(extractor: TaggerExtractor) -> None:
    assert extractor.name.startswith(bundled_model().model_id)


@settings(max_examples=50)
@given(st.text(max_size=400), st.integers(10, 40))
def test_windows_have_each_word_once_and_fit(text: str, max_tokens: int) -> None:
    windows = list(WindowCutter(TOKENIZER, "passage: ", max_tokens).cut(text))

    assert [word for window in windows for word in window.words] == list(TOKENIZER.words(text))
    for window in windows:
        assert len(window.tokens.ids) == len(window.tokens.cases)
        assert len(window.tokens.ids) <= max_tokens or len(window.words) == 1
        assert [window.tokens.ids[place] for place in window.places] == [
            word.ids[0] for word in window.words
        ]


def test_windows_are_cut_at_the_end_of_a_sentence() -> None:
    text = "One two three. Four five six seven eight nine ten eleven."

    first, *_ = WindowCutter(TOKENIZER, "passage: ", 14).cut(text)

    assert text[: first.words[-1].end] == "One two three."


def decoded(text: str, labels: str) -> list[tuple[str, str]]:
    """Read names from labels that are as good as certain."""
    words: list[Word] = list(TOKENIZER.words(text))
    rows = np.full((len(words), len(LABELS)), 0.01, np.float32)
    for row, label in enumerate(labels.split()):
        rows[row, LABELS.index(label)] = 0.86
    return shown(text, list(Decoder(LABELS).mentions(text, words, rows)))


@pytest.mark.parametrize(
    ("text", "labels", "names"),
    [
        ("Ann Lee left", "B-person I-person O", [("Ann Lee", "person")]),
        ("Ann Lee left", "I-person I-person O", [("Ann Lee", "person")]),
        ("Ann Lee", "B-person B-person", [("Ann Lee", "person")]),
        ("Ann, Lee", "B-person O B-person", [("Ann", "person"), ("Lee", "person")]),
        ("Paris France", "B-place B-place", [("Paris", "place"), ("France", "place")]),
        ("Ann in Rome", "B-person O B-place", [("Ann", "person"), ("Rome", "place")]),
        (
            "Bank of China",
            "B-organisation I-place I-organisation",
            [("Bank of China", "organisation")],
        ),
        (
            "foo-bar-baz",
            "B-technology O B-concept O B-technology",
            [("foo-bar-baz", "technology")],
        ),
        ("Foo-based app", "B-technology O O O", [("Foo", "technology")]),
        ("O'Brien", "B-person O B-person", [("O'Brien", "person")]),
        ("Anna's car", "B-person O O O", [("Anna", "person")]),
        ("Foo/Bar", "B-technology O B-technology", [("Foo", "technology"), ("Bar", "technology")]),
        ("I met Ann", "O O B-person", [("Ann", "person")]),
        ("nobody", "O", []),
    ],
)
def test_labels_become_names(text: str, labels: str, names: list[tuple[str, str]]) -> None:
    assert decoded(text, labels) == names
