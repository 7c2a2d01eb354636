"""PDFs of the shapes that offices print: their edges hold what runs, what counts, and what is neither.

Each shape takes a source of chance and a number of pages, and returns the pages.
"""

from corpus.pdf_writer import Page

NAMES = "Ada Lind, Jon Berg, Mia Falk, Per Dahl, Eva Holm, Nils Ek, Ida Ström, Olof Krantz".split(", ")
GOODS = "Lamp oil, Wicks, Brass polish, Rope, Signal flags, Tar, Canvas, Paint, Glass, Bread, Salt, Tea".split(", ")
VERBS = "kept sold found mended lit painted counted carried weighed sent left bought".split()
PLACES = "harbour tower island quay chapel store gallery cellar bridge market lock ferry".split()


def sentence(chance):
    words = [chance.choice(NAMES), chance.choice(VERBS), "the", chance.choice(GOODS).lower(), "at the"]
    return " ".join(
        [*words, chance.choice(PLACES), "and", chance.choice(VERBS), "it", f"{chance.randint(1, 99)} times."]
    )


def amount(chance):
    return f"{chance.randint(1, 900)}.{chance.choice(('00', '50', '95'))}"


def printed(page, y, lines, x=72, pitch=13, size=10):
    """Prints lines downwards and returns where the next would stand."""
    for line in lines:
        page.text(x, y, line, size)
        y -= pitch
    return y


def row(page, y, cells, xs=(72, 150, 330, 480), size=10):
    for x, cell in zip(xs, cells, strict=False):
        page.text(x, y, cell, size)


def prose(chance, page, y, least=6, most=40):
    return printed(page, y, [sentence(chance) for _ in range(chance.randint(least, most))])


def invoices(chance, count):
    """One invoice a page: number and date above, the sum and a bank account below."""
    for number in range(count):
        page = Page().text(72, 760, "Lind & Berg, Quay 4, Northhaven", 9)
        page.text(72, 735, f"Invoice number {1001 + number}", 12, "Helvetica-Bold")
        page.text(72, 720, f"Date 2024-{1 + number % 12:02d}-{1 + number % 28:02d}").text(400, 720, "Due in 30 days")
        total = 0
        for k in range(chance.randint(3, 40)):
            price = chance.randint(1, 90)
            total += price
            row(page, 690 - 14 * k, (str(k + 1), chance.choice(GOODS), str(chance.randint(1, 9)), f"{price}.00"))
        page.text(72, 90, f"Total due {total}.00 EUR", 11).text(72, 60, "Account 0042 1177, Northhaven Bank", 8)
        yield page.text(72, 45, f"Customer {chance.randint(100, 120)}", 8)


def statements(chance, count):
    """Rows from edge to edge, some of them the same on many pages."""
    balance = 1000
    for _ in range(count):
        page = Page()
        for k in range(52):
            if k % 7 == 0:
                cells = ("01.02.2024", "Monthly fee", "5.00", "0.00")
            else:
                balance += chance.randint(-90, 90)
                cells = (f"{1 + k // 2:02d}.02.2024", chance.choice(GOODS), amount(chance), f"{balance}.00")
            row(page, 765 - 14 * k, cells)
        yield page


def exams(chance, count):
    """A question a page, points above and below, and the number of the sheet."""
    for number in range(1, count + 1):
        page = Page().text(72, 760, f"Question {number}", 14, "Helvetica-Bold").text(420, 760, "Score out of 12")
        y = prose(chance, page, 730, 3, 9)
        y = printed(page, y - 30, ["." * 90] * 8, pitch=30)
        page.text(72, 70, f"Points on this page: {chance.randint(1, 12)}").text(72, 52, f"Carry over: {amount(chance)}")
        yield page.text(280, 30, f"Page {number} of {count}", 8)


def books(chance, count):
    """Left and right heads, page numbers outside, chapters that begin without a head."""
    chapter = 0
    for number in range(1, count + 1):
        page = Page()
        if number % 9 == 1:
            chapter += 1
            page.text(72, 700, f"Chapter {chapter}", 20, "Helvetica-Bold").text(300, 40, str(number), 9)
        elif number % 2:
            page.text(300, 760, f"Of the {PLACES[chapter % 12]}", 9).text(520, 760, str(number), 9)
        else:
            page.text(72, 760, str(number), 9).text(150, 760, "The Keeper's Book", 9)
        prose(chance, page, 670, 20, 44)
        yield page


