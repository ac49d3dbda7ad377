"""Everybody can use the page: each view, light and dark, wide and narrow, passes the checks."""

import pytest

from tests.page.accessibility import reached_by_tab, violations
from tests.page.browsing import DESK, PHONE, Page
from tests.page.calls import call

VIEWS = (
    "search",
    "search?q=prefers",
    "search?q=tea&source=nobody",
    "timeline",
    "graph?entity=Northwind%20Systems",
    "code",
    "jobs",
    "statistics",
    "memory",
)


def open_view(page: Page, view: str) -> None:
    if view == "memory":
        newest = call(page.url, "list_memories", limit=1, filters={"tags": ["people"]})
        view = f"memory/{newest['memories'][0]['memory_id']}"
    page.open(f"#/{view}")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_passes_the_checks(page: Page, view: str, theme: str) -> None:
    page.prefer(prefers_color_scheme=theme)
    open_view(page, view)
    found = {"wide": violations(page)}
    page.size(*PHONE)
    found["narrow"] = violations(page)

    assert found == {"wide": [], "narrow": []}


@pytest.mark.parametrize("view", ["search?q=prefers", "graph?entity=Northwind%20Systems", "code"])
def test_every_control_is_reached_with_the_tab_key(page: Page, view: str) -> None:
    open_view(page, view)
    reached, wanted = reached_by_tab(page)

    assert wanted - reached == set()


def test_a_dialog_passes_the_checks_and_gives_the_focus_back(page: Page) -> None:
    open_view(page, "memory")
    page.press("Forget")
    page.one("dialog")
    found = violations(page)
    page.press("Cancel", within="dialog")

    assert found == []
    assert page.js("return document.activeElement.textContent") == "Forget"


def test_an_edit_form_passes_the_checks(page: Page) -> None:
    page.size(*DESK)
    open_view(page, "memory")
    page.press("Edit")
    page.one("textarea")

    assert violations(page) == []


def test_whoever_wants_less_motion_gets_a_still_graph(page: Page) -> None:
    page.prefer(prefers_reduced_motion="reduce")
    page.open("#/graph?entity=Northwind%20Systems")

    page.wait(lambda: page.all(".graph-canvas[data-settled=true]"), "still moving")
    assert violations(page) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("document.querySelector('#theme-button').removeAttribute('aria-label')", "no name"),
        ("document.querySelector('main input').removeAttribute('aria-label')", "no label"),
        ("document.querySelector('main h1').id = 'status'", "id twice"),
        ("document.querySelector('nav').remove()", "landmarks"),
        ("document.querySelector('main h1').style.color = '#ddd'", "contrast"),
        ("document.querySelector('main h1').remove()", "headings of level 1"),
        ("document.querySelector('main h2').replaceWith(document.createElement('h4'))", "jumps"),
    ],
)
def test_the_checks_find_what_is_wrong(page: Page, change: str, rule: str) -> None:
    page.open()
    page.js(f"{change}; for (const one of document.querySelectorAll('h4')) one.textContent = 'x'")

    assert any(rule in each for each in violations(page))
