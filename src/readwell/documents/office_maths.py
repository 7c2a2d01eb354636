"""Maths of the Office formats becomes LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from .office_relations import resolved_children, val_attribute
from .xml_tree import at

LARGE = {
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint",
    "⋃": r"\bigcup", "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge", "⨁": r"\bigoplus", "⨂": r"\bigotimes",
}  # fmt: skip
ACCENTS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "hat", "\u0303": "tilde", "\u0304": "bar", "\u0305": "bar",
    "\u0306": "breve", "\u0307": "dot", "\u0308": "ddot", "\u030c": "check", "\u20d7": "vec", "\u20d6": "overleftarrow",
    "\u00af": "bar", "^": "hat", "~": "tilde", "\u2192": "vec",
}  # fmt: skip
FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp lim max min sup inf det dim gcd".split()
)
BRACKETS = {"{": r"\{", "}": r"\}", "⟨": r"\langle", "⟩": r"\rangle", "‖": r"\|", "⌊": r"\lfloor", "⌋": r"\rfloor",
            "⌈": r"\lceil", "⌉": r"\rceil", "": "."}  # fmt: skip
SPECIAL = re.compile(r"[#$%&_{}]")
PROPERTIES = re.compile(r"m:\w+Pr|w:rPr")


def latex(element: Element) -> str:
    """Returns the maths in an element, without dollar signs."""
    return "".join(_element_latex(child) for child in resolved_children(element)).strip()


def _element_latex(element: Element) -> str:
    """Returns an element as LaTeX."""
    tag = element.tag
    if tag == "m:t":
        return SPECIAL.sub(r"\\\g<0>", element.text or "")
    if PROPERTIES.fullmatch(tag):
        return ""
    written = ELEMENT_WRITERS.get(tag)
    return written(element) if written else "".join(_element_latex(child) for child in resolved_children(element))


def _child_latex(element: Element, name: str) -> str:
    """Returns the child of this name as LaTeX; empty where it is missing."""
    part = element.find(name)
    return "" if part is None else latex(part)


def _braced(text: str) -> str:
    """Returns a text in braces."""
    return "{" + text + "}"


def _base(element: Element) -> str:
    """Returns what scripts stand at, in braces where it is more than a sign."""
    text = _child_latex(element, "m:e")
    return text if len(text) == 1 or re.fullmatch(r"\\[a-z]+", text) else _braced(text)


def _fraction(element: Element) -> str:
    """Returns a fraction: stacked, in a line, or without a bar."""
    over, under = _child_latex(element, "m:num"), _child_latex(element, "m:den")
    kind = val_attribute(element, "m:fPr", "m:type")
    if kind in ("lin", "skw"):
        return f"{over}/{under}"
    return f"{{{over} \\atop {under}}}" if kind == "noBar" else f"\\frac{{{over}}}{{{under}}}"


def _scripts(element: Element) -> str:
    """Returns the lower and upper script of an element."""
    lower, upper = _child_latex(element, "m:sub"), _child_latex(element, "m:sup")
    return (f"_{_braced(lower)}" if lower else "") + (f"^{_braced(upper)}" if upper else "")


def _scripted(element: Element) -> str:
    """Returns a base with its scripts, also those before it."""
    if element.tag == "m:sPre":
        return f"{{}}{_scripts(element)}{_base(element)}"
    return _base(element) + _scripts(element)


def _root(element: Element) -> str:
    """Returns a root, with its degree where it has one."""
    degree = _child_latex(element, "m:deg")
    return rf"\sqrt{f'[{degree}]' if degree else ''}{_braced(_child_latex(element, 'm:e'))}"


def _sum_or_integral(element: Element) -> str:
    """Returns a sum, an integral or the like."""
    sign = val_attribute(element, "m:naryPr", "m:chr") or "∫"
    return f"{LARGE.get(sign, sign)}{_scripts(element)} {_child_latex(element, 'm:e')}"


def _delimited(element: Element) -> str:
    """Returns what is between brackets."""
    properties = element.find("m:dPr")
    opening, between, closing = (
        otherwise if at(properties, name) is None else val_attribute(properties, name) or ""
        for name, otherwise in (("m:begChr", "("), ("m:sepChr", "|"), ("m:endChr", ")"))
    )
    inner = f" {between} ".join(latex(part) for part in element.findall("m:e"))
    return rf"\left{BRACKETS.get(opening, opening)} {inner} \right{BRACKETS.get(closing, closing)}"


def _function(element: Element) -> str:
    """Returns a function and its argument."""
    return f"{_child_latex(element, 'm:fName')} {_child_latex(element, 'm:e')}"


def _run_or_function(element: Element) -> str:
    """Writes a run; the name of a function upright."""
    text = "".join(_element_latex(child) for child in resolved_children(element))
    return rf"\{text.strip()} " if text.strip() in FUNCTIONS else text


def _limit(element: Element) -> str:
    """Returns what has something below or above it."""
    sign = "_" if element.tag == "m:limLow" else "^"
    return f"{_child_latex(element, 'm:e')}{sign}{_braced(_child_latex(element, 'm:lim'))}"


def _accent(element: Element) -> str:
    """Returns a base with an accent."""
    sign = val_attribute(element, "m:accPr", "m:chr") or "\u0302"
    return rf"\{ACCENTS.get(sign, 'hat')}{_braced(_child_latex(element, 'm:e'))}"


def _bar(element: Element) -> str:
    """Returns what is over- or underlined."""
    below = val_attribute(element, "m:barPr", "m:pos") != "top"
    return rf"\{'underline' if below else 'overline'}{_braced(_child_latex(element, 'm:e'))}"


def _grouped(element: Element) -> str:
    """Returns what is in a brace above or below."""
    above = val_attribute(element, "m:groupChrPr", "m:pos") == "top"
    return rf"\{'overbrace' if above else 'underbrace'}{_braced(_child_latex(element, 'm:e'))}"


def _matrix(element: Element) -> str:
    """Returns the rows of a matrix."""
    rows = [" & ".join(map(latex, row.findall("m:e"))) for row in element.findall("m:mr")]
    return r"\begin{matrix} " + r" \\ ".join(rows) + r" \end{matrix}"


def _equations(element: Element) -> str:
    """Returns equations, one below the other."""
    return r"\begin{aligned} " + r" \\ ".join(map(latex, element.findall("m:e"))) + r" \end{aligned}"


def _boxed(element: Element) -> str:
    """Returns what has a box around it."""
    return rf"\boxed{_braced(_child_latex(element, 'm:e'))}"


ELEMENT_WRITERS: dict[str, Callable[[Element], str]] = {
    "m:r": _run_or_function,
    "m:f": _fraction,
    "m:sSup": _scripted,
    "m:sSub": _scripted,
    "m:sSubSup": _scripted,
    "m:sPre": _scripted,
    "m:rad": _root,
    "m:nary": _sum_or_integral,
    "m:d": _delimited,
    "m:func": _function,
    "m:limLow": _limit,
    "m:limUpp": _limit,
    "m:acc": _accent,
    "m:bar": _bar,
    "m:groupChr": _grouped,
    "m:m": _matrix,
    "m:eqArr": _equations,
    "m:borderBox": _boxed,
}
