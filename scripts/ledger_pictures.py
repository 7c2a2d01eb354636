"""Takes the pictures of docs/ledger.md: `python scripts/ledger_pictures.py AUDIT ROOT`, with Chromium installed."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LAPTOP, PHONE = (1280, 800), (390, 780)
COLOURS = 200


def main() -> None:
    audit, root = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder, "report.html")
        command = [sys.executable, "-m", "readwell", "report", audit, "--root", root, "-o", report]
        subprocess.run(command, check=True)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, size, scheme in (("page", LAPTOP, "light"), ("file", LAPTOP, "light"), ("phone", PHONE, "dark")):
            page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(report.as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            if name == "file":
                page.evaluate("document.querySelector('#calls .link[title$=\".py\"]').click()")
            taken(page, PICTURES / f"ledger-{name}.png")
        browser.close()


def taken(page: Page, path: Path) -> None:
    page.wait_for_timeout(200)
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
