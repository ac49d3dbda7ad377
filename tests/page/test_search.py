"""Search as a person does: type, look, narrow down, open."""

from urllib.parse import quote_plus

from selenium.webdriver.common.keys import Keys

from tests.page.browsing import Page
from tests.page.calls import call

SEARCH = "main input[type=search]"


def search(page: Page, text: str) -> None:
    page.one(SEARCH).send_keys(text)
    page.wait(lambda: f"q={quote_plus(text)}" in page.driver.current_url, "not searched")
    page.settle()


def test_the_latest_memories_are_there_before_anything_is_asked(page: Page) -> None:
    page.open()

    latest = call(page.url, "list_memories", order="last_added", limit=20)
    shown = page.js("return [...document.querySelectorAll('.card-text')].map((one) => one.hash)")
    assert shown == [f"#/memory/{each['memory_id']}" for each in latest["memories"]]
    assert f"of {latest['total']:,} memories" in page.one("main h2").text


def test_results_come_while_one_types(page: Page) -> None:
    page.open()
    search(page, "who prefers tea")

    assert page.texts("main .card-text")[0].startswith("Samir prefers tea over coffee")
    assert "prefers" in page.texts("main .card mark")
    page.wait(lambda: "results for who prefers tea" in page.texts("#status")[0], "not announced")


def test_a_result_says_why_it_was_found(page: Page) -> None:
    page.open("#/search?q=why%20we%20left%20Kafka")
    page.one("main .card .why summary").click()

    explanation = page.one("main .card .why dl").text
    assert "Meaning" in explanation
    assert "Kafka" in page.one("main .card").text
    assert "%" in page.one("main .card .score").text


def test_filters_leave_over_what_matches_and_stay_in_the_address(page: Page) -> None:
    page.open("#/search?q=invoice")
    page.press("Filters")
    page.enter("Tags", "decision")
    page.wait(lambda: "tag=decision" in page.driver.current_url, "not filtered")
    page.settle()

    assert page.all("main .card")
    for card in page.all("main .card"):
        assert "decision" in card.text
    page.driver.refresh()
    page.settle()
    assert page.field("Tags").get_attribute("value") == "decision"


def test_a_filter_that_leaves_nothing_says_what_to_do(page: Page) -> None:
    page.open("#/search?q=tea&source=nobody")

    assert "take one away" in page.one("main .empty").text


def test_more_results_come_on_demand(page: Page) -> None:
    page.open("#/search?q=budget")
    before = len(page.all("main .card"))
    page.press("Show more")

    page.wait(lambda: len(page.all("main .card")) > before, "no more results")


def test_a_bad_filter_is_explained_in_words(page: Page) -> None:
    page.open("#/search?q=tea&from=2026-10-10&to=2026-10-01")

    assert "date_from must not be after date_to" in page.one("main .failure").text


def test_enter_opens_the_chosen_result(page: Page) -> None:
    page.open()
    search(page, "Samir tea")
    page.keys(Keys.ESCAPE, "j", Keys.ENTER)

    assert "Samir prefers tea" in page.one("main .memory-text").text
