"""ODP: a slide a unit, its title a heading, its notes behind it."""

import pytest

import readwell
from corpus.odp_writer import presentation
from readwell.documents.odp import ODP


def test_slides_have_titles_points_tables_and_notes(tmp_path):
    (tmp_path / "a.odp").write_bytes(presentation(2))
    with readwell.Reader(tmp_path, cache_dir=None) as reader:
        reply = reader.reply({"path": "a.odp"})
        assert reply.text.startswith("[a.odp | odp, 2 slides | ")
        lines = [line.partition("\t")[2] for line in reply.text.split("\n")[1:-1]]
        outline = reader.reply({"path": "a.odp", "view": "outline"}).text
    first = [line for line in lines[: lines.index("<!-- slide 2 -->")] if line]
    assert first == [
        "<!-- slide 1 -->",
        "# Title 1",
        "- first point",
        "| a | b |",
        "| --- | --- |",
        "Notes:",
        "say this",
        '<!-- left out: repeated text "every slide" -->',
    ]
    assert reply.text.count("every slide") == 1
    assert "Title 1" in outline and "Title 2" in outline


@pytest.mark.parametrize("parting", ["<text:s/>", "<text:tab/>", "<text:line-break/>"])
def test_words_of_a_title_and_of_a_footer_that_an_element_parts_stay_apart(parting):
    content = presentation(1, title=f"one{parting}two", footer=f"each{parting}slide")
    told = ODP.open(content, None, b"").markdown(1)
    assert told.startswith("# one two\n") and told.endswith('<!-- left out: repeated text "each slide" -->')