def ledgers(chance, count):
    """Sums carried from page to page, at the first and at the last line."""
    carried = 0
    for number in range(count):
        page = Page().text(72, 765, f"Ledger 2024, folio {number + 1}").text(72, 745, f"Brought forward {carried}.00")
        row(page, 725, ("Day", "Goods", "Pieces", "Price"))
        for k in range(44):
            price = chance.choice((5, 5, 5, 7, 12))
            carried += price
            row(page, 710 - 14 * k, (str(1 + k % 28), chance.choice(GOODS), "1", f"{price}.00"))
        yield page.text(72, 60, f"Carried forward {carried}.00").text(72, 45, "Checked by Ada Lind")


def forms(chance, count):
    """The same form again and again, filled in by others; its labels stand at the edges and inside."""
    for number in range(count):
        page = Page().text(72, 760, "Application for a mooring", 14).text(72, 742, f"File 7-{300 + 3 * number}")
        for k, label in enumerate(("Name", "Street", "Boat", "Length", "Signature")):
            page.text(72, 690 - 60 * k, label).text(
                200, 690 - 60 * k, f"{chance.choice(NAMES)} {chance.randint(1, 99)}"
            )
            page.line(200, 686 - 60 * k, 500, 686 - 60 * k)
        page.text(72, 120, "Application for a mooring").text(72, 60, "Signature").text(300, 60, chance.choice(NAMES))
        yield page.text(72, 40, f"Form M-4, received 2024-03-{1 + number % 28:02d}", 8)


def reports(chance, count):
    """A running title, its words also inside; sections with numbers at the top; dates of print below."""
    for number in range(1, count + 1):
        page = Page().text(72, 765, "Annual report of the harbour", 9).text(450, 765, "Confidential", 9)
        page.text(72, 740, f"{number}.1 Results of week {number}", 13, "Helvetica-Bold")
        y = prose(chance, page, 715, 10, 35)
        if number % 4 == 0:
            page.text(72, y - 20, "Confidential")
        page.text(72, 40, f"Printed 2024-05-02 at 14:{number % 60:02d}", 8).text(500, 40, f"{number}/{count}", 8)
        yield page


def logs(chance, count):
    """Lines from the very top to the very bottom that differ in digits alone."""
    stamp = 0
    for _ in range(count):
        page, y = Page(), 775
        while y > 25:
            stamp += chance.randint(1, 40)
            page.text(40, y, f"{stamp // 3600:02d}:{stamp // 60 % 60:02d}:{stamp % 60:02d} worker 3: job done, 200", 9)
            y -= 12
        yield page


def timetables(chance, count):
    """A page a day: weekday and date above, the head of the table at once below it, a note at the foot."""
    days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
    for number in range(count):
        page = Page().text(72, 760, f"{days[number % 7]} {1 + number % 28} May", 14)
        row(page, 740, ("Ferry", "From", "To", "At"))
        for k in range(chance.randint(5, 40)):
            ends = chance.choice(PLACES), chance.choice(PLACES)
            row(page, 725 - 14 * k, (f"F{k + 1}", *ends, f"{6 + k // 3:02d}:{chance.choice((5, 20, 45)):02d}"))
        yield page.text(72, 50, "Times may change.").text(72, 36, f"Valid from {1 + number // 7}.5.", 8)


def letters(chance, count):
    """Letters of a page each to many people, from one desk, with file numbers that count."""
    for number in range(count):
        page = Page().text(72, 765, "Harbour Office", 11).text(400, 765, "Tel. 0042 77", 9)
        page.text(72, 740, chance.choice(NAMES)).text(72, 727, f"Quay {number + 1}").text(
            400, 740, f"Our ref. {500 + number}"
        )
        prose(chance, page, 660, 5, 15)
        page.text(72, 110, "Yours sincerely").text(72, 96, "Ada Lind")
        yield page.text(300, 30, f"- {number + 1} -", 8)


