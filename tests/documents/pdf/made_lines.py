"""Makes lines, tables and profiles as they would be read from a page, without a PDF."""

from itertools import count

from readwell.documents.pdf.document_facts.profile import Profile
from readwell.documents.pdf.document_facts.running_lines import PageLines
from readwell.documents.pdf.page_content.text_lines import line_of
from readwell.documents.pdf.page_model import Font, Table, Word

CHAR_INDEXES = count()


def line(text, y=100.0, x=72.0, size=10.0, bold=False, mono=False, font="Times", angle=0.0):
    """A line with its baseline at y from the top; each character is half an em wide (six tenths in a mono font)."""
    setting = Font(size, bold, mono, False, font, angle)
    advance = (0.6 if mono else 0.5) * size
    words, number = [], next(CHAR_INDEXES)
    for part in text.split(" "):
        if part:
            end = x + advance * len(part)
            words.append(Word(part, x, y - 0.75 * size, end, y + 0.22 * size, y, setting, number, next(CHAR_INDEXES)))
        x += advance * (len(part) + 1)
    return line_of(words)


def lines(*texts, y=100.0, size=10.0, **setting):
    """Lines one below the other."""
    return [line(text, y + 1.2 * size * number, size=size, **setting) for number, text in enumerate(texts)]


def page(*shown, number=1):
    """A page of letter size with these lines."""
    return PageLines(number, 612.0, 792.0, list(shown))


def table(*rows, of):
    """A table that owns the words of these lines."""
    words = [word for item in of for word in item.words]
    box = min(w.x0 for w in words), min(w.top for w in words), max(w.x1 for w in words), max(w.bottom for w in words)
    return Table([list(row) for row in rows], frozenset(word.char_index for word in words), box)


def profile(**known):
    """A profile of a document in Times of 10 points that knows nothing else."""
    nothing = {
        "body": 10.0,
        "bold_body": False,
        "mono_body": False,
        "main_font": "Times",
        "rare_fonts": frozenset(),
        "labels": frozenset(),
        "levels": {},
        "titled": False,
        "running": {},
        "titles": {},
    }
    return Profile(**(nothing | known))
