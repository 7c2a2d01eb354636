"""A real browser for tests: Debian's Chromium, driven by Playwright."""

import shutil

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
LAPTOP, PHONE = (1366, 860), (390, 844)
TIMEOUT_MS = 60_000


class OpenedPage:
    """A page in the browser, with what it asked of the network and what went wrong in it."""

    def __init__(self, chromium, address, size=LAPTOP, scheme="light", **options):
        self.context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, **options
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self.requests, self.errors = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def __enter__(self):
        return self.page

    def __exit__(self, *_):
        self.context.close()
        assert self.errors == []


def tiles(page):
    """Returns the totals at the top, by label."""
    return {
        tile.locator("dt").inner_text(): tile.locator("dd.value").inner_text() for tile in page.locator(".tile").all()
    }


def rows(page, table):
    """Returns the texts of a table's rows."""
    return page.eval_on_selector_all(
        f"#{table} tbody tr", "all => all.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
