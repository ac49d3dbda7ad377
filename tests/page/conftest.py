"""A server with five thousand memories, and a browser that looks at it.

Without Chromium these tests are left out: `apt-get install chromium chromium-driver` brings it.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.folders import fresh_settings
from tests.page.browsing import CHROMEDRIVER, CHROMIUM, DESK, Page, open_browser
from tests.page.store import fill
from tests.zapomni_mcp_http.running import HttpServer, http_server

MEMORIES, ABOUT_PEOPLE = 5000, 1000
HAS_BROWSER = CHROMIUM.exists() and CHROMEDRIVER.exists()

collect_ignore_glob = [] if HAS_BROWSER else ["test_*.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not HAS_BROWSER:
        terminalreporter.write_line(
            "tests/page: left out, because Chromium is missing; "
            "apt-get install chromium chromium-driver"
        )


@pytest.fixture(scope="session")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A little code that the server may index."""
    folder = tmp_path_factory.mktemp("code") / "bakery"
    folder.mkdir()
    (folder / "oven.py").write_text(
        '"""Bake bread."""\n\n\ndef heat_oven(degrees: int) -> int:\n'
        '    """Warm the oven up."""\n    return degrees\n\n\n'
        "def bake_bread() -> int:\n    return heat_oven(230)\n",
        encoding="utf-8",
    )
    return folder


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Iterator[HttpServer]:
    folder = tmp_path_factory.mktemp("page") / "memory"
    folder.mkdir()
    asyncio.run(fill(fresh_settings(folder, graph_name="zapomni"), MEMORIES, ABOUT_PEOPLE))
    settings = {"ZAPOMNI_AUTO_GRAPH": "false", "ZAPOMNI_CODE_ROOTS": str(repository.parent)}
    with http_server(folder, **settings) as running:
        yield running


@pytest.fixture(scope="session")
def browser_page(server: HttpServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield Page(driver, server.url)


@pytest.fixture
def page(browser_page: Page) -> Iterator[Page]:
    """The page as it is for somebody who comes for the first time; it must not complain."""
    start_over(browser_page)
    yield browser_page
    assert browser_page.problems() == []
    assert [
        each for each in browser_page.requested() if not each.startswith(browser_page.url)
    ] == []


def start_over(page: Page) -> None:
    page.driver.get(f"{page.url}/page/icon.svg")
    page.js("localStorage.clear(); sessionStorage.clear()")
    page.size(*DESK)
    page.prefer(prefers_color_scheme="light", prefers_reduced_motion="no-preference")
    page.problems()


@pytest.fixture
def screenshots() -> Path:
    """Where screenshots go: into the folder that PAGE_SCREENSHOTS names."""
    folder = os.environ.get("PAGE_SCREENSHOTS")
    if not folder:
        pytest.skip("PAGE_SCREENSHOTS names no folder")
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    return path
