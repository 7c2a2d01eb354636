"""List items and listings."""

from made_lines import line, lines, profile, table

from readwell.documents.pdf.page_model import RulingLine, Rulings
from readwell.documents.pdf.page_text.code_listings import code_block, without_code
from readwell.documents.pdf.page_text.page_markdown import PageHints, page_markdown

NOTHING = PageHints((), {}, {})


def written(*shown, known=None):
    return page_markdown(list(shown), [], known or profile(), NOTHING)


def test_bullets_become_those_of_markdown_and_numbers_stay():
    shown = lines("• oil", "◦ bread", "– Salt", "\uf0b7 water", "1. climb", "(a) look", "* seen from the east")
    expected = ["- oil", "- bread", "- Salt", "- water", "1. climb", "(a) look", "* seen from the east"]
    assert written(*shown) == "\n".join(expected)


def item(text, y, x):
    return line(text, y, x=x)


def test_marks_that_are_drawn_after_all_texts_stand_before_theirs():
    texts = [item("oil of olives", 100, 90), item("and of colza", 112, 90), item("bread and salt", 124, 90)]
    marks = [item("•", 100, 76), item("•", 112, 76), item("2.", 124, 76)]
    assert written(*texts, line("The end of it.", 150), *marks) == (
        "- oil of olives\n- and of colza\n2. bread and salt\nThe end of it."
    )


def test_the_number_of_a_formula_and_far_marks_stay_where_they_are():
    shown = [item("(3)", 100, 76), item("•", 112, 30), item("text of a column", 100, 96), item("and more", 112, 96)]
    assert written(*shown).startswith("(3)\n")
    assert "- " not in written(*shown)


def test_a_sign_without_a_name_before_several_lines_is_a_bullet():
    shown = [item("\x88 oil", 100, 72), item("\x88 bread that is", 112, 72), item("\x88 salt", 124, 72)]
    assert written(*shown) == "- oil\n- bread that is\n- salt"
    assert written(item("\x88 oil", 100, 72), item("bread", 112, 72)).startswith("\ufffd oil")


def test_bullets_further_to_the_right_are_nested():
    shown = [
        item("• oil", 100, 72),
        item("– of colza", 112, 90),
        item("– of olives", 124, 90),
        item("pressed twice", 136, 98),
        item("▪ from the south", 148, 108),
        item("• bread", 160, 72),
        item("– of rye", 172, 90),
    ]
    expected = [
        "- oil",
        "  - of colza",
        "  - of olives",
        "pressed twice",
        "    - from the south",
        "- bread",
        "  - of rye",
    ]
    assert written(*shown) == "\n".join(expected)


def test_a_list_in_another_column_or_behind_a_text_starts_anew():
    columns = [item("• oil", 100, 72), item("• bread", 100, 330), item("• salt", 112, 330)]
    apart = [item("• oil", 100, 72), item("and a text that is further to the left", 112, 60), item("• bread", 124, 90)]
    assert written(*columns) == "- oil\n- bread\n- salt"
    assert written(*apart) == "- oil\nand a text that is further to the left\n- bread"


def test_a_dash_inside_a_sentence_is_no_bullet_though_it_starts_a_line():
    shown = lines("The smaller lights", "- the northern ones - are low", "and so it goes")
    assert written(*shown) == "The smaller lights\n\\- the northern ones - are low and so it goes"


def test_dashes_before_small_letters_are_bullets_behind_a_colon_and_behind_each_other():
    shown = lines("He has:", "– oil that was", "bought in spring", "– bread")
    assert written(*shown) == "He has:\n- oil that was bought in spring\n- bread"


def test_a_dash_that_a_table_has_in_its_cells_is_explained_and_no_bullet():
    below, cells = line("— Not available.", 140), lines("1996 31 —", y=100)
    assert page_markdown([*cells, below], [table(["1996", "31", "—"], of=cells)], profile(), NOTHING).endswith(
        "— Not available."
    )
    assert page_markdown([*cells, below], [table(["1996", "31", "–"], of=cells)], profile(), NOTHING).endswith(
        "- Not available."
    )


def test_a_bullet_glued_to_its_text_is_one_all_the_same():
    assert written(line("•oil for the lamp")) == "- oil for the lamp"


def test_a_dash_without_a_space_is_no_bullet():
    assert written(line("–5 degrees")) == "–5 degrees"


def test_a_bullet_that_was_read_as_a_line_of_its_own_joins_the_text_beside_it():
    assert written(line("•", 100, x=72), line("oil for the lamp", 100, x=84)) == "- oil for the lamp"