def catalogues(chance, count):
    """Roman numbers, then Arabic ones that start anew; groups of goods as heads; prices in the last line."""
    front = min(5, count // 3)
    for number in range(1, count + 1):
        label = "i ii iii iv v".split()[number - 1] if number <= front else str(number - front)
        page = Page().text(72, 765, f"Goods of group {1 + number // 4}", 9).text(520, 765, label, 9)
        for k in range(chance.randint(8, 46)):
            row(page, 735 - 14 * k, (f"{100 * number + k}", chance.choice(GOODS), amount(chance)), xs=(72, 140, 400))
        yield page.text(72, 45, f"Postage {chance.choice((3, 4))}.50", 9)


def slips(chance, count):
    """Small, landscape and tall sheets with few lines each, nearly all of them the same."""
    for number in range(count):
        width, height = chance.choice(((300, 200), (400, 300), (612, 792)))
        page = (
            Page(box=(0, 0, width, height)).text(30, height - 30, "Receipt").text(200, height - 30, f"No {7 + number}")
        )
        y = height - 60
        for _ in range(chance.randint(1, 6)):
            page.text(30, y, chance.choice(GOODS)).text(200, y, amount(chance))
            y -= 14
        yield page.text(30, 30, f"Sum {amount(chance)}").text(30, 15, "Thank you for your visit")


def readings(chance, count):
    """A meter a page: lone numbers above and below, that count, repeat or do neither."""
    for number in range(1, count + 1):
        page = Page().text(72, 760, str(4000 + number)).text(500, 760, str(chance.randint(1, 60)))
        prose(chance, page, 720, 5, 20)
        page.text(72, 60, "Meter reading").text(300, 60, str(120 + number)).text(500, 60, str(chance.choice((10, 20))))
        yield page.text(300, 30, str(number), 8)


EDGES = (
    lambda n, c: "Harbour of Northhaven",
    lambda n, c: "The Keeper's Book" if n % 2 else "Of lights and wicks",
    lambda n, c: f"Page {n}",
    lambda n, c: f"{n}",
    lambda n, c: f"{n + 7}",
    lambda n, c: f"{n} of 60",
    lambda n, c: f"Sheet {n}",
    lambda n, c: f"{2000 + n}",
    lambda n, c: f"Sum {amount(c)}",
    lambda n, c: amount(c),
    lambda n, c: c.choice(GOODS),
    lambda n, c: c.choice(("Paid", "Open")),
    lambda n, c: f"Part {1 + n // 5}",
    lambda n, c: sentence(c),
    lambda n, c: 'Seen -- "checked" -->',
    lambda n, c: "" if n % 3 else "First sheet of three",
)


def jumbles(chance, count):
    """Heads and feet of any kinds, one or two side by side, close to the text or apart, above any of three bodies."""
    places = (72, 765), (490, 765), (72, 748), (72, 730), (72, 70), (72, 52), (72, 36), (490, 36)
    edges = [(chance.choice(EDGES), x, y) for x, y in places]
    chosen = chance.sample(edges, chance.randint(1, 6))
    body = chance.choice((prose, lambda c, page, y: prose(c, page, y, 1, 5), rows_of_goods))
    for number in range(1, count + 1):
        page = Page()
        for edge, x, y in chosen:
            if text := edge(number, chance):
                page.text(x, y, text, 9)
        body(chance, page, chance.choice((715, 700, 640)))
        yield page


def rows_of_goods(chance, page, y):
    for k in range(chance.randint(2, int(y - 90) // 14)):
        row(page, y - 14 * k, (str(k + 1), chance.choice(GOODS), str(chance.randint(1, 3)), amount(chance)))


def copies(chance, count):
    """The same page again and again, in a crop box, with marks of the printer outside."""
    state = chance.getstate()
    for number in range(count):
        chance.setstate(state)
        page = Page(crop=(40, 30, 572, 780)).text(5, 400, f"{number}").text(72, 10, "Printer's mark", 6)
        prose(chance, page.text(72, 760, "Rules of the harbour", 12), 720)
        yield page.text(72, 40, "Keep for two years")


SHAPES = (
    invoices,
    statements,
    exams,
    books,
    ledgers,
    forms,
    reports,
    logs,
    timetables,
    letters,
    catalogues,
    slips,
    readings,
    jumbles,
    copies,
)
