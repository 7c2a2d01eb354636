"""The page in a real browser: its numbers, its views, the keyboard, both themes, and names that try to be more."""

import base64
import hashlib
import re

import pytest
from browser import LAPTOP, PHONE, OpenedPage, rows, tiles
from records import CALLERS, FAILURES, expected_report, random_records, write_records

from readwell import Reader
from readwell.audit import AuditFile
from readwell.doors.cli import main

HOSTILE = [
    "</script><script>window.hacked=1</script>.py",
    "<img src=x onerror=window.hacked=1>.py",
    "<!--<script>.py",
    "a&lt;b&amp;c.py",
    "evil\u202egnp.exe",
    "line\u2028break\nname.py",
    "__proto__",
    "x" * 4000,
    "\udcff\ud800.py",
    "{data}{script}{policy}",
]


def made(tmp_path, records, *options, name="report.html"):
    log, page = write_records(records, tmp_path / "audit.jsonl"), tmp_path / name
    assert main(["report", str(log), "-o", str(page), *map(str, options)]) == 0
    return page


@pytest.fixture(scope="module")
def recorded():
    return random_records(11, calls=500)


@pytest.fixture(scope="module")
def page_file(recorded, tmp_path_factory):
    return made(tmp_path_factory.mktemp("page"), recorded)


def totals(records):
    wanted = expected_report(records)
    return {
        "Calls": f"{wanted['calls']:,}",
        "Files read": f"{wanted['files']:,}",
        "Tokens": f"{wanted['tokens']:,}",
        "Repeated reads": f"{wanted['repeated']['calls']:,}",
        "Failures": f"{sum(wanted['failures'].values()):,}",
    }


def test_the_totals_are_those_of_an_independent_count(chromium, page_file, recorded):
    with OpenedPage(chromium, page_file.as_uri()) as page:
        assert tiles(page) == totals(recorded)
        cards = page.locator(".card .value").all_inner_texts()
        assert cards[0] == f"{expected_report(recorded)['repeated']['tokens']:,} tokens"
        for caller in CALLERS:
            page.select_option("#caller", label=caller or "(no name)")
            assert tiles(page) == totals([record for record in recorded if record.get("caller") == caller])


@pytest.mark.slow
def test_a_folder_opens_and_its_rows_add_up(chromium, page_file, recorded):
    by_file = expected_report(recorded)["by_file"]
    with OpenedPage(chromium, page_file.as_uri()) as page:
        for name in ("a", "b"):
            inside = [row for path, row in by_file.items() if path.startswith(f"src/{name}/")]
            row = next(row for row in rows(page, "folder") if row[0] == f"{name}/")
            assert row[2:] == [
                f"{sum(each['calls'] for each in inside):,}",
                f"{sum(each['tokens'] for each in inside):,}",
            ]
        page.get_by_role("button", name="a/", exact=True).click()
        assert page.locator("#crumbs [aria-current]").inner_text() == "a"
        told = {row[0]: row[2:] for row in rows(page, "folder")}
        assert told == {
            path.removeprefix("src/a/"): [f"{row['calls']:,}", f"{row['tokens']:,}"]
            for path, row in by_file.items()
            if path.startswith("src/a/")
        }
        page.locator("#crumbs button").last.click()
        assert [row[0] for row in rows(page, "folder")] in (["a/", "b/"], ["b/", "a/"])


