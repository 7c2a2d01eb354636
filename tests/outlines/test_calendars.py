"""Calendars and cards are text with structure: a row a component, a block around a line. Mail may be in UTF-16."""

import pytest

import readwell

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
SUMMARY;LANGUAGE=en:Dentist
DTSTART;TZID=Europe/Berlin:20260102T100000
END:VEVENT
BEGIN:VTODO
SUMMARY:Buy milk
END:VTODO
END:VCALENDAR
"""


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "a.ics").write_text(CALENDAR)
    (tmp_path / "a.vcf").write_text("BEGIN:VCARD\nFN:Ann Example\nEND:VCARD\nBEGIN:VCARD\nitem1.FN:Bob\n")
    (tmp_path / "a.eml").write_bytes("From: a@example.com\nSubject: Größe\n\nthe text\n".encode("utf-16"))
    with readwell.Reader(tmp_path, cache_dir=None) as opened:
        yield opened


def test_components_are_rows(reader):
    assert reader.reply({"path": "a.ics", "view": "outline"}).text.split("\n")[1:] == [
        "1-10\tVCALENDAR",
        '3-6\t  VEVENT "Dentist" 20260102T100000',
        '7-9\t  VTODO "Buy milk"',
        "[end]",
    ]
    assert reader.reply({"path": "a.vcf", "view": "outline"}).text.split("\n")[1:] == [
        '1-3\tVCARD "Ann Example"',
        '4-5\tVCARD "Bob"',
        "[end]",
    ]


def test_components_are_told_thirty_two_levels_deep(reader, tmp_path):
    (tmp_path / "deep.ics").write_text("".join(f"BEGIN:X{level}\n" for level in range(1, 34)))
    rows = reader.reply({"path": "deep.ics", "view": "outline"}).data["outline"]
    assert [(row["start"], row["end"], row["label"]) for row in rows] == [
        (level, 33, f"X{level}") for level in range(1, 33)
    ]


def test_the_block_around_a_line_is_its_component(reader):
    assert (
        'lines 3-6 of 10 (VEVENT "Dentist" 20260102T100000 in VCALENDAR)'
        in reader.reply({"path": "a.ics", "view": "block", "offset": 4}).text
    )


def test_mail_in_utf_16_is_read(reader):
    text = reader.reply({"path": "a.eml", "view": "markdown"}).text
    assert "# Größe" in text and "the text" in text


def test_components_that_lie_too_deep_end_none_of_those_around_them(tmp_path):
    deep = 40
    lines = ["BEGIN:VCALENDAR", *["BEGIN:A"] * deep, "SUMMARY:of the innermost", *["END:A"] * deep, "END:VCALENDAR"]
    (tmp_path / "deep.ics").write_text("\n".join(lines))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        rows = reader.reply({"path": "deep.ics", "view": "outline"}).text.split("\n")[1:-1]
    assert rows[0] == f"1-{len(lines)}\tVCALENDAR"
    assert [row.partition("\t")[0] for row in rows[1:]] == [f"{n + 2}-{len(lines) - n - 1}" for n in range(31)]
    assert not any("innermost" in row for row in rows)
