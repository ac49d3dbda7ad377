"""Theme, keyboard, phone, statistics, and what happens when something is missing."""

from selenium.webdriver.common.keys import Keys

from tests.page.browsing import PHONE, Page

VIEWS = ("search", "timeline", "graph", "code", "jobs", "statistics")
BACKGROUND = "return getComputedStyle(document.body).backgroundColor"


def brightness(page: Page) -> int:
    colour = page.js(BACKGROUND)
    return sum(int(part) for part in colour.strip("rgb()").split(",")[:3])


def test_the_theme_follows_the_system_until_one_chooses(page: Page) -> None:
    page.prefer(prefers_color_scheme="dark")
    page.open()
    assert brightness(page) < 200
    page.one("#theme-button").click()

    assert brightness(page) > 600
    page.open()
    assert brightness(page) > 600
    assert page.one("#theme-button").get_attribute("aria-label") == "Switch to dark"


def test_everything_works_with_the_keyboard_alone(page: Page) -> None:
    page.open("#/timeline")
    page.keys("/")
    page.wait(lambda: "search" in page.driver.current_url, "no search")
    page.settle()
    page.keys("Bergen data centre")
    page.wait(lambda: page.all("main mark"), "nothing found")
    page.settle()
    page.keys(Keys.ESCAPE, "j", "j", "k", Keys.ENTER)

    assert "Bergen data centre" in page.one("main .memory-text").text
    page.keys(Keys.ESCAPE)
    page.wait(lambda: "q=Bergen" in page.driver.current_url, "not back")


def test_the_keys_explain_themselves_and_can_be_turned_off(page: Page) -> None:
    page.open()
    page.keys(Keys.ESCAPE, "?")
    assert "Next and previous entry" in page.one("dialog").text
    page.one("#shortcuts-on").click()
    page.press("Close", within="dialog")
    page.keys("t")

    assert "timeline" not in page.driver.current_url


def test_no_view_is_wider_than_a_phone(page: Page) -> None:
    page.size(*PHONE)
    for view in VIEWS:
        page.open(f"#/{view}")
        width = page.js("return document.documentElement.scrollWidth")
        assert width <= PHONE[0], f"{view} is {width} wide"


def test_statistics_are_drawn(page: Page) -> None:
    page.open("#/statistics")

    captions = " ".join(page.texts("figcaption"))
    for plot in ("per day", "per month", "By source", "By tag", "People and things"):
        assert plot in captions
    assert "5,0" in page.one(".tile dd").text


def test_an_address_that_leads_nowhere_says_so(page: Page) -> None:
    page.driver.get(f"{page.url}/#/nowhere")

    assert "There is no such page" in page.one("main").text


def test_an_unknown_memory_is_explained(page: Page) -> None:
    page.open("#/memory/nonsense")

    assert "memory_id" in page.one("main .failure").text
