"""Pictures of every view for the documentation, light and dark."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.page.browsing import PHONE, Page
from tests.page.calls import call
from tests.page.test_jobs import HAS_PROGRESS, RUNNING

LARGEST = 200_000
PICTURE = (1120, 760)
SEARCH = "#/search?q=who%20prefers%20tea"
VIEWS = {
    "search": SEARCH,
    "timeline": "#/timeline",
    "graph": "#/graph?entity=Northwind%20Systems",
    "code": "#/code/repository/zapomni",
    "statistics": "#/statistics",
}
OUR_CODE = Path(__file__).parents[2] / "src" / "zapomni_mcp"


def take(page: Page, path: Path) -> None:
    page.wait(lambda: not page.all(".graph-canvas[data-settled=false]"), "still moving")
    page.js("document.activeElement?.blur()")
    assert page.driver.save_screenshot(str(path))
    assert path.stat().st_size <= LARGEST


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest, page: Page) -> str:
    page.prefer(prefers_color_scheme=request.param)
    page.size(*PICTURE)
    return str(request.param)


@pytest.fixture(scope="module")
def indexed(browser_page: Page, repository: Path) -> None:
    folder = repository.parent / "zapomni"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(OUR_CODE, folder / OUR_CODE.name, ignore=ignored)
    url = browser_page.url
    call(url, "index_codebase", path=str(folder))
    browser_page.wait(
        lambda: call(url, "code_overview", repository="zapomni")["calls"], "not indexed"
    )


@pytest.mark.parametrize("view", list(VIEWS))
def test_a_view_is_pictured(
    page: Page, screenshots: Path, view: str, theme: str, request: pytest.FixtureRequest
) -> None:
    if view == "code":
        request.getfixturevalue("indexed")
    page.open(VIEWS[view])
    take(page, screenshots / f"{view}-{theme}.png")


def test_a_memory_is_pictured(page: Page, screenshots: Path, theme: str) -> None:
    found = call(page.url, "search_memory", query="works at Northwind Systems in Lisbon", limit=1)
    page.open(f"#/memory/{found['results'][0]['memory_id']}")
    page.one(".facts")
    take(page, screenshots / f"memory-{theme}.png")


def test_a_running_job_is_pictured(page: Page, screenshots: Path, theme: str) -> None:
    page.open("#/jobs")
    page.press("Read memories for the graph")
    page.wait(lambda: page.js(HAS_PROGRESS), "no job")
    take(page, screenshots / f"jobs-{theme}.png")
    page.press("Stop", within=RUNNING)
    page.wait(lambda: not page.all(RUNNING), "it still runs")


@contextmanager
def workspaces(url: str, **described: str) -> Iterator[None]:
    for name, description in described.items():
        call(url, "create_workspace", name=name, description=description)
    yield
    for name in described:
        call(url, "delete_workspace", name=name, confirm=name)


def test_workspaces_are_pictured(page: Page, screenshots: Path, theme: str) -> None:
    with workspaces(page.url, acme="Work for Acme", garden="Seeds and seasons"):
        page.open("#/workspaces")
        take(page, screenshots / f"workspaces-{theme}.png")


def test_the_phone_is_pictured(page: Page, screenshots: Path) -> None:
    page.size(*PHONE)
    page.open(SEARCH)
    take(page, screenshots / "phone-light.png")