def test_a_bullet_above_a_text_stays_where_it_is():
    assert written(line("•", 100), line("oil for the lamp", 130)) == "•\noil for the lamp"


def test_the_round_bullet_of_word_processors_is_an_o_in_a_typewriter_font():
    o, text = line("o", 100, mono=True), line("oil for the lamp", 100, x=90)
    item = text._replace(words=[*o.words, *text.words], text="o oil for the lamp")
    assert written(item) == "- oil for the lamp"
    assert written(line("o mare")) == "o mare"


def test_an_o_in_a_typewriter_font_with_nothing_behind_it_is_text():
    assert written(line("o", mono=True)) == "o"


def test_two_typewritten_lines_are_a_listing_with_its_indentation():
    shown = [line("def light():", 100, mono=True), line("return oil", 112, x=72 + 4 * 6, mono=True)]
    assert written(*shown) == "```\ndef light():\n    return oil\n```"


def test_one_typewritten_line_is_text():
    assert written(line("make test", mono=True)) == "make test"


def test_a_listing_of_signs_is_indented_by_the_size_of_its_first_line():
    signs = [line("{", 100, mono=True), line("}", 112, x=84, size=20, mono=True)]
    assert code_block(signs) == ["```", "{", "  }", "```"]


def test_wide_gaps_and_empty_lines_in_a_listing_are_kept():
    first, second, third = lines("oil      3", "bread    1", "salt     2", mono=True)
    below = line("all      6", third.baseline + 24, mono=True)
    assert code_block([first, second, third, below]) == [
        "```",
        "oil      3",
        "bread    1",
        "salt     2",
        "",
        "all      6",
        "```",
    ]


def test_nothing_in_a_listing_can_close_its_fence():
    assert code_block(lines("```", "````x", mono=True)) == ["`````", "```", "````x", "`````"]


def test_an_anchor_in_a_listing_does_not_look_like_one_of_ours():
    assert code_block(lines("<!-- page 3 -->", "text", mono=True))[1] == "\\<!-- page 3 -->"


def test_a_typewritten_document_is_no_listing():
    shown = lines("all of this", "is typewritten", mono=True)
    assert written(*shown, known=profile(mono_body=True)) == "all of this\nis typewritten"


def test_a_listing_ends_at_a_heading():
    head = line("Usage", 130, mono=True, size=14)
    shown = [*lines("first", "second", mono=True), head, *lines("third", "fourth", y=160, mono=True)]
    expected = "```\nfirst\nsecond\n```\n\n# Usage\n\n```\nthird\nfourth\n```"
    assert written(*shown, known=profile(levels={14.0: 1})) == expected


def test_a_listing_is_not_looked_at_for_tables_but_a_typewritten_line_is():
    listing, text, alone = lines("a = 1", "b = 2", mono=True), line("and then", 130), line("c = 3", 142, mono=True)
    assert without_code([*listing, text, alone], Rulings([], [], [])) == [text, alone]


def drawn(*xs, top=88.0, bottom=146.0):
    """The ruling lines of a table with rows of 14 points."""
    across = [RulingLine(y, xs[0], xs[-1]) for y in (top, 104.0, bottom)]
    return Rulings(across, [RulingLine(x, top, bottom) for x in xs], [])


def test_typewritten_cells_of_a_drawn_table_are_no_listing():
    head, cells = line("Call", 100), lines("open", "close", "end", y=116, mono=True)
    table = drawn(70.0, 150.0, 300.0)
    assert without_code([head, *cells], table) == [head, *cells]
    assert without_code([head, *cells], drawn(70.0, 300.0)) == [head]  # a frame
    assert without_code(cells, table) == []  # nothing in another font: a numbered listing has a line beside it, too
    above = line("Calls", 80)
    assert without_code([above, *cells], table) == [above]


def test_a_cell_of_a_drawn_table_may_hold_a_listing():
    head, cells = line("Call", 100), lines("a", "b", "c", "d", "e", y=116, mono=True)
    assert without_code([head, *cells], drawn(70.0, 150.0, 300.0, bottom=180.0)) == [head]
    assert without_code([head, *cells[:4]], drawn(70.0, 150.0, 300.0, bottom=180.0)) == [head, *cells[:4]]


def test_typewritten_rows_across_the_walls_of_an_open_table_are_no_listing():
    head, rows = line("Call      Code", 100), lines("open      1", "close     2", y=116, mono=True)
    walls = [RulingLine(x, 88.0, 146.0) for x in (100.0, 120.0, 140.0)]
    assert without_code([head, *rows], Rulings([], walls, [])) == [head, *rows]
    assert without_code([head, *rows], Rulings([], walls[:2], [])) == [head]
