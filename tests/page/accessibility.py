"""Checks of a page that is open: names, labels, landmarks, headings, ids, contrast, reach."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.keys import Keys

from tests.page.browsing import Page

__all__ = ["reached_by_tab", "violations"]

_MOST_TABS = 400

_CHECKS = Path(__file__).with_name("checks.js").read_text(encoding="utf-8")
_REACHABLE = """
const seen = (node) => node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
const wanted = [...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
  .filter((node) => seen(node) && !node.disabled && node.tabIndex >= 0);
wanted.forEach((node, at) => { node.dataset.reach = at; });
return wanted.length;
"""


def violations(page: Page) -> list[str]:
    """Return what is wrong with the page as it is."""
    found: list[str] = page.js(_CHECKS)
    return found


def reached_by_tab(page: Page) -> tuple[set[str], set[str]]:
    """Press Tab through the page; return the controls that were reached, and all there are."""
    page.js("document.activeElement?.blur(); scrollTo(0, 0)")
    count = int(page.js(_REACHABLE))
    reached: set[str] = set()
    for _ in range(min(_MOST_TABS, count + 20)):
        page.keys(Keys.TAB)
        number: str | None = page.js("return document.activeElement.dataset.reach ?? null")
        if number is not None:
            reached.add(number)
    return reached, {str(number) for number in range(count)}
