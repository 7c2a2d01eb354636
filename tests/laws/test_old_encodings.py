"""Old encodings: each language is read as it was written, from a few words on, and the guess is told."""

import pytest

from readwell.text.encoding_detection import detect_encoding
from readwell.text.legacy_encodings import SEVERAL_BYTES, SINGLE_BYTE, detect_legacy
from readwell.text.letter_pairs import TABLE, languages

SENTENCES = {
    "fr": ("Le garçon a mangé une crêpe à la fenêtre.", "cp1252 iso8859-15 cp850 mac-roman"),
    "de": ("Die Bücher stehen über der Tür im größten Zimmer.", "cp1252 iso8859-15 cp850"),
    "es": ("El niño mañana también comerá un plátano más.", "cp1252 cp850 mac-roman"),
    "pt": ("A reunião não começou, porque a estação está fechada.", "cp1252 cp850"),
    "sv": ("Flickan åkte båt över sjön på våren.", "cp1252 cp850"),
    "fi": ("Tämä päivä on hyvin lämmin, eikä tänään sada.", "cp1252"),
    "pl": ("Zażółć gęślą jaźń, a później wróć do domu.", "cp1250 iso8859-2 cp852"),
    "cs": ("Příliš žluťoučký kůň skákal přes potůček.", "cp1250 iso8859-2 cp852"),
    "hu": ("Az őrült fűnyíró később hűvös erdőbe ment.", "cp1250 iso8859-2 cp852"),
    "ro": ("Aceşti copii învaţă să citească în fiecare dimineaţă.", "cp1250 iso8859-2"),
    "lt": ("Šį rytą mažas šuo bėgo per žalią pievą.", "cp1257 iso8859-13"),
    "tr": ("Çocuklar bahçede gün boyu şarkı söylüyordu, yağmur başladı.", "cp1254 cp857"),
    "ru": ("Старый мельник смотрел на воду.", "cp1251 koi8-r iso8859-5 cp866 mac-cyrillic"),
    "uk": ("Її їжак пішов до лісу, щоб знайти гриби.", "cp1251 koi8-u"),
    "bg": ("Днес времето е хубаво и отиваме на разходка.", "cp1251"),
    "el": ("Το πρωί η θάλασσα ήταν ήσυχη και ζεστή.", "cp1253 iso8859-7 cp737"),
    "he": ("הילדים הלכו בבוקר אל בית הספר", "cp1255 iso8859-8"),
    "ar": ("ذهب الأولاد في الصباح إلى المدرسة", "cp1256 iso8859-6"),
    "th": ("วันนี้อากาศดีมาก เราจะไปเดินเล่น", "cp874"),
    "ja": ("今日は天気がいいので、海辺を歩きました。", "cp932 euc_jp"),
    "zh": ("今天天气很好，我们去公园散步。", "gb18030"),
    "zh_TW": ("今天天氣很好，我們去公園散步。", "big5"),
    "ko": ("오늘은 날씨가 좋아서 공원에 갔습니다.", "cp949"),
}


def test_a_table_of_letters_that_iso_encodings_have_elsewhere_is_no_list_of_control_characters():
    rows = ["El símbolo del euro está en la posición A4.", *(f"{sign}\tletra añadida después" for sign in "€ŠšŽžŒœŸ")]
    raw = "\n".join(rows).encode("cp1252")
    assert detect_legacy(raw).codec == "cp1252"


@pytest.mark.parametrize(
    ("language", "codec"), [(name, codec) for name, (_, codecs) in SENTENCES.items() for codec in codecs.split()]
)
def test_one_sentence_is_enough_to_tell_its_encoding(language, codec):
    text = SENTENCES[language][0]
    raw = text.encode(codec)
    found = detect_encoding(raw, True)
    assert (raw.decode(found.codec), found.guess) == (text, "guessed")


@pytest.mark.parametrize("text", ["你好世界", "中文文件", "使用说明", "测试数据", "错误信息", "请稍后再试"])
def test_a_few_words_of_chinese_are_not_taken_for_korean(text):
    raw = text.encode("gbk")
    assert raw.decode(detect_encoding(raw, True).codec) == text


def test_no_break_spaces_alone_swallow_no_letters():
    """They fit the encodings of many languages; the most usual is named."""
    raw = b"one\xa0two and three\xa0four\nfive\xa0six\n"
    found = detect_encoding(raw, True)
    assert (found.codec, raw.decode(found.codec)) == ("cp1252", "one\xa0two and three\xa0four\nfive\xa0six\n")


def test_markup_and_code_do_not_hide_the_language():
    """The lines with other letters decide, not the thousands without."""
    raw = b"int main(void) { return 0; }\n" * 1000 + "// później wróć, zażółć gęślą jaźń\n".encode("iso8859-2")
    assert detect_encoding(raw, True).codec == "iso8859-2"


def test_a_rare_letter_late_in_the_sample_tells_twins_apart():
    """Of encodings that differ in eight characters, by the first word that has one of them."""
    raw = "Le garçon a mangé à la fenêtre.\n".encode("iso8859-15") * 1500 + "Le cœur du bœuf coûte 5 €.\n".encode(
        "iso8859-15"
    )
    assert detect_legacy(raw).codec == "iso8859-15"


@pytest.mark.parametrize("codec", ["cp1250", "koi8-r", "gb18030"])
def test_the_second_best_guess_reads_the_text_otherwise(codec):
    text = {"cp1250": SENTENCES["pl"], "koi8-r": SENTENCES["ru"], "gb18030": SENTENCES["zh"]}[codec][0]
    found = detect_legacy(text.encode(codec))
    assert text.encode(codec).decode(found.runner_up, "replace") != text


def test_bytes_of_no_language_are_not_called_an_encoding():
    raw = bytes((number * 89 + number * number * 7) % 255 + 1 for number in range(4000))
    assert detect_legacy(raw) is None


def test_the_table_is_small_and_names_only_languages_it_has():
    assert TABLE.stat().st_size < 64_000
    spoken = {name for _, _, names in (*SINGLE_BYTE, *SEVERAL_BYTES) for name in names}
    assert spoken == set(languages())


@pytest.mark.parametrize(
    ("text", "codec"), [("1〜2時間です。また明日、会いましょう。", "shift_jis"), ("①番の部屋です。また明日。", "cp932")]
)
def test_japanese_is_read_in_the_standard_where_all_of_it_is_in_it(text, codec):
    raw = text.encode(codec)
    assert raw.decode(detect_encoding(raw, True).codec) == text


@pytest.mark.parametrize("first", [b"", b"name,text\n", "é\n".encode("cp1252")])
def test_a_line_that_is_longer_than_the_sample_tells_its_encoding(first):
    """What stands before it says little; a character of it is cut where the sample ends."""
    raw = first + ("これは日本語の文章です。" * 400).encode("cp932")
    for end in range(len(raw) - 3, len(raw)):
        assert detect_encoding(raw[:end], False).codec == "cp932"
