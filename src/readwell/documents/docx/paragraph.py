"""A paragraph of a DOCX becomes runs of text; what floats beside it is handed on."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from ...named_tuple import NamedTuple
from ..markdown_blocks import HiddenContentFlag, Run, image
from ..office_maths import latex
from ..office_relations import Relation, resolved_children, switched_on, val_attribute
from ..xml_tree import whole_number
from .notes import Notes
from .styles import Styles, marks_of
from .symbols import symbol

TRANSPARENT = frozenset("w:ins w:moveTo w:smartTag w:customXml w:sdtContent w:dir w:bdo w:rubyBase".split())
TEXTS = {"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
MAX_FIELDS = 20
MAX_INSTRUCTION = 4096
LINK = re.compile(r'\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\]\S*))')


class Field(NamedTuple):
    """An open field: its instruction, its box if it is one to tick, what is chosen in its list, if its result began."""

    instruction: str
    ticked: bool
    choice: str
    in_result: bool
    hidden: bool
    """Whether its beginning is hidden, or something in its result."""
    result_start: int
    """How many runs of the paragraph stand before its result."""


class ParagraphReader:
    """Reads the paragraphs of one part, in their order: fields may reach over several."""

    def __init__(
        self, relations: dict[str, Relation], styles: Styles, notes: Notes, left_out: HiddenContentFlag
    ) -> None:
        self._relations, self._styles, self._notes = relations, styles, notes
        self._left_out, self._hidden = left_out, ""
        self._fields: list[Field] = []
        self._link = ""
        self._runs: list[Run] = []
        self._asides: list[Element] = []

    def read(self, element: Element) -> tuple[list[Run], list[Element]]:
        """Returns the runs of a paragraph, and the text boxes and charts that hang on it."""
        self._runs, self._asides = [], []
        style = val_attribute(element.find("w:pPr"), "w:pStyle")
        self._hidden = "h" if "h" in self._styles.marks(style) else ""
        self._walk(element)
        self._fields = [field._replace(in_result=True, result_start=0) for field in self._fields]
        return self._runs, self._asides

    def _walk(self, element: Element) -> None:
        """Reads the runs below an element, in their order."""
        for child in resolved_children(element):
            tag = child.tag
            if tag == "w:r":
                self._read_run(child)
            elif tag == "w:hyperlink":
                self._read_link(child, self._address(child))
            elif tag == "w:fldSimple":
                self._read_link(child, link_in_instruction(child.get("w:instr", "")))
            elif tag == "w:sdt":
                self._read_content_control(child)
            elif tag == "w:ruby":
                self._read_ruby(child)
            elif tag in TRANSPARENT:
                self._walk(child)
            elif tag == "m:oMathPara":
                self._runs.append(Run("\n$$" + " \\\\ ".join(map(latex, child.findall("m:oMath"))) + "$$\n"))
            elif tag == "m:oMath":
                self._runs.append(Run(f"${latex(child)}$"))

    def _address(self, element: Element) -> str:
        """Returns where a hyperlink leads outside the document."""
        relation = self._relations.get(element.get("r:id", ""))
        return relation.target if relation and relation.external else ""

    def _read_link(self, element: Element, link: str) -> None:
        """Reads what is below an element as the text of a link."""
        before, self._link = self._link, link or self._link
        self._walk(element)
        self._link = before

    def _read_content_control(self, element: Element) -> None:
        """Reads a content control; one to tick becomes its box."""
        properties = element.find("w:sdtPr")
        box = None if properties is None else properties.find("w14:checkbox")
        content, start = element.find("w:sdtContent"), len(self._runs)
        if content is not None:
            self._walk(content)
        if box is not None and start < len(self._runs):
            self._runs[start:] = [Run(_box(bool(switched_on(box, "w14:checked"))))]

    def _read_run(self, run: Element) -> None:
        """Reads a run: its text with its marks; hidden text is left out and noted."""
        properties = run.find("w:rPr")
        marks = self._hidden
        if properties is not None:
            marks = marks_of(properties, marks + self._styles.marks(val_attribute(properties, "w:rStyle")))
        for child in resolved_children(run):
            tag = child.tag
            if tag == "w:fldChar":
                self._read_field_mark(child, "h" in marks)
            elif tag == "w:instrText":
                self._add_instruction(child.text or "")
            elif "h" in marks:
                self._left_out.is_set = True
                self._fields = [field._replace(hidden=field.hidden or field.in_result) for field in self._fields]
            elif tag == "w:t":
                self._add(child.text or "", marks)
            elif tag in TEXTS:
                self._add(TEXTS[tag], marks)
            else:
                self._read_rare_child(child, marks)

    def _read_rare_child(self, child: Element, marks: str) -> None:
        """Reads symbols, references to notes, drawings and the like."""
        match child.tag:
            case "w:sym":
                self._add(symbol(child.get("w:font", ""), child.get("w:char", "")), marks)
            case "w:footnoteReference" | "w:endnoteReference" | "w:commentReference":
                self._add(self._notes.refer(child.tag[2:-9], child.get("w:id", "")), "")
            case "w:drawing" | "w:pict" | "w:object":
                self._read_drawing(child, "")
            case "w:ruby":
                self._read_ruby(child)
            case _:
                return

    def _read_ruby(self, element: Element) -> None:
        """Reads characters and, in parentheses behind them as in HTML, how they are pronounced."""
        self._walk(element)
        start = len(self._runs)
        for reading in element.findall("w:rt"):
            self._walk(reading)
        told = self._runs[start:]
        del self._runs[start:]
        if any(run.text.strip() for run in told):
            self._add("(", "")
            self._runs += told
            self._add(")", "")

    def _add(self, text: str, marks: str) -> None:
        """Adds text, unless it is the instruction of a field."""
        if self._fields and not all(field.in_result for field in self._fields):
            return
        self._runs.append(Run(text, marks, self._link or self._field_link()))

    def _read_drawing(self, element: Element, alt: str) -> None:
        """Looks for pictures, text boxes and charts; `alt` is the name that the frame around them has."""
        properties = element.find("wp:docPr")
        if properties is not None and properties.get("hidden") in ("1", "true"):
            self._left_out.is_set = True
            return
        for child in resolved_children(element):
            match child.tag:
                case "wp:docPr":
                    alt = child.get("descr") or child.get("title") or child.get("name") or ""
                case "w:txbxContent" | "c:chart" | "dgm:relIds" | "v:textpath":
                    self._asides.append(child)
                case "pic":
                    self._add(image(alt), "")
                case "v:imagedata":
                    self._add(image(element.get("alt") or child.get("title") or alt), "")
                case _:
                    self._read_drawing(child, alt)

    def _read_field_mark(self, element: Element, is_hidden: bool) -> None:
        """Begins, shows or ends a field; a check box becomes a sign, a list to choose from what is chosen."""
        kind = element.get("w:fldCharType")
        if kind == "begin" and len(self._fields) < MAX_FIELDS:
            box = next(element.iter("w:checkBox"), None)
            checked = switched_on(box, "w:checked")
            ticked = bool(switched_on(box, "w:default") if checked is None else checked)
            self._fields.append(
                Field("", ticked, _choice(element), in_result=False, hidden=is_hidden, result_start=len(self._runs))
            )
        elif self._fields and kind == "separate":
            self._fields[-1] = self._fields[-1]._replace(in_result=True, result_start=len(self._runs))
        elif self._fields and kind == "end":
            self._end_field(self._fields.pop())

    def _end_field(self, field: Field) -> None:
        """Ends a field; in a form a box stands in place of its result, what is chosen where there is none."""
        if field.instruction.split()[:1] == ["FORMCHECKBOX"]:
            del self._runs[field.result_start :]
            chosen = _box(field.ticked)
        else:
            chosen = "" if any(run.text.strip() for run in self._runs[field.result_start :]) else field.choice
        if chosen and field.hidden:
            self._left_out.is_set = True
        else:
            self._add(chosen, "")

    def _add_instruction(self, text: str) -> None:
        """Adds to the instruction of the innermost field."""
        if not self._fields or self._fields[-1].in_result:
            return
        field = self._fields[-1]
        self._fields[-1] = field._replace(instruction=(field.instruction + text)[:MAX_INSTRUCTION])

    def _field_link(self) -> str:
        """Returns where the fields around a text lead; empty where they do not."""
        return next(
            (link for field in reversed(self._fields) for link in [link_in_instruction(field.instruction)] if link), ""
        )


def link_in_instruction(instruction: str) -> str:
    """Returns the address of a field that is a link; empty for others."""
    match = LINK.match(instruction)
    return (match[1] or match[2] or "") if match else ""


def _choice(element: Element) -> str:
    """Returns what is chosen in the list of a form's field, else what is chosen from the start, or its first entry."""
    choices = next(element.iter("w:ddList"), None)
    if choices is None:
        return ""
    entries = [entry.get("w:val", "") for entry in choices.findall("w:listEntry")]
    written = val_attribute(choices, "w:result") or val_attribute(choices, "w:default")
    return next(iter(entries[whole_number(written, 0) :]), "")


def _box(ticked: bool) -> str:
    """Returns a check box as text."""
    return "[x]" if ticked else "[ ]"