def test_a_file_shows_how_often_each_line_was_read(chromium, page_file, recorded):
    wanted = expected_report(recorded)
    path = max(wanted["by_file"], key=lambda name: wanted["by_file"][name]["calls"])
    row, times = wanted["by_file"][path], wanted["times"][path]
    with OpenedPage(chromium, page_file.as_uri()) as page:
        folder, name = path.split("/")[1:]
        page.get_by_role("button", name=f"{folder}/", exact=True).click()
        page.get_by_role("button", name=name, exact=True).first.click()
        assert page.locator("#file-title").inner_text() == path
        facts = page.locator("#file-facts").inner_text()
        assert facts.startswith(
            f"{row['lines_read']:,} of {row['lines']:,} lines · {row['calls']:,} calls · {row['tokens']:,} tokens"
        )
        told = {}
        for lines, read in rows(page, "ranges"):
            first, _, last = lines.partition("–")
            told |= dict.fromkeys(range(int(first), int(last or first) + 1), 0 if read == "never" else int(read))
        assert told == {line: times.get(line, 0) for line in range(1, row["lines"] + 1)}
        own = [each for each in recorded if each["opened"] == f"/project/{path}" and each["verdict"] == "read"]
        assert page.locator("#file-calls li").count() == len(own)
        page.keyboard.press("Escape")
        assert not page.locator("#file").is_visible()


@pytest.mark.parametrize(
    "choose, keep",
    [
        (("#filter-tool", "search"), lambda record: record["tool"] == "search"),
        (("#filter-outcome", "NOT_FOUND"), lambda record: record["verdict"] == "NotFound"),
        (("#filter-path", "A/FILE4"), lambda record: "a/file4" in (record["opened"] or record["path"])),
    ],
)
def test_calls_are_filtered(chromium, page_file, recorded, choose, keep):
    field, value = choose
    wanted = sum(map(keep, recorded))
    assert 0 < wanted < len(recorded)
    with OpenedPage(chromium, page_file.as_uri()) as page:
        page.fill(field, value) if field == "#filter-path" else page.select_option(field, label=value)
        page.locator("#calls-pager").get_by_text(f"of {wanted:,} calls").wait_for()
        page.locator(f"#time[aria-label*='{wanted:,} call']").wait_for()
        page.get_by_role("button", name="Clear").click()
        page.locator("#calls-pager").get_by_text(f"of {len(recorded)} calls").wait_for()


@pytest.mark.slow
def test_every_call_has_its_row(chromium, page_file, recorded):
    with OpenedPage(chromium, page_file.as_uri()) as page:
        told = []
        while True:
            told += rows(page, "calls")
            if page.get_by_role("button", name="Earlier").is_disabled():
                break
            page.get_by_role("button", name="Earlier").click()
    wanted = []
    for record in reversed(recorded):
        path = (record["opened"] or "").removeprefix("/project/") or record["path"]
        lines = "{:,}–{:,}".format(*record["range"]) if record["range"] else "–"
        wanted.append(
            [
                record["time"][11:19],
                record.get("caller") or "–",
                record["tool"],
                path,
                FAILURES.get(record["verdict"], record["verdict"]),
                lines,
                f"{record['tokens']:,}",
            ]
        )
    assert [row[:7] for row in told] == wanted


@pytest.mark.slow
def test_the_map_is_worked_by_keyboard(chromium, page_file):
    with OpenedPage(chromium, page_file.as_uri()) as page:
        page.focus("#map-cursor")
        page.keyboard.press("ArrowRight")
        said = page.locator("#map-said").inner_text()
        assert re.search(r"\d+ files? of \d+ read", said)
        page.keyboard.press("Enter")
        assert page.locator("#crumbs [aria-current]").inner_text() in ("a", "b")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.locator("#file").is_visible()
        page.keyboard.press("Escape")
        page.focus("#map-cursor")
        page.keyboard.press("Backspace")
        assert page.locator("#crumbs [aria-current]").inner_text() == "src"


@pytest.mark.slow
def test_everything_is_reached_by_the_tab_key(chromium, page_file):
    with OpenedPage(chromium, page_file.as_uri()) as page:
        reached = []
        for _ in range(30):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.id || document.activeElement.innerText"))
        assert {"caller", "theme", "only-read", "map-cursor", "filter-tool", "filter-path"} <= set(reached)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "filter-path"


@pytest.mark.slow
def test_it_is_dark_where_the_reader_wants_it_dark(chromium, page_file):
    brightness = "Math.max(...getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number))"
    with OpenedPage(chromium, page_file.as_uri(), scheme="dark") as page:
        assert page.evaluate(brightness) < 60
        page.click("#theme")
        assert page.evaluate(brightness) > 200
        page.click("#theme")
        assert page.evaluate(brightness) < 60


