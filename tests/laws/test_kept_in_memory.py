"""What is kept in memory between reads has bounds, which are reached exactly: the oldest goes, and what is left stays."""

from array import array

from memory_source import MemorySource
from readwell.documents import unit_cache
from readwell.documents.unit_cache import UNKNOWN, UnitCache, UnitTable
from readwell.errors import ConversionFailed
from readwell.source import IdentityCache
from readwell.source.identity_cache import MAX_FILES


def table(units):
    return UnitTable("page", units, array("i", [UNKNOWN]))


def test_the_values_of_256_files_are_kept():
    cache, computed = IdentityCache(), []
    files = [MemorySource(str(number), b"x") for number in range(MAX_FILES + 1)]
    for source in [*files[:-1], files[0], files[-1], files[0], files[2], files[1]]:
        cache.get(source, lambda each: computed.append(each.name))
    assert computed == [*(each.name for each in files), "1"]


def test_tables_are_shared_until_their_units_are_too_many():
    cache = UnitCache(None)
    first, second = table(unit_cache.MAX_UNITS_IN_TABLES - 1), table(1)
    assert (cache.setdefault_table(b"a", first), cache.setdefault_table(b"b", second)) == (first, second)
    assert cache.setdefault_table(b"a", table(1)) is first and cache.table(b"b") is second
    third = cache.setdefault_table(b"c", table(1))
    assert (cache.table(b"a"), cache.table(b"b"), cache.table(b"c")) == (first, None, third)


def test_the_table_of_a_document_of_very_many_units_is_kept_alone():
    cache = UnitCache(None)
    large = table(unit_cache.MAX_UNITS_IN_TABLES + 1)
    assert cache.setdefault_table(b"a", table(1)) and cache.setdefault_table(b"b", large) is large
    assert (cache.table(b"a"), cache.table(b"b")) == (None, large)


def test_units_are_kept_up_to_a_sum_of_bytes_and_one_larger_entry_beside_them(monkeypatch):
    monkeypatch.setattr(unit_cache, "MAX_IN_MEMORY", 20)
    cache = UnitCache(None)
    for group in range(3):
        cache.keep_units(b"a", group, ["123456"])  # ten bytes with its brackets and quotes
    assert [cache.units(b"a", group) for group in range(3)] == [None, ["123456"], ["123456"]]
    cache.keep_units(b"b", 0, ["large" * 9])
    assert cache.units(b"b", 0) == ["large" * 9] and cache.units(b"a", 1) == ["123456"]
    cache.keep_units(b"c", 0, ["larger" * 9])
    assert cache.units(b"b", 0) is None and cache.units(b"c", 0) and (cache.hits, cache.misses) == (5, 2)


def test_a_failure_is_kept_for_its_time_and_256_of_them():
    cache, error = UnitCache(None), ConversionFailed("pdf", "it is damaged")
    until = 100 + unit_cache.RETRY_AFTER_S
    for number in range(unit_cache.MAX_FAILURES):
        cache.keep_failure(b"%d" % number, 100, error)
    assert cache.recent_failure(b"0", until - 1).args == error.args and cache.recent_failure(b"0", until) is None
    cache.keep_failure(b"last", 100, error)
    assert (cache.recent_failure(b"0", 100), cache.recent_failure(b"1", 100).args) == (None, error.args)


def test_a_thousand_pages_stay_until_they_are_read():
    cache = UnitCache(None)
    most = unit_cache.MAX_PAGES_IN_MEMORY
    assert (cache.can_hold(most), cache.can_hold(most + 1), most) == (True, False, 1000)
