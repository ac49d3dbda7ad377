"""The timeline: days in order, more on the way down, a plot that leads to a day."""

import itertools
from functools import partial

from tests.page.browsing import Page
from tests.page.calls import call


def days(page: Page) -> list[str]:
    shown: list[str] = page.js(
        "return [...document.querySelectorAll('.day time')].map((one) => one.dateTime)"
    )
    return shown


def has_more(page: Page, count: int) -> bool:
    return len(page.all("main .card")) > count


def test_days_run_from_the_newest_to_the_oldest(page: Page) -> None:
    page.open("#/timeline")

    assert len(days(page)) > 1
    assert all(later > earlier for later, earlier in itertools.pairwise(days(page)))


def test_more_days_come_as_one_scrolls(page: Page) -> None:
    page.open("#/timeline")
    for pages in (1, 2):
        page.js("scrollTo(0, document.body.scrollHeight)")
        page.wait(partial(has_more, page, 40 * pages), "nothing more")

    ids = page.js("return [...document.querySelectorAll('.card-text')].map((one) => one.hash)")
    assert len(ids) == len(set(ids))


def test_a_bar_of_the_plot_leads_to_its_day(page: Page) -> None:
    page.open("#/timeline")
    page.one(".plot svg")
    counts = call(page.url, "list_memories", limit=1, with_counts=True)["counts"]
    day = sorted(counts["by_day"])[-3]
    page.one(f".plot .hit[data-name='{day}']").click()

    page.wait(lambda: f"from={day}" in page.driver.current_url, "no day chosen")
    page.wait(lambda: days(page) == [day], "other days")


def test_a_tag_leads_to_all_that_have_it(page: Page) -> None:
    page.open("#/timeline?tag=preference")
    cards = page.all("main .card")

    assert len(cards) == 40
    assert all("preference" in card.text for card in cards)


def test_the_oldest_can_come_first(page: Page) -> None:
    page.open("#/timeline")
    newest = days(page)[0]
    page.one("select[name=order]").send_keys("Oldest first")

    page.wait(lambda: days(page)[0] < newest, "not turned")
