"""Code: index a folder, look at it, find a symbol, see who calls it."""

from pathlib import Path

from tests.page.browsing import Page


def test_a_folder_is_indexed_and_its_symbols_are_found(page: Page, repository: Path) -> None:
    page.open("#/code")
    page.enter("Index a folder", str(repository))
    page.press("Index")
    page.wait(lambda: "repository/bakery" in page.driver.current_url, "not indexed")
    page.settle()

    assert page.one("main h1").text == "bakery"
    page.one("main input[type=search]").send_keys("heat_oven")
    page.wait(lambda: page.texts("main .card code")[:1] == ["heat_oven"], "not found")
    page.one("main .card-text").click()
    page.wait(lambda: page.one("main h1").text == "heat_oven", "not opened")
    assert "return degrees" in page.one(".source-code").text
    assert "bake_bread" in page.texts(".symbols code")


def test_a_folder_that_must_not_be_read_is_refused_in_words(page: Page, tmp_path: Path) -> None:
    page.open("#/code")
    page.enter("Index a folder", str(tmp_path))
    page.press("Index")

    assert "in no folder that may be read" in page.one("main .failure").text
