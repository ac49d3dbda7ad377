"""Memories that try to be more than text stay text, wherever they stand."""

from urllib.parse import quote

import pytest

from tests.page.browsing import Page
from tests.page.corpus import HOSTILE

TRACES = """
  const all = (selector) => [...document.querySelectorAll(selector)];
  return [
    window.pwned,
    all('main script, main iframe, main img, main style, main object').length,
    all('main a').filter((one) => one.origin !== location.origin).length,
    all('main *').flatMap((one) => one.getAttributeNames()).filter((two) => /^on/.test(two)),
    getComputedStyle(document.body).display,
  ]
"""
HARMLESS: list[object] = [None, 0, 0, [], "block"]


@pytest.mark.parametrize("view", ["timeline?tag=hostile", "search?q=Hostile%20note", "statistics"])
def test_hostile_memories_stay_text_in_lists(page: Page, view: str) -> None:
    page.open(f"#/{view}")

    assert page.js(TRACES) == HARMLESS


def test_each_hostile_memory_is_shown_as_it_was_written(page: Page) -> None:
    page.open("#/timeline?tag=hostile")
    addresses = page.js("return [...document.querySelectorAll('.card-text')].map((a) => a.hash)")
    shown = []
    for address in addresses:
        page.open(address)
        shown += page.texts("main .memory-text")
        assert page.js(TRACES) == HARMLESS

    assert sorted(shown) == sorted(
        f"Hostile note {number} of Hostile Hub: {attack}" for number, attack in enumerate(HOSTILE)
    )


def test_hostile_names_stay_text_in_the_graph(page: Page) -> None:
    page.open("#/graph?entity=Hostile%20Hub")

    assert len(page.all("main .panel .link")) == len(HOSTILE)
    assert page.js(TRACES) == HARMLESS


def test_a_label_cannot_be_turned_around_unseen(page: Page) -> None:
    page.open("#/timeline?tag=hostile")

    assert any("[U+202E]" in text for text in page.texts("main .chip"))


def test_an_address_cannot_bring_a_script_along(page: Page) -> None:
    for attack in HOSTILE:
        page.open(f"#/search?q={quote(attack)}&tag={quote(attack)}")
        page.go(f"#/graph?entity={quote(attack)}")
        assert page.js(TRACES) == HARMLESS


def test_the_browser_itself_refuses_html_made_of_text(page: Page) -> None:
    page.open()
    refused = page.js(
        "try { document.body.innerHTML = '<b>x</b>'; return 'taken' } catch (e) { return e.name }"
    )

    assert refused == "TypeError"
    page.problems()  # it has complained, as it should
