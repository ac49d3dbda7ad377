"""A real browser, and what a person does with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

__all__ = ["CHROMEDRIVER", "CHROMIUM", "DESK", "PHONE", "Page", "open_browser"]

CHROMIUM = Path("/usr/bin/chromium")
CHROMEDRIVER = Path("/usr/bin/chromedriver")
DESK, PHONE = (1280, 900), (390, 844)
_WAIT_S = 30
_SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--lang=en-GB",
    # The network is cut: no name but that of this machine leads anywhere.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_CLICKABLE = "button, summary, a, label"


@contextmanager
def open_browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """Run Chromium with an empty profile."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for switch in (*_SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # Where a proxy is set for the shell, the driver itself must be spoken to directly.
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost"
    driver = webdriver.Chrome(options=options, service=Service(str(CHROMEDRIVER)))
    try:
        driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "UTC"})
        yield driver
    finally:
        driver.quit()


class Page:
    """The page of one server in the browser."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        self.driver = driver
        self.url = url

    def open(self, address: str = "#/search") -> None:
        """Load the page anew at an address, and wait until its view is there."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.url}/{address}")
        self.one("main h1")
        self.settle()

    def go(self, address: str) -> None:
        """Change the address of the page that is open."""
        self.driver.execute_async_script(
            "addEventListener('hashchange', () => setTimeout(arguments[1]), { once: true });"
            "location.hash = arguments[0]",
            address,
        )
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is loading."""
        self.wait(lambda: not self.all("main .loading, main [aria-busy]"), "still loading")

    def wait(self, condition: Callable[[], Any], problem: str) -> Any:
        """Wait, with an end, until something is true."""

        def tried(_: object) -> Any:
            try:
                return condition()
            except StaleElementReferenceException:
                return False  # the view was drawn anew while we looked

        return WebDriverWait(self.driver, _WAIT_S, poll_frequency=0.05).until(tried, problem)

    def all(self, selector: str) -> list[WebElement]:
        """Return the elements that are there now."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        """Wait for an element that is seen."""
        found: WebElement = self.wait(
            lambda: next((each for each in self.all(selector) if each.is_displayed()), None),
            f"no {selector}",
        )
        return found

    def texts(self, selector: str) -> list[str]:
        """Return what elements say."""
        texts: list[str] = self.js(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)",
            selector,
        )
        return texts

    def press(self, text: str, within: str = "body") -> None:
        """Press the button or link that says this."""

        def found() -> WebElement | None:
            shown = (each for each in self.one(within).find_elements(By.CSS_SELECTOR, _CLICKABLE))
            return next((each for each in shown if _says(each, text)), None)

        self.wait(found, f"no button {text!r}").click()

    def field(self, label: str) -> WebElement:
        """Return the control with this label."""
        control: WebElement = self.wait(
            lambda: self.js(
                "return [...document.querySelectorAll('label')].find((one) =>"
                " one.querySelector('span')?.textContent === arguments[0])?.control",
                label,
            ),
            f"no field {label!r}",
        )
        return control

    def enter(self, label: str, text: str) -> None:
        """Put a text into a field instead of what is there."""
        field = self.field(label)
        field.clear()
        field.send_keys(text)

    def keys(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def js(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(script, *arguments)

    def size(self, width: int, height: int) -> None:
        """Give the page another width and height."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, **features: str) -> None:
        """Say what the person prefers, such as prefers_color_scheme='dark'."""
        given = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": given})

    def problems(self) -> list[str]:
        """Return what the browser complains about since it was last asked."""
        entries: list[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def requested(self) -> list[str]:
        """Return the address of everything that the page has asked for."""
        addresses: list[str] = self.js("return performance.getEntries().map((one) => one.name)")
        return [address for address in addresses if "://" in address]


def _says(element: WebElement, text: str) -> bool:
    return element.is_displayed() and element.text.strip() == text
