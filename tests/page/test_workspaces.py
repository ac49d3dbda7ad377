"""Workspaces: create one, look at it, come back, delete it."""

from tests.page.browsing import Page
from tests.page.calls import call


def test_a_workspace_is_created_looked_at_and_deleted(page: Page) -> None:
    page.open("#/workspaces")
    page.enter("Name", "garden")
    page.enter("What it is for", "Seeds and seasons")
    page.press("Create")
    page.wait(lambda: "garden" in page.texts(".workspace-card strong"), "not created")
    call(page.url, "add_memory", text="Tomatoes need sun.", workspace="garden")

    page.press("Look at it", within=".workspace-card:last-child")
    page.wait(lambda: page.texts("#workspace") == ["garden"], "not shown")
    page.go("#/timeline")
    assert page.texts("main .card-text") == ["Tomatoes need sun."]

    page.go("#/workspaces")
    page.press("Delete", within=".workspace-card:last-child")
    page.enter("Type garden to delete it", "gardn")
    page.press("Delete for good", within="dialog")
    assert "confirm" in page.one("dialog .failure").text
    page.enter("Type garden to delete it", "garden")
    page.press("Delete for good", within="dialog")
    page.wait(lambda: "garden" not in page.texts(".workspace-card strong"), "still there")
    page.go("#/timeline")
    assert len(page.all("main .card")) == 40