@pytest.mark.parametrize(
    "size, scheme",
    [
        (LAPTOP, "light"),
        pytest.param(PHONE, "dark", marks=pytest.mark.slow),
        pytest.param(LAPTOP, "dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing(chromium, page_file, size, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT TESTED: axe is not installed").Axe()
    with OpenedPage(chromium, page_file.as_uri(), size, scheme) as page:
        assert violations(axe, page) == []
        page.evaluate("document.querySelector('#calls .link').click()")
        page.wait_for_selector("#file[open]")
        assert violations(axe, page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def violations(axe, page):
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]]) for each in axe.run(page).response["violations"]
    ]


def hostile_records():
    record = random_records(1, calls=1)[0]
    return [
        {**record, "verdict": "read", "kind": "file", "tool": name[:60], "caller": name, "path": name, "opened": f"/project/{name}", "range": [1, 2], "total": 3, "revision": "r"}
        for name in HOSTILE
    ] + [{**record, "verdict": name, "path": name, "opened": None, "range": None} for name in HOSTILE]  # fmt: skip


def test_hostile_names_stay_text_and_nothing_is_fetched(chromium, tmp_path):
    page_file = made(tmp_path, hostile_records())
    opened = OpenedPage(chromium, page_file.as_uri(), offline=True)
    with opened as page:
        shape = "[window.hacked, document.scripts.length, document.images.length, document.querySelectorAll('main script, main img').length]"
        assert page.evaluate(shape) == [None, 2, 0, 0]
        told = {row[0] for row in rows(page, "folder")}
        assert {HOSTILE[1], HOSTILE[3], "evil\\u202egnp.exe", "line\\u2028break\\u000aname.py", "__proto__"} <= told
        for index in range(page.locator("#folder .link").count()):
            page.locator("#folder .link").nth(index).click()
            if page.locator("#file").is_visible():
                page.keyboard.press("Escape")
            else:
                page.locator("#crumbs button").first.click()
        for option in page.locator("#caller option").all()[1:]:
            page.select_option("#caller", value=option.get_attribute("value"))
        assert page.evaluate(shape) == [None, 2, 0, 0]
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert [each for each in opened.requests if not each.startswith("data:")] == [page_file.as_uri()]


