"""Makes pages of tables, text, lists and headings whose distances are drawn at random from those where rules change."""

from importlib.metadata import version
from pathlib import Path
from random import Random

from corpus.pdf_writer import Page, pdf
from readwell.documents.pdf import PDF

KEPT = Path(__file__).parent / "made_pages.md"
ENGINE = f"pypdfium2 {version('pypdfium2')}"
BETWEEN = "\n\n----- page -----\n\n"
WORDS = (
    "the of sum rate north water total price a in by per year stock open unit share of cost is and for year-end".split()
)
NUMBERS = ["12", "1,204", "3.5", "-7", "(410)", "98 %", "$ 5", "2019", "0.25", "–", "n/a", "1,204.50", "7*"]
FONTS = ["Helvetica", "Times-Roman", "Courier"]


class Drawing:
    """A page while it is drawn, from the top down."""

    def __init__(self, chance, size):
        self.chance, self.size, self.page, self.y = chance, size, Page(), 740.0
        self.font = chance.choice(FONTS)

    def say(self, x, text, size=None, font=None):
        self.page.text(x, self.y, text, size or self.size, font or self.font)

    def down(self, ems):
        self.y -= ems * self.size

    def words(self, most):
        return " ".join(self.chance.choice(WORDS) for _ in range(self.chance.randint(1, most)))

    def bold(self):
        return {"Helvetica": "Helvetica-Bold", "Times-Roman": "Times-Bold", "Courier": "Courier-Bold"}[self.font]

    def prose(self):
        left = self.chance.choice([72, 72, 90])
        for number in range(self.chance.randint(1, 7)):
            indent = self.chance.choice([0, 0, 12]) if not number else 0
            self.say(
                left + indent, " ".join(self.chance.choice(WORDS) for _ in range(self.chance.choice([6, 12, 14, 15])))
            )
            self.down(1.2)
        self.down(self.chance.choice([0.3, 0.6, 1.0]))

    def heading(self):
        number = self.chance.choice(["", "1 ", "2.1 ", "A. ", "IV. "])
        size = self.size * self.chance.choice([1, 1.1, 1.15, 1.2, 1.5, 2])
        self.down(self.chance.choice([0.2, 0.8, 1.5]))
        self.say(72, (number + self.words(6)).capitalize(), size, self.chance.choice([self.font, self.bold()]))
        self.down(self.chance.choice([1.2, 1.6, 2.4]))

    def listing(self):
        marks = self.chance.choice(["•", "–", "*", "1.", "(a)", "1)", "i."])
        for number in range(self.chance.randint(1, 5)):
            mark = marks.replace("1", str(number + 1)).replace("a", "abcde"[number])
            inner = 18 * self.chance.choice([0, 0, 1])
            self.say(72 + inner, mark)
            self.say(72 + inner + self.chance.choice([8, 14, 20]), self.words(9))
            self.down(1.2)
            if self.chance.random() < 0.3:
                self.say(86 + inner, self.words(8))
                self.down(1.2)
        self.down(0.5)

    def code(self):
        for line in ["def f(x):", "    if x > 1:", "        return [x]", "", "    y = {x: 2}"][
            : self.chance.randint(1, 5)
        ]:
            if line:
                self.say(90, line, font="Courier")
            self.down(1.2)
        self.down(self.chance.choice([0.3, 1]))

    def marked(self):
        """A line with bold words, a raised mark, a link, and a word parted at its end."""
        self.say(72, "rate of the", font=self.bold())
        self.say(72 + 7 * self.size, self.words(4))
        self.page.text(72 + 20 * self.size, self.y + 0.4 * self.size, "1", 0.6 * self.size, self.font)
        self.page.link(72, self.y - 2, 72 + 5 * self.size, self.y + self.size, "https://example.org/")
        self.down(1.2)
        self.say(72, "the total of wat-")
        self.down(1.2)
        self.say(72, "er by the year")
        self.down(1.2)
        self.say(72, "1 " + self.words(8), 0.8 * self.size)
        self.down(1.5)

    def columns(self):
        right = self.chance.choice([300, 310, 330])
        for _ in range(self.chance.randint(4, 9)):
            self.say(60, " ".join(self.chance.choice(WORDS) for _ in range(self.chance.choice([3, 4, 7]))))
            self.say(right, " ".join(self.chance.choice(WORDS) for _ in range(self.chance.choice([3, 5, 7]))))
            self.down(1.2)
        self.down(1)

    def table(self):
        chance, count = self.chance, self.chance.randint(2, 9)
        pitch = chance.choice([24, 36, 50, 80])
        xs = [72 + pitch * k for k in range(chance.randint(2, 500 // pitch if pitch > 36 else 6))]
        step, ruled = chance.choice([1.2, 1.4, 1.8, 2.5]), chance.choice(["no", "no", "few", "rows", "all", "columns"])
        numbers = chance.choice([0.0, 0.5, 1.0])
        if chance.random() < 0.4:
            self.say(72, f"Table {chance.randint(1, 9)}: {self.words(5)}")
            self.down(1.4)
        top, lines = self.y + self.size, [self.y + self.size]
        if chance.random() < 0.3:
            self.say(xs[1], self.words(4), font=self.bold())
            self.down(1.2)
        if chance.random() < 0.15:
            for x in xs:
                self.page.text(x + 8, self.y, self.words(2), self.size, self.font, angle=1)
            self.down(1.2)
        for row in range(count):
            for column, x in enumerate(xs):
                if chance.random() < 0.12 or (row == 0 and column == 0 and chance.random() < 0.4):
                    continue
                is_number = row and column and chance.random() < numbers
                room = 1 if pitch < 50 else 3
                self.say(
                    x, chance.choice(NUMBERS) if is_number else self.words(room), font=None if row else self.bold()
                )
            self.down(step)
            if chance.random() < 0.1:
                self.say(xs[-1], self.words(2))
                self.down(1.2)
            lines.append(self.y + self.size)
            if self.y < 60:
                break
        self.rules(ruled, xs, top, lines)
        self.down(chance.choice([0.5, 1, 2]))

    def rules(self, ruled, xs, top, lines):
        left, right, bottom = xs[0] - 4, xs[-1] + (xs[1] - xs[0]) - 4, lines[-1]
        heights = {"few": [lines[0], lines[1], lines[-1]], "rows": lines, "all": lines, "columns": []}.get(ruled, [])
        for height in heights:
            self.page.line(left, height, right, height)
        if ruled in ("all", "columns"):
            for x in [*(x - 4 for x in xs), right]:
                self.page.line(x, top, x, bottom)


def made_document(seed, count=10):
    """Returns a PDF of so many pages, with a running title and page numbers on some."""
    chance = Random(seed)
    pages, size, title = [], chance.choice([8, 10, 12]), chance.random() < 0.5
    for number in range(1, count + 1):
        drawing = Drawing(chance, size)
        if title:
            drawing.page.text(72, 770, f"A report of {seed}", 8).text(300, 30, str(number), 8)
        while drawing.y > 120:
            part = chance.choice(
                ["table", "table", "table", "prose", "prose", "heading", "listing", "code", "marked", "columns"]
            )
            getattr(drawing, part)()
        pages.append(drawing.page)
    return pdf(*pages)


def written_pages():
    """Returns the Markdown of all made pages as it is kept, and the engine that read them."""
    parts = [f"Read with {ENGINE}."]
    for seed in range(3):
        document = PDF.open(made_document(seed), None, b"")
        parts += [document.markdown(number) for number in range(1, document.count + 1)]
    return BETWEEN.join(parts) + "\n"
