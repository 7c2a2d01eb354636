"""Encodings without a mark, in escapes, and mixed: recognised or told, and what was guessed can be overruled."""

import pytest

import readwell

WIDE = {
    "russian": "Привет, мир!\nКак дела сегодня?\n",
    "chinese": "今天天气很好，我们去公园。\n中文文件\n",
    "japanese": "今日は天気がいい。\n海辺を歩きました。\n",
    "greek": "Το πρωί η θάλασσα ήταν ήσυχη.\nΚαλημέρα σε όλους.\n",
    "arabic": "ذهب الأولاد في الصباح\nإلى المدرسة\n",
    "persian": "گرفتن عکس از صفحه\nتوسعه\u200cدهندگان\n",
    "english": "Hello, world\nhow are you?\n",
}


def replied(folder, content, **params):
    (folder / "a.txt").write_bytes(content)
    with readwell.Reader(root=folder) as reader:
        return reader.reply({"path": "a.txt", **params})


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("language", WIDE)
def test_wide_text_needs_no_mark_in_any_language(tmp_path, language, codec):
    reply = replied(tmp_path, WIDE[language].encode(codec))
    first, second = WIDE[language].split("\n")[:2]
    assert f"1\t{first}\n2\t{second}\n" in reply.text
    assert reply.data["encoding"] == codec


def test_utf8_behind_the_sample_outweighs_a_stray_byte(tmp_path):
    raw = b"caf\xe9\n" + b"plain line\n" * 7000 + "élève à côté\n".encode() * 40
    first, last = replied(tmp_path, raw, limit=2), replied(tmp_path, raw, offset=-1)
    assert "first in line 1; damaged, or encodings are mixed: encoding= reads another]" in first.text
    assert "\télève à côté\n" in last.text


def test_lines_of_utf8_in_a_text_of_another_encoding_are_named(tmp_path):
    raw = "Déjà à l'école, près du café.\n".encode("cp1252") * 30 + "élève à côté\n".encode() * 2
    reply = replied(tmp_path, raw, offset=-3)
    assert reply.data["encoding"] == "cp1252"
    assert "[note: encodings are mixed: UTF-8 in lines 31, 32; encoding=utf-8 reads it]" in reply.text
    assert "\télève à côté\n" in replied(tmp_path, raw, offset=-3, encoding="utf-8").text


@pytest.mark.parametrize("count", [2, 3])
def test_a_line_of_few_double_bytes_may_be_utf8_by_chance(tmp_path, count):
    raw = WIDE["chinese"].encode("gb18030") * 20 + "С".encode() * count + b"\n"
    reply = replied(tmp_path, raw, offset=-1)
    assert reply.data["encoding"] == "gb18030" and f"41\t{'小' * count}\n" in reply.text
    assert ("[note: encodings are mixed: UTF-8 in line 41;" in reply.text) == (count >= 3)


def test_a_guess_names_the_runner_up(tmp_path):
    text = replied(tmp_path, "Zażółć gęślą jaźń, a później wróć.\n".encode("cp1250")).text
    assert "[note: encoding guessed: cp1250; if letters look wrong, try encoding=" in text


def test_japanese_in_escapes_is_recognised_and_can_be_asked_for(tmp_path):
    text = "日本語のテキストです。\nplain\nもう一行あります。\n"
    guessed = replied(tmp_path, text.encode("iso2022_jp"))
    asked = replied(tmp_path, text.encode("iso2022_jp"), encoding="ISO-2022-JP", offset=3)
    assert "1\t日本語のテキストです。\n2\tplain\n3\tもう一行あります。\n" in guessed.text
    assert "[note: encoding guessed: iso2022_jp" in guessed.text
    assert "3\tもう一行あります。\n" in asked.text


def test_a_long_line_in_escapes_goes_on_where_it_was_cut(tmp_path):
    line = "日本語のテキストです。" * 9000
    raw = f"{line}\nend\n".encode("iso2022_jp")
    reply = replied(tmp_path, raw, column=80_001, max_tokens=256, encoding="iso2022_jp")
    assert reply.text.split("\n")[1].startswith(f"1@80001\t{line[80_000:80_020]}")


def test_utf7_is_told_and_can_be_asked_for(tmp_path):
    raw = "Das Café schließt früh\n".encode("utf-7")
    assert "[note: may be utf-7: encoding=utf-7 reads it so]" in replied(tmp_path, raw).text
    assert "1\tDas Café schließt früh\n" in replied(tmp_path, raw, encoding="utf-7").text


def test_utf7_spells_no_line_ends_and_no_halves_of_characters(tmp_path):
    reply = replied(tmp_path, b"a+AAo-[end]+2AA-\nb\n", encoding="utf-7")
    assert reply.text.split("\n")[1:3] == ["1\ta\ufffd[end]\ufffd", "2\tb"]


@pytest.mark.parametrize(
    "plain", ["+import foo-bar\n+abc-def\n", "a+b-c = x+1234-y\n", "C++ and +foo-\n", "+ICg-", "a +AAo- b\n"]
)
def test_plain_text_with_signs_is_not_called_utf7(tmp_path, plain):
    assert "utf-7" not in replied(tmp_path, plain.encode()).text
