"""`readwell mcp --ledger`: one record a server, its page over HTTP for those who have the token, and as an MCP App."""

import json
import shutil

import anyio
import httpx2
import pytest
from mcp_serving import HANG, TOKEN, http_server, in_process, make_test_server, on_stdio, over_http

CHROMIUM = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "a.txt").write_text("one\ntwo\nthree\n")
    (folder / ".env").write_text("PASSWORD=hunter2\n")
    return folder


async def call(url, *paths, tool="read"):
    async with over_http(url) as client:
        for path in paths:
            await client.call_tool(tool, {"path": path})


def data_of(page):
    return json.loads(page.split('id="data">')[1].split("</script>")[0])


def test_the_page_needs_the_token_and_its_data_follows_the_calls(root, tmp_path):
    with http_server("--root", root, "--ledger", tmp_path / "ledger") as (_, url):
        check_who_is_let_in(url)
        check_what_is_counted(url)
    (record,) = (tmp_path / "ledger").iterdir()
    assert [json.loads(line)["verdict"] for line in record.read_text().splitlines()] == [
        "read",
        "read",
        "denied",
        "NotFound",
    ]
    assert record.stat().st_mode & 0o777 == 0o600


def check_who_is_let_in(url):
    with httpx2.Client(timeout=HANG) as http:
        page = url.replace("/mcp", "/ledger")
        assert [http.get(page).status_code, http.get(f"{page}/data").status_code] == [401, 401]
        assert http.post(page, data={"token": "wrong"}).status_code == 401
        assert http.get(page, headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert http.get(page, headers={"Cookie": f"readwell-ledger={TOKEN}"}).status_code == 401
        assert http.get(page, headers={**AUTHORIZED, "Host": "evil.example"}).status_code == 421
        assert http.get(page, headers={**AUTHORIZED, "Origin": "http://evil.example"}).status_code == 403
        assert http.put(page, headers=AUTHORIZED).status_code == 405
        assert http.get(page, headers=AUTHORIZED).status_code == 200
        entered = http.post(page, data={"token": TOKEN})
        assert (entered.status_code, entered.headers["location"]) == (303, "/ledger")
        assert TOKEN not in entered.headers["set-cookie"]
        assert http.get(page).status_code == 200
        assert http.get(f"{page}/data").status_code == 200
        cookie = http.cookies["readwell-ledger"]
        answer = http.post(url, headers={"Authorization": f"Bearer {cookie}"}, json={})
        assert answer.status_code == 401


def check_what_is_counted(url):
    with httpx2.Client(timeout=HANG) as http:
        data = url.replace("/mcp", "/ledger/data")
        first = http.get(data, headers=AUTHORIZED).json()
        assert first["views"][0]["calls"] == 0
        anyio.run(call, url, "a.txt", "a.txt", ".env", "missing")
        for _ in range(HANG * 5):
            reply = http.get(data, headers={**AUTHORIZED, "If-None-Match": f'"{first["mark"]}"'})
            if reply.status_code == 200:
                break
        told = reply.json()["views"][0]
        assert (told["calls"], told["files"], told["repeated"]["calls"]) == (4, 1, 1)
        assert told["failures"] == {"ACCESS_DENIED": 1, "NOT_FOUND": 1}
        mark = reply.json()["mark"]
        assert http.get(data, headers={**AUTHORIZED, "If-None-Match": f'"{mark}"'}).status_code == 304
        page = http.get(url.replace("/mcp", "/ledger"), headers=AUTHORIZED).text
        assert "hunter2" not in page
        assert data_of(page)["texts"] == {"0": "one\ntwo\nthree"}


async def read_once(client):
    await client.call_tool("read", {"path": "a.txt"})


@pytest.mark.slow
def test_each_server_keeps_a_record_of_its_own_and_the_audit_file_has_all(root, tmp_path):
    ledger, audit = tmp_path / "ledger", tmp_path / "audit.jsonl"

    async def scene():
        for name in ("one", "two"):
            words = ("--root", root, "--ledger", ledger, "--audit", audit, "--caller", name)
            async with on_stdio(*words) as client:
                await read_once(client)

    anyio.run(scene)
    records = [json.loads(path.read_text()) for path in ledger.iterdir()]
    assert sorted(record["caller"] for record in records) == ["one", "two"]
    assert [json.loads(line)["caller"] for line in audit.read_text().splitlines()] == ["one", "two"]


def test_the_page_is_an_mcp_app_and_the_record_names_the_client(root, tmp_path):
    async def scene():
        async with on_stdio("--root", root, "--ledger", tmp_path / "ledger") as client:
            await read_once(client)
            return await client.list_resources(), await client.read_resource("ui://readwell/ledger")

    listed, page = anyio.run(scene)
    resource, content = listed.resources[-1], page.contents[0]
    assert (str(resource.uri), resource.mime_type) == ("ui://readwell/ledger", "text/html;profile=mcp-app")
    assert content.mime_type == "text/html;profile=mcp-app"
    data = data_of(content.text)
    assert (data["views"][0]["calls"], data["app"]) == (1, True)
    assert "connect-src" not in content.text
    (record,) = (tmp_path / "ledger").iterdir()
    assert json.loads(record.read_text())["caller"] == "mcp"


def test_without_a_ledger_no_app_is_listed(root):
    told = in_process(make_test_server("--root", root), lambda client: client.list_resources()).resources
    assert [str(each.uri).partition(":")[0] for each in told] == ["file"]


def test_a_folder_that_cannot_be_used_is_refused_at_once(root, tmp_path):
    import subprocess

    from mcp_serving import environment, server_command

    (tmp_path / "file").write_text("")
    words = server_command("--root", root, "--ledger", tmp_path / "file" / "ledger")
    done = subprocess.run(
        words, env=environment(), capture_output=True, text=True, timeout=HANG, stdin=subprocess.DEVNULL, check=False
    )
    assert (done.returncode, "the ledger cannot be kept in" in done.stderr) == (2, True)


HOST = """<!doctype html><iframe id=app sandbox="allow-scripts" style="width:900px;height:700px"></iframe><script>
window.heard = [];
addEventListener("message", ({ source, data }) => {
  heard.push(data);
  if (data.method === "ui/initialize") source.postMessage({ jsonrpc: "2.0", id: data.id, result: { protocolVersion: data.params.protocolVersion, hostInfo: { name: "test", version: "1" }, hostCapabilities: {}, hostContext: { theme: "dark" } } }, "*");
});
</script>"""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="NOT TESTED: there is no Chromium here")
def test_in_a_browser_the_page_refreshes_and_the_app_greets_its_host(root, tmp_path):
    driver = pytest.importorskip("playwright.sync_api", reason="NOT TESTED: playwright is not installed")
    with (
        http_server("--root", root, "--ledger", tmp_path / "ledger") as (_, url),
        driver.sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(HANG * 1000)
        page.goto(url.replace("/mcp", "/ledger"))
        page.fill("input", TOKEN)
        page.click("button")
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.locator(".tile .value").first.inner_text() == "0"
        httpx2.post(
            url,
            headers={**AUTHORIZED, "Accept": "application/json, text/event-stream"},
            json={
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "read", "arguments": {"path": "a.txt"}},
            },
            timeout=HANG,
        )
        driver.expect(page.locator(".tile .value").first).to_have_text("1", timeout=HANG * 1000)
        app = httpx2.get(url.replace("/mcp", "/ledger"), headers=AUTHORIZED, timeout=HANG).text
        host = browser.new_page()
        host.set_content(HOST)
        host.evaluate(
            "page => { document.querySelector('#app').srcdoc = page; }",
            app.replace('"live":"ledger/data"', '"app":true'),
        )
        host.wait_for_function("heard.some(each => each.method === 'ui/notifications/size-changed')")
        heard = host.evaluate("heard.map(each => each.method)")
        assert heard[:2] == ["ui/initialize", "ui/notifications/initialized"]
        frame = host.frames[1]
        assert frame.evaluate("document.documentElement.dataset.theme") == "dark"
        browser.close()
