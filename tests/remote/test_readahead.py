"""In which ranges an object is read in order."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from remote_roots import deadline

from readwell.remote.readahead import Readahead

MIB = 1 << 20


@pytest.fixture
def reading():
    """Returns a function that makes what reads an object of so many bytes, and the ranges that it asks for."""
    with ThreadPoolExecutor(1) as executor:

        def of(size):
            ranges = []

            def fetch(start, count, _):
                ranges.append((start, count))
                return bytes([start % 251]) * count

            def asked():
                executor.submit(int).result()  # what was ordered before is there then
                return ranges

            return Readahead(fetch, size, deadline(), executor), asked

        yield of


def test_the_first_range_is_short_and_alone_and_then_four_longer_ones_are_under_way(reading):
    ahead, asked = reading(64 * MIB)
    assert len(ahead.bytes_from(0)) == MIB
    assert asked() == [(0, MIB)]
    assert len(ahead.bytes_from(MIB)) == 2 * MIB
    assert len(ahead.bytes_from(2 * MIB)) == MIB
    assert len(ahead.bytes_from(15 * MIB)) == 8 * MIB
    ahead.bytes_from(23 * MIB)
    sizes = [1, 2, 4, 8, 8, 8, 8, 8, 8]
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    assert asked() == [(start * MIB, size * MIB) for start, size in zip(starts, sizes, strict=True)]
    assert ahead.holds(23 * MIB) and ahead.holds(55 * MIB - 1)
    assert not ahead.holds(55 * MIB) and not ahead.holds(23 * MIB - 1)


def test_another_place_begins_with_a_short_range_again(reading):
    ahead, asked = reading(5 * MIB + 7)
    ahead.bytes_from(0)
    ahead.bytes_from(MIB)
    assert ahead.bytes_from(4 * MIB)[0] == (3 * MIB) % 251
    assert len(ahead.bytes_from(5 * MIB + 5)) == 2
    ahead.close()
    assert len(ahead.bytes_from(MIB + 3)) == MIB
    assert asked()[-1] == (MIB + 3, MIB)
    assert asked()[:3] == [(0, MIB), (MIB, 2 * MIB), (3 * MIB, 2 * MIB + 7)]
