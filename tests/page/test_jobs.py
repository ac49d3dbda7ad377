"""Long work can be watched and stopped."""

from tests.page.browsing import Page
from tests.page.calls import call

RUNNING = ".job[data-kind=build_graph][data-state=running]"
HAS_PROGRESS = f"return document.querySelector('{RUNNING} progress')?.value > 0"


def test_a_job_is_watched_while_it_runs_and_then_stopped(page: Page) -> None:
    page.open("#/jobs")
    page.press("Read memories for the graph")

    page.wait(lambda: page.js(HAS_PROGRESS), "no progress")
    far = page.texts(f"{RUNNING} .far")
    page.wait(lambda: page.texts(f"{RUNNING} .far") != far, "it stands still")
    page.press("Stop", within=RUNNING)
    page.wait(lambda: not page.all(RUNNING), "it still runs")
    assert "given up" in page.texts(".job .state")
    status = call(page.url, "graph_status")
    assert status["memories_built"] < status["memories_total"]
