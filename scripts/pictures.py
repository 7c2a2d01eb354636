"""Draws the pictures of the page on paging into docs/pictures; a test checks that they are up to date.

Each has its own background, light or dark like the reader's system, so it is readable on any page. They are narrow
enough for a telephone.
"""

from html import escape
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH = 520
STYLE = """
svg { --ground: #ffffff; --ink: #1c2230; --soft: #5a6372; --rule: #c3cad5;
      --a: #d9e7ff; --b: #d9f2e0; --c: #fdeacb; --d: #fadcdd; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #1b1f27; --ink: #eef1f6; --soft: #a9b2c0; --rule: #4a5363;
        --a: #24406f; --b: #1f5233; --c: #63460f; --d: #6b2a2f; }
}
text { font: 14px system-ui, sans-serif; fill: var(--ink); }
.code { font: 13.5px ui-monospace, monospace; }
.soft { fill: var(--soft); }
.ground { fill: var(--ground); stroke: var(--rule); }
.box { stroke: var(--rule); }
.a { fill: var(--a); } .b { fill: var(--b); } .c { fill: var(--c); } .d { fill: var(--d); } .none { fill: none; }
.arrow { fill: none; stroke: var(--soft); stroke-width: 1.6; marker-end: url(#tip); }
.tip { fill: var(--soft); }
"""
TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>'
)


def box(x: int, y: int, width: int, height: int, tone: str = "none") -> str:
    return f'<rect class="box {tone}" x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>'


def words(x: int, y: int, text: str, look: str = "") -> str:
    return f'<text class="{look}" x="{x}" y="{y}" xml:space="preserve">{escape(text, quote=False)}</text>'


def code(x: int, y: int, text: str) -> str:
    return words(x, y, text, "code")


def arrow(*points: tuple[int, int]) -> str:
    return f'<path class="arrow" d="M{" L".join(f"{x} {y}" for x, y in points)}"/>'


def picture(title: str, height: int, *parts: str) -> str:
    ground = f'<rect class="ground" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>'
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    inside = "\n".join([f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", TIP, ground, *parts])
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>\n{inside}\n</svg>\n'


def windows() -> str:
    parts = [words(20, 30, "server.log", "soft"), words(190, 30, "calls, and how the replies end", "soft")]
    shown = [("1", "2000", "a"), ("2001", "4000", "b"), ("4001", "5200", "c")]
    for number, (first, last, tone) in enumerate(shown):
        y = 44 + 112 * number
        asked = '{"path": "server.log"}' if number == 0 else f'{{"path": "server.log", "offset": {first}}}'
        end = "[end]" if number == 2 else f"[more: offset={int(last) + 1}]"
        parts += [box(20, y, 120, 112, tone), code(34, y + 24, f"line {first}"), code(34, y + 60, "…")]
        parts += [code(34, y + 98, f"line {last}"), code(190, y + 24, asked)]
        parts += [arrow((146, y + 56), (184, y + 56)), box(190, y + 42, 180, 28, tone), code(200, y + 61, end)]
        if number < 2:
            parts.append(arrow((374, y + 56), (440, y + 56), (440, y + 118)))
    return picture("Three calls read 5200 lines; each reply names the next call.", 396, *parts)


def limits() -> str:
    parts = [words(20, 30, "Three ceilings; the first that is reached ends the window.")]
    for number, (name, reached, most) in enumerate(
        [("lines", 250, 2000), ("tokens", 330, 12000), ("bytes", 290, 50000)]
    ):
        y = 50 + 44 * number
        parts += [words(20, y + 19, name), box(90, y, 330, 28), box(90, y, reached, 28, "d" if reached == 330 else "a")]
        parts.append(words(436, y + 19, f"{most}", "soft"))
    parts += [words(20, 208, "here the tokens were used up first:", "soft"), box(20, 220, 480, 28, "d")]
    parts.append(code(30, 239, "[more: offset=1797 | 12000 token budget reached]"))
    return picture("The first ceiling that is reached ends the window: lines, tokens or bytes.", 264, *parts)


def long_line() -> str:
    parts = [
        words(20, 30, "one line of 5503 characters", "soft"),
        *(box(20 + 174 * number, 44, 132 if tone == "c" else 174, 30, tone) for number, tone in enumerate("abc")),
        *(code(30 + 174 * number, 64, f"{1 + 2000 * number}") for number in range(3)),
        words(20, 112, "the first window cuts it, goes on with the next line, and says so:", "soft"),
        box(20, 124, 480, 28, "a"),
        code(30, 143, "1  [123…  …[+3503 characters: offset=1 column=2001]"),
        words(20, 184, "a call with offset=1, column=2001:", "soft"),
        box(20, 196, 480, 28, "b"),
        code(30, 215, "1@2001  9…  …[+1503 characters: offset=1 column=4001]"),
        words(20, 256, "a call with offset=1, column=4001:", "soft"),
        box(20, 268, 480, 28, "c"),
        code(30, 287, "1@4001  7890,…,1234567890,0]"),
    ]
    return picture("A long line is cut and goes on by its column.", 312, *parts)


def tail() -> str:
    parts = [
        box(20, 20, 120, 150, "none"),
        code(34, 44, "line 1"),
        code(34, 84, "…"),
        code(34, 124, "line 5198"),
        box(20, 136, 120, 50, "b"),
        code(34, 156, "line 5199"),
        code(34, 177, "line 5200"),
        code(190, 44, '{"path": "server.log", "offset": -2}'),
        box(190, 64, 220, 122, "b"),
        code(200, 88, "[before: lines 1-5198]"),
        code(200, 114, "5199  event 5199"),
        code(200, 140, "5200  event 5200"),
        code(200, 166, "[end]"),
        arrow((146, 160), (184, 140)),
    ]
    return picture("A negative offset reads the last lines, with their true numbers.", 206, *parts)


def pages() -> str:
    parts = [words(20, 30, "report.pdf", "soft"), words(190, 30, "its lines, as Markdown", "soft")]
    for number, (first, tone) in enumerate([("1", "a"), ("54", "b"), ("101", "c")]):
        y = 44 + 84 * number
        parts += [
            box(20, y, 90, 72, tone),
            words(38, y + 42, f"page {number + 1}"),
            arrow((116, y + 36), (184, y + 36)),
        ]
        parts += [box(190, y, 310, 72, tone), code(204, y + 24, f"{first:<4} <!-- page {number + 1} -->")]
        parts += [code(204, y + 46, f"{int(first) + 1:<4} …")]
    parts += [code(20, 322, 'pages="2"'), words(110, 322, "shows the lines from 54 to 100")]
    return picture("Pages become lines of one text, whose numbers stay the same.", 340, *parts)


def share() -> str:
    parts = [
        words(20, 30, "one budget, three files"),
        box(20, 44, 160, 28, "a"),
        box(180, 44, 160, 28, "b"),
        box(340, 44, 160, 28, "c"),
        words(20, 98, "each may take a third", "soft"),
        box(20, 116, 50, 28, "a"),
        box(70, 116, 215, 28, "b"),
        box(285, 116, 215, 28, "c"),
        words(20, 170, "the first is small: what it leaves goes to the others", "soft"),
        code(20, 206, "[README.md …]   [end]"),
        code(20, 230, "[src/app.py …]  [more: offset=32 | …]"),
        code(20, 254, "[src/web.py …]  [more: offset=40 | …]"),
    ]
    return picture("Several files share one budget.", 274, *parts)


PICTURES = {
    f"paging-{draw.__name__.replace('_', '-')}.svg": draw for draw in (windows, limits, long_line, tail, pages, share)
}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw())
