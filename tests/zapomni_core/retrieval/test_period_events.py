"""Times that a query tells by an event: found in what is stored, and a gentle boost."""

import pytest

from zapomni_core import MemoryEngine
from zapomni_core.retrieval.periods import mentioned_event

pytestmark = pytest.mark.anyio

PLANTS = {
    "2023-01-10": "Anna bought a fern for the window.",
    "2023-06-01": "The move is done: all boxes are in the new flat.",
    "2023-11-20": "Anna bought a cactus for the window.",
}


@pytest.mark.parametrize(
    ("query", "side", "words"),
    [
        ("What did Anna buy before the move?", "before", "the move"),
        ("who called since our trip to Rome", "after", "our trip to Rome"),
        ("After my sister's wedding, what was planned?", "after", "my sister's wedding"),
        ("Until the release was out", "before", "the release"),
    ],
)
def test_the_event_and_the_side_of_it_are_read(query: str, side: str, words: str) -> None:
    event = mentioned_event(query)

    assert event is not None
    assert (event.side, event.words) == (side, words)


@pytest.mark.parametrize("query", ["before noon", "the day after", "look after Tom", "move"])
def test_other_uses_of_these_words_are_no_events(query: str) -> None:
    assert mentioned_event(query) is None


async def test_an_event_that_is_remembered_tells_the_time(engine: MemoryEngine) -> None:
    for day, text in PLANTS.items():
        await engine.add_memory(text, {"timestamp": f"{day}T12:00:00Z"})

    before = await engine.search_memory("What did Anna buy before the move?", explain=True)
    after = await engine.search_memory("What did Anna buy after the move?", explain=True)

    for found, plant, other in ((before, "fern", "cactus"), (after, "cactus", "fern")):
        added = {item.text: item.why.added["period"] for item in found.results if item.why}
        named = {word: value for text, value in added.items() for word in text.split()}
        assert named[plant] > named[other]
        assert found.results[0].why is not None
        assert found.results[0].why.period in ("before the move", "after the move")


async def test_an_event_that_nobody_speaks_of_changes_nothing(engine: MemoryEngine) -> None:
    for day, text in PLANTS.items():
        await engine.add_memory(text, {"timestamp": f"{day}T12:00:00Z"})

    found = await engine.search_memory("What did Anna buy before the flood?", explain=True)

    assert all(item.why is not None and item.why.period is None for item in found.results)