def test_only_its_own_script_may_run(page_file):
    text = page_file.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    script, style = (
        re.search(r"<script>(.*)</script>", text, re.S)[1],
        re.search(r"<style>(.*?)</style>", text, re.S)[1],
    )
    named = {
        name: f"sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}"
        for name, part in (("script", script), ("style", style))
    }
    assert policy == (
        f"default-src 'none'; script-src '{named['script']}'; style-src '{named['style']}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    data = re.search(r'id="data">(.*?)</script>', text, re.S)[1]
    assert not set("<>&") & set(data)
    assert len(text.encode()) - len(data) < 150_000


def test_a_script_that_gets_in_does_not_run(chromium, page_file, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text(
        page_file.read_text().replace(
            "<main>", "<main><script>window.hacked=1</script><b onclick='window.hacked=1' id=b>b</b>"
        )
    )
    opened = OpenedPage(chromium, bad.as_uri())
    opened.page.click("#b")
    assert opened.page.evaluate("window.hacked") is None
    assert opened.errors
    opened.context.close()


@pytest.fixture
def project(tmp_path):
    root = tmp_path.resolve() / "root"
    root.mkdir()
    (root / "same.py").write_text("one = 1\n<b>two</b>\nthree = 3\n")
    (root / "changed.py").write_text("old = 1\n")
    (root / "gone.py").write_text("gone = 1\n")
    (root / ".env").write_text("PASSWORD=hunter2\n")
    (root / "unread.py").write_text("x = 1\n" * 9)
    log = tmp_path / "audit.jsonl"
    with Reader(root, audit=AuditFile(str(log))) as reader:
        for path in ("same.py", "changed.py", "gone.py", ".env"):
            reader.read(path, limit=2)
    (root / "changed.py").write_text("new secret = 2\n")
    (root / "gone.py").unlink()
    return root, log


@pytest.mark.slow
def test_text_stands_beside_the_strip_only_where_it_is_still_what_was_read(chromium, project, tmp_path):
    root, log = project
    page_file = tmp_path / "report.html"
    assert main(["report", str(log), "--root", str(root), "-o", str(page_file)]) == 0
    assert "hunter2" not in page_file.read_text() and "new secret" not in page_file.read_text()
    with OpenedPage(chromium, page_file.as_uri()) as page:
        assert tiles(page)["Files read"] == "4"
        assert page.locator("#tiles").inner_text().count("of 3 files in the project") == 1
        said = {}
        for name in ("same.py", "changed.py", "gone.py", "unread.py"):
            page.get_by_role("button", name=name, exact=True).first.click()
            said[name] = page.locator("#text").inner_text()
            page.keyboard.press("Escape")
    assert "<b>two</b>" in said["same.py"] and "three" in said["same.py"]
    assert "has changed since it was read" in said["changed.py"]
    assert "not found below the root" in said["gone.py"]


@pytest.mark.slow
def test_a_record_without_calls_is_a_page(chromium, tmp_path):
    with OpenedPage(chromium, made(tmp_path, []).as_uri()) as page:
        assert tiles(page)["Calls"] == "0"
        assert page.locator("#subtitle").inner_text() == "No calls are recorded yet."
        assert "no call fits" in page.locator("#calls-pager").inner_text()


@pytest.mark.slow
def test_clocks_that_go_back_and_times_that_are_none_are_shown(chromium, tmp_path):
    records = random_records(2, calls=6)
    for record, time in zip(
        records,
        ["2026-05-04T09:00:00.000Z", "2025-01-01T00:00:00.000Z", "", "nonsense", None, "2026-05-04T09:00:00+02:00"],
    ):
        record["time"] = time
    with OpenedPage(chromium, made(tmp_path, records).as_uri()) as page:
        assert "2025-01-01 00:00:00 to 2026-05-04 09:00:00 UTC" in page.locator("#subtitle").inner_text()
        assert sum(row[0] == "no time" for row in rows(page, "calls")) == 3


@pytest.mark.parametrize("size", [LAPTOP, PHONE, (768, 1024), (1920, 1080)])
def test_large_numbers_are_shown_whole(chromium, tmp_path, size):
    records = random_records(4, calls=200)
    for record in records:
        record["tokens"] = 21_054_802
    with OpenedPage(chromium, made(tmp_path, records).as_uri(), size=size) as page:
        assert tiles(page)["Tokens"] == "4,210,960,400"
        cut = "[...document.querySelectorAll('.tile .value, #folder td.number')].filter(e => e.scrollWidth > e.clientWidth).length"
        assert page.evaluate(cut) == 0


@pytest.mark.parametrize(
    "size", [PHONE, *(pytest.param(size, marks=pytest.mark.slow) for size in (LAPTOP, (768, 1024), (1920, 1080)))]
)
def test_the_table_of_a_folder_fits_beside_or_below_the_map(chromium, page_file, size):
    with OpenedPage(chromium, page_file.as_uri(), size=size) as page:
        wide = "(frame => frame.scrollWidth - frame.clientWidth)(document.querySelector('#folder').closest('.scroll'))"
        assert page.evaluate(wide) == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_a_large_record_stays_a_small_document(chromium, tmp_path):
    """However many calls and files there are, the page draws a bounded number of elements."""
    records = random_records(4, calls=30_000, files=6000)
    with OpenedPage(chromium, made(tmp_path, records).as_uri()) as page:
        assert tiles(page)["Calls"] == "30,000"
        page.get_by_role("button", name="a/", exact=True).click()
        assert page.evaluate("document.querySelectorAll('*').length") < 4000
