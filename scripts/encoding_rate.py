"""Measures how often text in an old encoding is detected correctly, on the half not used for the table.

    python scripts/encoding_rate.py FOLDER [--uchardet libuchardet.so.0]    # see scripts/translated_text.py

The other half is counted with `--training`.
"""

import argparse
import ctypes
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from letter_pairs import with_tones_apart
from translated_text import TRAINING, UNSEEN, texts

from readwell.text.legacy_encodings import detect_legacy

ENCODINGS = {
    **dict.fromkeys("fr de es pt it nl sv da nb fi is ca".split(), "cp1252 iso8859-15"),
    **dict.fromkeys("pl cs sk hu sl hr ro".split(), "cp1250 iso8859-2"),
    **dict.fromkeys("lt lv et".split(), "cp1257 iso8859-13"),
    **dict.fromkeys("ru uk bg sr mk be".split(), "cp1251 iso8859-5"),
    "el": "cp1253 iso8859-7",
    "tr": "cp1254",
    "he": "cp1255 iso8859-8",
    "ar": "cp1256 iso8859-6",
    "fa": "cp1256",
    "th": "cp874",
    "vi": "cp1258",
    "ja": "cp932 euc_jp",
    "zh_CN": "gb18030",
    "zh_TW": "big5",
    "ko": "cp949",
}
LENGTHS = (20, 50, 100, 500, 2000, 10_000)
SAMPLES = 4
MAX_TEXT = 2_000_000
CEDILLAS = str.maketrans("șțȘȚ", "şţŞŢ")

Detector = Callable[[bytes], str]


def main() -> None:
    """Prints the share of right texts, by language and by length."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--uchardet", help="a library to compare with")
    parser.add_argument("--training", action="store_true")
    options = parser.parse_args()
    detectors: dict[str, Detector] = {"readwell": ours}
    if options.uchardet:
        detectors["uchardet"] = uchardet(options.uchardet)
    right: dict[object, list[list[bool]]] = defaultdict(list)
    found = texts(options.folder, TRAINING if options.training else UNSEEN, MAX_TEXT)
    for language, length, codec, raw in samples(found):
        verdicts = [reads_the_same(raw, codec, detector(raw)) for detector in detectors.values()]
        for key in (language, length, "all"):
            right[key].append(verdicts)
    print("", *detectors, sep="\t")
    for key, verdicts in right.items():
        print(key, *(f"{100 * sum(column) / len(column):.1f}" for column in zip(*verdicts, strict=True)), sep="\t")


def samples(found: dict[str, str]) -> Iterator[tuple[str, int, str, bytes]]:
    """Yields pieces of text in each of its encodings, with letters beyond ASCII and without those it does not have."""
    chance = random.Random(1)
    for language, codecs in ENCODINGS.items():
        for codec in codecs.split():
            text = encodable(found[language], language, codec)
            for length in LENGTHS * SAMPLES:
                start = text.find("\n", chance.randrange(len(text) // 2)) + 1
                raw = text[start : start + length].encode(codec)
                if not raw.isascii():
                    yield language, length, codec, raw


def encodable(text: str, language: str, codec: str) -> str:
    """Returns the lines of a text that an encoding can represent."""
    if language == "vi":
        text = with_tones_apart(text)
    lines = text.translate(CEDILLAS).split("\n")
    return "\n".join(line for line in lines if line.encode(codec, "ignore").decode(codec) == line)


def reads_the_same(raw: bytes, codec: str, name: str) -> bool:
    """Whether a text reads in one encoding as in the other."""
    try:
        return raw.decode(name) == raw.decode(codec)
    except (LookupError, UnicodeDecodeError):
        return False


def ours(raw: bytes) -> str:
    """Returns the encoding that readwell detects."""
    found = detect_legacy(raw)
    return found.codec if found else "utf-8"


def uchardet(library: str) -> Detector:
    """Returns the detector of another library, for comparison."""
    calls = ctypes.CDLL(library)
    calls.uchardet_new.restype = ctypes.c_void_p
    calls.uchardet_get_charset.restype = ctypes.c_char_p

    def detect(raw: bytes) -> str:
        handle = ctypes.c_void_p(calls.uchardet_new())
        calls.uchardet_handle_data(handle, raw, ctypes.c_size_t(len(raw)))
        calls.uchardet_data_end(handle)
        name: bytes = calls.uchardet_get_charset(handle)
        calls.uchardet_delete(handle)
        return name.decode() or "utf-8"

    return detect


if __name__ == "__main__":
    main()
