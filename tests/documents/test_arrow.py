"""Parquet and Arrow are tables in parts: every row can be reached, types are told, damage is typed."""

import random
import struct
from io import BytesIO

import pytest

import readwell

core = pytest.importorskip("arro3.core", reason="the extra data is not installed")
io = pytest.importorskip("arro3.io", reason="the extra data is not installed")


def table(rows):
    names = core.Array([f"name {each}" for each in range(rows)], core.DataType.utf8())
    numbers = core.Array(list(range(rows)), core.DataType.int64())
    return core.Table.from_pydict({"id": numbers, "name": names})


def written(write, rows):
    made = BytesIO()
    write(table(rows), made)
    return made.getvalue()


FILES = {"a.parquet": io.write_parquet, "a.arrow": io.write_ipc}


@pytest.mark.parametrize("name", FILES)
def test_every_row_can_be_reached_part_by_part(tmp_path, name):
    (tmp_path / name).write_bytes(written(FILES[name], 4500))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert f"{name.partition('.')[2]}, 3 parts | " in reader.reply({"path": name, "limit": 1}).text
        shown, at = [], 1
        while at:
            result = reader.read(name, offset=at)
            shown += result.window.lines
            at = result.window.next.line if result.window.next else 0
    assert [line for line in shown if line.startswith("| ") and line[2].isdigit()] == [
        f"| {each} | name {each} |" for each in range(4500)
    ]
    assert "# Table, rows 2,001-4,000 (part 2 of 3)" in shown


@pytest.mark.parametrize("name", FILES)
def test_the_outline_tells_rows_columns_and_types(tmp_path, name):
    (tmp_path / name).write_bytes(written(FILES[name], 3))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        outline = reader.reply({"path": name, "view": "outline"}).text
        text = reader.reply({"path": name}).text
    assert "\ntable 1\t3 rows × 2 columns: id Int64, name Utf8\n[end]" in outline
    assert text.split("\n")[1:] == ["1\t| id | name |", "2\t| --- | --- |", "3\t| 0 | name 0 |", "4\t| 1 | name 1 |", "5\t| 2 | name 2 |", "[end]"]  # fmt: skip


def test_a_text_that_begins_like_parquet_is_a_text(tmp_path):
    (tmp_path / "a.txt").write_text("PAR1 is the first part\n")
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "1\tPAR1 is the first part" in reader.reply({"path": "a.txt"}).text


@pytest.mark.parametrize("name", FILES)
def test_damage_and_false_lengths_are_typed(tmp_path, name):
    whole = written(FILES[name], 300)
    chance = random.Random(name)
    broken = [whole[:-8] + struct.pack("<L", 1 << 30) + whole[-4:], whole[: len(whole) // 2]]
    for _ in range(8):
        flipped = bytearray(whole)
        for _ in range(4):
            flipped[chance.randrange(8, len(flipped) - 6)] ^= chance.randrange(1, 256)
        broken.append(bytes(flipped))
    with readwell.Reader(tmp_path, cache_dir=None, deadline_s=20) as reader:
        for content in broken:
            (tmp_path / name).write_bytes(content)
            reply = reader.reply({"path": name})
            code = reply.data["error"]["code"] if reply.is_error else "read"
            assert code in ("read", "CONVERSION_FAILED", "TOO_LARGE", "DOCUMENT_EMPTY", "BINARY_FILE")


NANOSECONDS = 1_719_837_015_123_456_789
TIMES = {
    "utc": (core.DataType.timestamp("us", tz="UTC"), 1_719_837_015_123_456, "2024-07-01T12:30:15.123456Z"),
    "berlin": (core.DataType.timestamp("ns", tz="Europe/Berlin"), NANOSECONDS, "2024-07-01T14:30:15.123456789+02:00"),
    "no zone": (core.DataType.timestamp("ns"), NANOSECONDS, "2024-07-01T12:30:15.123456789"),
    "lasting": (core.DataType.duration("ns"), 5_000_000_123, "PT5.000000123S"),
    "far": (core.DataType.timestamp("ms"), 10**18, "1000000000000000000 as Timestamp(ms)"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", TIMES)
def test_a_time_is_shown_whole_whatever_its_zone_and_unit(tmp_path, name, kind):
    told, number, shown = TIMES[kind]
    column = core.Array([number, None], core.DataType.int64()).cast(told)
    made = BytesIO()
    FILES[name](core.Table.from_pydict({"at": column}), made)
    (tmp_path / name).write_bytes(made.getvalue())
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert f"\n3\t| {shown} |\n4\t|  |\n" in reader.reply({"path": name}).text


def test_a_single_precision_number_has_the_digits_that_it_was_written_with(tmp_path):
    made = BytesIO()
    column = core.Array([0.1, 2.5], core.DataType.float32())
    io.write_parquet(core.Table.from_pydict({"a": column}), made)
    (tmp_path / "a.parquet").write_bytes(made.getvalue())
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        assert "\n3\t| 0.1 |\n4\t| 2.5 |\n" in reader.reply({"path": "a.parquet"}).text


def test_a_time_of_a_zone_within_a_structure_is_shown_without_the_librarys_frame(tmp_path):
    times = core.Array([NANOSECONDS], core.DataType.int64()).cast(core.DataType.timestamp("ns", tz="UTC"))
    column = core.struct_array([times], fields=[core.Field("at", times.type, nullable=True)])
    made = BytesIO()
    io.write_parquet(core.Table.from_pydict({"a": column}), made)
    (tmp_path / "a.parquet").write_bytes(made.getvalue())
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        text = reader.reply({"path": "a.parquet"}).text
    assert "2024-07-01T12:30:15.123456" in text
    assert "Scalar" not in text
    assert "+---" not in text
