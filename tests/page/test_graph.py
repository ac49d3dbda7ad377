"""Walk the graph: by picture and by list, through types, through time, between two names."""

import pytest
from selenium.webdriver import ActionChains

from tests.page.browsing import Page

START = "#/graph?entity=Northwind%20Systems"


def chosen(page: Page) -> str:
    return page.one("main .panel h2").text


def nodes(page: Page) -> int:
    return int(page.one(".graph-canvas").get_attribute("data-nodes") or 0)


def settled(page: Page) -> None:
    page.wait(
        lambda: page.one(".graph-canvas").get_attribute("data-settled") == "true", "still moving"
    )


def test_the_graph_opens_with_those_most_named(page: Page) -> None:
    page.open("#/graph")
    page.one("main .panel li")

    assert chosen(page) == "Most named"
    assert nodes(page) > 10


def test_a_name_in_the_list_leads_on(page: Page) -> None:
    page.open(START)
    assert chosen(page) == "Northwind Systems"
    before = nodes(page)
    person = page.one("main .panel .link")
    name = person.text
    person.click()

    page.wait(lambda: chosen(page) == name, "not there")
    assert nodes(page) >= before
    assert "Northwind Systems" in page.one("main .panel").text
    page.driver.back()
    page.wait(lambda: chosen(page) == "Northwind Systems", "not back")


def test_a_node_of_the_picture_leads_on(page: Page) -> None:
    page.open(START)
    settled(page)
    picture = page.one(".graph-canvas")
    size = picture.size
    # Everything is drawn around the start, which is in the middle: look for another node.
    for dx in range(-size["width"] // 2 + 10, size["width"] // 2 - 10, 12):
        ActionChains(page.driver).move_to_element_with_offset(picture, dx, 40).perform()
        if "pointing" in (picture.get_attribute("class") or "").split():
            ActionChains(page.driver).click().perform()
            break
    else:
        pytest.fail("no node was hit")

    page.wait(lambda: page.one("main .panel h2").text, "nothing chosen")
    assert "entity=" in page.driver.current_url


def test_a_type_can_be_left_out(page: Page) -> None:
    page.open(START)
    before = nodes(page)
    button = page.one(".legend [data-type=place]")
    button.click()

    page.wait(lambda: nodes(page) < before, "still there")
    assert page.one(".legend [data-type=place]").get_attribute("aria-pressed") == "false"
    page.one(".legend [data-type=place]").click()
    page.wait(lambda: nodes(page) == before, "not back")


def test_the_slider_goes_back_in_time(page: Page) -> None:
    page.open(START)
    now = page.one("main .panel").text
    page.one("input[name=as_of]")
    page.js(
        "const range = document.querySelector('input[name=as_of]');"
        "range.value = Number(range.min) + 90;"
        "range.dispatchEvent(new Event('input', { bubbles: true }))"
    )

    page.wait(lambda: "as_of=20" in page.driver.current_url, "no travel")
    page.wait(lambda: page.one("main .panel").text != now, "the same as now")
    assert chosen(page) == "Northwind Systems"
    assert page.one(".time output").text != "now"


def test_two_people_are_connected_by_a_path(page: Page) -> None:
    page.open("#/graph")
    page.enter("Path from", "Harbor Labs")
    page.enter("to", "Zora Zhangg")
    page.press("Find path")
    page.wait(lambda: "Did you mean" in page.one("main .panel").text, "no suggestion")
    name = page.one("main .panel button").text
    page.enter("to", name)
    page.press("Find path")

    page.wait(lambda: page.all("main .path li"), "no path")
    steps = page.texts("main .path .link")
    assert steps[0] == "Harbor Labs"
    assert steps[-1] == name


def test_an_unknown_name_gets_suggestions(page: Page) -> None:
    page.open("#/graph?entity=Northwint%20Sistems")

    assert "Nothing is known under that name" in page.one("main .panel").text


def test_a_fact_shows_the_memory_that_says_so(page: Page) -> None:
    page.open(START)
    page.one("main .panel .why summary").click()
    page.one("main .panel blockquote a").click()

    assert "Northwind Systems" in page.one("main .memory-text").text


def test_the_whole_graph_can_be_seen(page: Page) -> None:
    page.open("#/graph")
    page.press("Whole graph")

    page.wait(lambda: nodes(page) > 1000, "not whole")
    settled(page)
