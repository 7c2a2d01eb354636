"""Real documents through a real client: a long conversion tells how far it is, and ends when nobody waits for it."""

import os
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp_serving import ERAS, http_server, on_stdio, over_http

from corpus.pdf_writer import Page, pdf

LEAF, BOOK, TOME = 1, 500, 6000
LINES = 40
SOON_S = 15
"""Far less than a tome takes, and far more than a cancelled conversion lives on."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="NOT TESTED: processes are looked up in /proc"),
]


def printed(number):
    page = Page()
    for line in range(1, LINES + 1):
        page.text(72, 740 - 16 * line, f"page {number} line {line} of a book that takes its time", size=12)
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("documents")
    pages = list(map(printed, range(1, BOOK + 1)))
    for name, count in (("leaf", LEAF), ("book", BOOK), ("tome", TOME)):
        (root / f"{name}.pdf").write_bytes(pdf(*(pages[number % BOOK] for number in range(count))))
    return root


def whole(name):
    """Counting the lines of a document needs all of its pages."""
    return {"path": name, "total": "exact"}


@asynccontextmanager
async def served(transport, folder, era):
    words = ["--root", folder, "--cache-dir", ""]
    if transport == "stdio":
        async with on_stdio(*words, era=era) as client:
            yield client
    else:
        with http_server(*words) as (_, url):
            async with over_http(url, era) as client:
                yield client


def descendants():
    """Returns the processes that this one has started, and those that they have."""
    parents = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            parents[int(name)] = int(parent)
    family = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family - {os.getpid()}


async def ended(processes):
    """Waits until none of the processes is there any more."""
    with anyio.fail_after(SOON_S):
        while any(os.path.exists(f"/proc/{number}") for number in processes):
            await anyio.sleep(0.05)


WAYS = [("stdio", ERAS[0]), ("http", ERAS[1])]


@pytest.mark.parametrize("transport, era", WAYS)
def test_a_long_conversion_tells_how_far_it_is(folder, transport, era):
    told = []

    async def note(*word):
        told.append(word)

    async def talk():
        async with served(transport, folder, era) as client:
            return await client.call_tool("read", whole("book.pdf"), progress_callback=note)

    result = anyio.run(talk)
    assert (result.is_error, result.meta["readwell/data"]["pages"]["total"]) == (False, BOOK)
    assert len(told) >= 2
    assert [done for done, _, _ in told] == sorted({done for done, _, _ in told})
    assert {(total, what) for _, total, what in told} == {(BOOK, "convert")}


@pytest.mark.parametrize("transport, era", [*WAYS, ("stdio", ERAS[1])])
def test_a_cancelled_conversion_leaves_no_process_behind(folder, transport, era):
    """The process that conversions are forked from stays for the next one, and ends with the server."""
    before = descendants()

    async def talk():
        async with served(transport, folder, era) as client:
            assert not (await client.call_tool("read", {"path": "leaf.pdf"})).is_error
            lasting = descendants()
            converting = await cancelled_amid(client) - lasting
            assert converting
            await ended(converting)
            assert not (await client.call_tool("read", {"path": "leaf.pdf"})).is_error
        await ended(lasting - before)

    anyio.run(talk)


async def cancelled_amid(client):
    """Cancels a conversion that has told of its progress; returns the processes that were there then."""
    seen = set()
    async with anyio.create_task_group() as tasks:

        async def note(*_word):
            seen.update(descendants())
            tasks.cancel_scope.cancel()

        await client.call_tool("read", whole("tome.pdf"), progress_callback=note)
        raise AssertionError("the conversion came to its end")
    return seen
