"""Who may see the page, what it may do, and that nothing leaves this machine."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.page.browsing import Page
from tests.page.conftest import start_over
from tests.zapomni_mcp_http.running import HttpServer, http_server

TOKEN = "correct-horse-battery-staple"


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """An empty memory that wants a token."""
    folder = tmp_path_factory.mktemp("locked") / "memory"
    with http_server(folder, ZAPOMNI_AUTH_TOKEN=TOKEN) as running:
        yield running


@pytest.fixture
def locked_page(browser_page: Page, locked: HttpServer) -> Page:
    page = Page(browser_page.driver, locked.url)
    start_over(page)
    return page


def test_a_locked_memory_asks_for_the_token_and_keeps_it_for_the_tab(locked_page: Page) -> None:
    page = locked_page
    page.open()
    page.enter("Token", "a guess")
    page.press("Unlock")
    page.wait(lambda: "does not know this token" in page.one("main").text, "not refused")
    page.enter("Token", TOKEN)
    page.press("Unlock")

    assert "Nothing is remembered yet" in page.one("main .empty").text
    page.driver.refresh()
    assert "Nothing is remembered yet" in page.one("main .empty").text
    assert page.js("return Object.values(localStorage)") == []


@pytest.mark.parametrize("view", ["timeline", "graph", "code", "jobs", "statistics"])
def test_an_empty_memory_says_what_to_do_next(locked_page: Page, view: str) -> None:
    page = locked_page
    page.open()
    page.enter("Token", TOKEN)
    page.press("Unlock")
    page.one("main .empty")
    page.go(f"#/{view}")

    assert page.one("main .empty").text
    assert not page.all("main .failure")


def test_files_of_the_page_need_no_token_and_everything_else_does(locked: HttpServer) -> None:
    files = ("/", "/page/main.js", "/page/base.css", "/page/icon.svg")
    others = ("/metrics", "/mcp", "/sse", "/page/", "/page/nothing.js", "/page/../metrics")

    assert [locked.http.get(path).status_code for path in files] == [200] * len(files)
    assert {locked.http.get(path).status_code for path in others} == {401}


def test_a_page_can_only_be_run_as_it_was_shipped(server: HttpServer) -> None:
    headers = server.http.get("/").headers
    policy = headers["content-security-policy"]

    for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'"):
        assert part in policy
    for part in ("connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"):
        assert part in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_an_unchanged_file_is_not_sent_again(server: HttpServer) -> None:
    first = server.http.get("/page/main.js")
    again = server.http.get("/page/main.js", headers={"If-None-Match": first.headers["etag"]})

    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80"])
def test_a_name_that_was_rebound_to_us_gets_nothing(server: HttpServer, host: str) -> None:
    answer = server.http.get("/", headers={"Host": host})

    assert answer.status_code == 421


def test_a_page_from_elsewhere_may_not_call(server: HttpServer) -> None:
    answer = server.http.post("/mcp", json={}, headers={"Origin": "https://evil.example"})

    assert answer.status_code == 403


def test_the_page_may_call_the_host_that_it_came_from(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("named") / "memory"
    names = {"ZAPOMNI_AUTH_TOKEN": TOKEN, "ZAPOMNI_ALLOWED_HOSTS": "memory.example"}
    with http_server(folder, **names) as running:
        ours = _status(running, "memory.example", "https://memory.example")
        others = _status(running, "memory.example", "https://evil.example")

    assert (ours, others) == (401, 403)


def _status(running: HttpServer, host: str, origin: str) -> int:
    headers = {"Host": host, "Origin": origin}
    return int(httpx2.post(f"{running.url}/mcp", json={}, headers=headers).status_code)


def test_every_file_is_our_own() -> None:
    folder = Path(__file__).parents[2] / "src" / "zapomni_mcp" / "web" / "static"
    texts = [path.read_text(encoding="utf-8") for path in folder.iterdir()]
    spaces = ("http://www.w3.org/2000/svg",)  # a name, not an address

    for text in texts:
        left = text
        for space in spaces:
            left = left.replace(space, "")
        assert "http://" not in left
        assert "https://" not in left
        assert "innerHTML" not in left
