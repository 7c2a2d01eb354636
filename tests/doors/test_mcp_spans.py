"""Spans of OpenTelemetry: one a call, without content, and without a path unless a setting wants it."""

import json
import subprocess
import sys

import httpx2
import pytest
from mcp_serving import HANG, TOKEN, in_process, make_test_server
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def spans(monkeypatch):
    """The spans that are exported while the process has a provider."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    return exporter


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "plan.txt").write_text("a secret plan\n")
    return tmp_path


async def two_calls(client):
    await client.call_tool("read", {"path": "plan.txt", "max_tokens": 100})
    await client.call_tool("read", {"path": "gone.txt"})
    await client.read_resource("file:///nowhere/else.txt")


def test_a_call_is_one_span_with_tool_outcome_and_size_but_neither_content_nor_path(spans, folder):
    in_process(make_test_server("--root", folder), two_calls)
    ended = [each for each in spans.get_finished_spans() if each.instrumentation_scope.name == "readwell"]
    first, second, third = ended
    assert [each.name for each in ended] == ["tools/call read", "tools/call read", "resources/read read"]
    attributes = dict(first.attributes)
    assert attributes.pop("readwell.reply.bytes") > 20 and attributes.pop("readwell.reply.tokens") > 5
    assert attributes == {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "read",
        "readwell.dialect": "native",
        "readwell.outcome": "ok",
    }
    assert (first.status.status_code, second.status.status_code) == (StatusCode.UNSET, StatusCode.ERROR)
    assert second.attributes["readwell.outcome"] == second.attributes["error.type"] == "NotFound"
    assert third.attributes["readwell.outcome"] == "AccessDenied"
    of_client = [each.context.span_id for each in spans.get_finished_spans() if each not in ended]
    assert first.parent.span_id in of_client  # the client of the SDK makes spans, too
    told = json.dumps([json.loads(each.to_json()) for each in ended])
    assert not any(word in told for word in ("plan", "gone", "secret", "nowhere"))


def test_a_setting_puts_paths_into_spans(spans, folder):
    in_process(make_test_server("--root", folder, "--span-paths"), two_calls)
    ended = [each for each in spans.get_finished_spans() if each.instrumentation_scope.name == "readwell"]
    assert [each.attributes["readwell.path"] for each in ended] == ["plan.txt", "gone.txt", "file:///nowhere/else.txt"]


@pytest.mark.slow
def test_without_a_provider_nothing_of_it_is_loaded_or_made(folder):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from mcp_serving import in_process, make_test_server\n"
        "async def call(client): return await client.call_tool('read', {'path': 'plan.txt'})\n"
        "assert 'secret plan' in str(in_process(make_test_server('--root', sys.argv[2]), call))\n"
        "print('readwell.doors.mcp.telemetry_spans' in sys.modules, 'opentelemetry.sdk' in sys.modules)"
    )
    command = [sys.executable, "-c", code, __file__.rpartition("/")[0], str(folder)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
    assert ran.stdout.split() == ["False", "False"], ran.stderr


PROVIDED = """
import sys
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=open(sys.argv[1], "w"))))
trace.set_tracer_provider(provider)
from readwell.doors.cli import main
sys.exit(main(sys.argv[2:]))
"""


def test_a_server_over_http_makes_spans_below_the_trace_of_the_request(folder, tmp_path_factory):
    from mcp_serving import http_server

    told = tmp_path_factory.mktemp("spans") / "spans.json"
    words = [
        sys.executable,
        "-c",
        PROVIDED,
        told,
        "mcp",
        "--root",
        folder,
        "--http",
        "127.0.0.1:0",
        "--token-env",
        "TOKEN",
    ]
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "read", "arguments": {"path": "plan.txt"}},
    }
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "traceparent": PARENT,
    }
    with http_server(command=list(map(str, words))) as (_, url):
        assert httpx2.post(url, json=body, headers=headers, timeout=HANG).status_code == 200
    text = told.read_text()
    assert '"tools/call read"' in text and f'"parent_id": "0x{PARENT.split("-")[2]}"' in text and "plan" not in text
