"""The browser that tests of the page share."""

import pytest
from browser import CHROMIUM


@pytest.fixture(scope="module")
def chromium():
    """A running Chromium; without one, what needs it says so and is skipped."""
    driver = pytest.importorskip("playwright.sync_api", reason="NOT TESTED: playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("NOT TESTED: there is no Chromium here: apt-get install chromium")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
