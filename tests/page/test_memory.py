"""Look at a memory, correct it, pin it, forget it."""

from tests.page.browsing import Page
from tests.page.calls import call, remember


def open_memory(page: Page, text: str, **metadata: object) -> str:
    memory_id = remember(page.url, text, **metadata)
    page.open(f"#/memory/{memory_id}")
    page.one("main .memory-text")
    return memory_id


def test_a_memory_shows_its_text_and_where_it_comes_from(page: Page) -> None:
    text = "The lighthouse keeper\nwrites letters on Mondays."
    open_memory(page, text, source="diary", tags=["coast"], mood="calm")

    assert page.texts("main .memory-text") == [text]
    rows = page.one("main .rows").text
    for known in ("diary", "coast", "calm", "Stored", "48 characters in 1 piece"):
        assert known in rows


def test_an_edit_changes_text_and_tags_and_keeps_what_was_said(page: Page) -> None:
    memory_id = open_memory(page, "The ferry leaves at six.", tags=["travel"])
    page.press("Edit")
    page.enter("Text", "The ferry leaves at seven.")
    page.enter("Tags", "travel, corrected")
    page.press("Save")

    page.wait(
        lambda: page.texts("main .memory-text:not(.old)") == ["The ferry leaves at seven."],
        "not saved",
    )
    assert page.texts("main .memory-text.old") == ["The ferry leaves at six."]
    assert call(page.url, "get_memory", memory_id=memory_id)["tags"] == ["travel", "corrected"]


def test_a_cancelled_edit_changes_nothing(page: Page) -> None:
    memory_id = open_memory(page, "The bakery opens at five.")
    page.press("Edit")
    page.enter("Text", "Something else.")
    page.press("Cancel")

    assert page.one("main .memory-text").text == "The bakery opens at five."
    assert call(page.url, "get_memory", memory_id=memory_id)["changed_at"] is None


def test_a_memory_can_be_pinned(page: Page) -> None:
    memory_id = open_memory(page, "The spare key is with the neighbour.")
    page.press("Pin")

    page.wait(lambda: "Unpin" in page.texts("main button"), "not pinned")
    assert call(page.url, "get_memory", memory_id=memory_id)["is_pinned"] is True


def test_forgetting_asks_first(page: Page) -> None:
    memory_id = open_memory(page, "The safe stands behind the painting.")
    page.press("Forget")
    page.press("Cancel", within="dialog")

    assert call(page.url, "get_memory", memory_id=memory_id)["memory_id"] == memory_id


def test_a_forgotten_memory_is_gone(page: Page) -> None:
    memory_id = open_memory(page, "The old alarm code was written on a napkin.")
    page.press("Forget")
    page.press("Forget", within="dialog")
    page.wait(lambda: "timeline" in page.driver.current_url, "still there")
    page.go(f"#/memory/{memory_id}")

    assert "names no memory" in page.one("main .failure").text


def test_names_lead_into_the_graph(page: Page) -> None:
    page.open("#/search?q=works%20at%20Northwind%20Systems")
    page.wait(lambda: page.all("main .card mark"), "nothing found")
    page.one("main .card-text").click()
    page.one("main .chip.entity").click()

    page.wait(lambda: "#/graph?entity=" in page.driver.current_url, "not in the graph")
    assert page.one("main .panel h2").text
