"""Names are found by spaCy where it is installed, and its absence is explained."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib.util import find_spec

import pytest

from zapomni_core.errors import ConfigurationError
from zapomni_core.knowledge.entities import SpacyExtractor
from zapomni_core.knowledge.model import EntityExtractor

pytestmark = pytest.mark.anyio
with_spacy = pytest.mark.skipif(find_spec("spacy") is None, reason="spaCy is not installed")
without_spacy = pytest.mark.skipif(find_spec("spacy") is not None, reason="spaCy is installed")


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as executor:
        yield executor


@with_spacy
async def test_people_places_dates_and_technologies_are_found(executor: Executor) -> None:
    extractor: EntityExtractor = SpacyExtractor(executor)
    text = "Angela Merkel moved to Paris in March 2021 and uses PostgreSQL."

    [mentions, nothing] = await extractor.extract_entities([text, ""])

    assert [(text[one.start : one.end], one.type, one.value) for one in mentions] == [
        ("Angela Merkel", "person", ""),
        ("Paris", "place", ""),
        ("March 2021", "date", "2021-03"),
        ("PostgreSQL", "technology", ""),
    ]
    assert nothing == []


@with_spacy
def test_name_tells_model_and_version(executor: Executor) -> None:
    assert any(character.isdigit() for character in SpacyExtractor(executor).name)


@without_spacy
def test_missing_spacy_is_explained(executor: Executor) -> None:
    with pytest.raises(ConfigurationError, match=r"pip install 'zapomni\[spacy\]'"):
        SpacyExtractor(executor)
