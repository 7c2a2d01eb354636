"""XML of documents: parsed without document types and entities, bounded in depth and number, with short names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser
from xml.parsers.expat import ExpatError, ParserCreate

from ..errors import ConversionFailed, TooLarge
from ..path_names import quoted

MAX_DEPTH = 256
MAX_TAGS = 4_000_000
MAX_BYTES = 64 << 20
OFFICE, STRICT = "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"
OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
MICROSOFT = "http://schemas.microsoft.com/office/"
PREFIXES = {
    OFFICE + "wordprocessingml/2006/main": "w",
    OFFICE + "presentationml/2006/main": "p",
    OFFICE + "drawingml/2006/main": "a",
    OFFICE + "drawingml/2006/chart": "c",
    OFFICE + "drawingml/2006/diagram": "dgm",
    OFFICE + "drawingml/2006/wordprocessingDrawing": "wp",
    OFFICE + "officeDocument/2006/math": "m",
    OFFICE + "officeDocument/2006/relationships": "r",
    OFFICE + "package/2006/relationships": "rel",
    OFFICE + "markup-compatibility/2006": "mc",
    STRICT + "wordprocessingml/main": "w",
    STRICT + "presentationml/main": "p",
    STRICT + "drawingml/main": "a",
    STRICT + "drawingml/chart": "c",
    STRICT + "drawingml/diagram": "dgm",
    STRICT + "drawingml/wordprocessingDrawing": "wp",
    STRICT + "officeDocument/math": "m",
    STRICT + "officeDocument/relationships": "r",
    MICROSOFT + "word/2010/wordml": "w14",
    MICROSOFT + "drawing/2010/main": "a14",
    "urn:schemas-microsoft-com:vml": "v",
    OASIS + "office:1.0": "office",
    OASIS + "text:1.0": "text",
    OASIS + "table:1.0": "table",
    OASIS + "style:1.0": "style",
    OASIS + "drawing:1.0": "draw",
    OASIS + "xsl-fo-compatible:1.0": "fo",
    OASIS + "svg-compatible:1.0": "svg",
    OASIS + "manifest:1.0": "manifest",
    OASIS + "presentation:1.0": "presentation",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/1998/Math/MathML": "math",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.idpf.org/2007/opf": "opf",
    "urn:oasis:names:tc:opendocument:xmlns:container": "ocf",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
    "http://www.w3.org/XML/1998/namespace": "xml",
}
"""Namespaces and the prefixes that names get here, whatever a document calls them."""


def parse_xml(format_name: str, part: str, content: bytes) -> Element:
    """Returns the root element; names are `prefix:name` for the namespaces above, the bare name for any other."""
    if len(content) > MAX_BYTES or content.count(b"<") > MAX_TAGS:
        raise TooLarge(MAX_BYTES)
    PrologGuard(format_name, part).feed(content)
    parser = XMLParser()  # noqa: S314  # a document type is refused above, so there are no entities
    try:
        parser.feed(content)
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError) as error:
        raise ConversionFailed(format_name, f"the XML of its part {quoted(part)} is damaged") from error
    _refuse_depth(format_name, part, root)
    shorten_names(root)
    return root


def at(element: Element | None, *path: str) -> Element | None:
    """Returns the element at a path of names below another; None where a step is missing."""
    for name in path:
        if element is None:
            return None
        element = element.find(name)
    return element


def every(element: Element | None, name: str) -> list[Element]:
    """Returns all elements of a name below another, however deep; none where there is no other."""
    return [] if element is None else list(element.iter(name))


def whole_number(written: str | None, otherwise: int) -> int:
    """Returns a whole number of up to nine digits; what is no such number counts as `otherwise`."""
    return int(written) if written and written.isdecimal() and len(written) < 10 else otherwise


class _RootReached(Exception):
    """Ends the look at what precedes the root element."""


class PrologGuard:
    """Watches what stands before the root element, the only place for a document type, which is refused."""

    def __init__(self, format_name: str, part: str) -> None:
        self._format, self._part = format_name, part
        self._parser = ParserCreate()
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.StartElementHandler = self._stop
        self._over = False

    def feed(self, content: bytes) -> None:
        """Takes the next bytes; behind the root's first tag it looks at nothing any more."""
        if self._over:
            return
        try:
            self._parser.Parse(content, False)
        except (_RootReached, ExpatError, ValueError, LookupError):  # damage is told by the parser proper
            self._over = True

    def _refuse_doctype(self, *_: object) -> None:
        """Refuses a declaration that could define entities."""
        reason = f"its part {quoted(self._part)} declares a document type, which could define entities"
        raise ConversionFailed(self._format, reason)

    def _stop(self, *_: object) -> None:
        """Ends at the root element."""
        raise _RootReached


class GrowingTree:
    """XML that is read piece by piece: what is built can be taken, and forgotten, before the end."""

    def __init__(self, format_name: str, part: str, pieces: Iterable[bytes]) -> None:
        self._format, self._part, self._pieces = format_name, part, iter(pieces)
        self._prolog, self._tags = PrologGuard(format_name, part), 0
        self._parser, self._top = _parser_and_top()
        self.finished = False

    @property
    def root(self) -> Element | None:
        """The root element as far as it is built, names as they are; the last elements may still be open."""
        return self._top[0] if len(self._top) else None

    def grow(self) -> bool:
        """Reads another piece; returns whether there was anything left to read."""
        if self.finished:
            return False
        piece = next(self._pieces, None)
        try:
            if piece is None:
                self._parser.close()
                self.finished = True
                return True
            self._prolog.feed(piece)
            self._parser.feed(piece)
        except (ParseError, ValueError, LookupError) as error:
            raise ConversionFailed(self._format, f"the XML of its part {quoted(self._part)} is damaged") from error
        self._tags += piece.count(b"<")
        if self._tags > MAX_TAGS:
            raise TooLarge(MAX_BYTES)
        return True

    def keep_only_children(self, element: Element, kept: list[Element]) -> None:
        """Forgets the children of an element but these; all that was read may be forgotten now."""
        element[:] = kept
        self._tags = 0


def stream_elements(format_name: str, part: str, pieces: Iterable[bytes], name: str) -> Iterator[Element]:
    """Yields the elements of a name right below the root, each forgotten afterwards; names stay as they are."""
    tree = GrowingTree(format_name, part, pieces)
    while tree.grow():
        root = tree.root
        done = [] if root is None else root[:] if tree.finished else root[:-1]
        if root is not None and done:
            yield from (element for element in done if local_name(element) == name)
            tree.keep_only_children(root, root[len(done) :])


def parse_xml_keeping_namespaces(format_name: str, part: str, content: bytes, is_complete: bool) -> Element:
    """Returns the root element, names as `{namespace}name`; XML that is not `is_complete` may break off anywhere."""
    if len(content) > MAX_BYTES or content.count(b"<") > MAX_TAGS:
        raise TooLarge(MAX_BYTES)
    PrologGuard(format_name, part).feed(content)
    parser, top = _parser_and_top()
    try:
        parser.feed(content)
        if is_complete:
            parser.close()
        return top[0]
    except (ParseError, ValueError, LookupError) as error:
        raise ConversionFailed(format_name, f"the XML of its part {quoted(part)} is damaged") from error


def local_name(element: Element) -> str:
    """Returns the name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def _parser_and_top() -> tuple[XMLParser, Element]:
    """Returns a parser, and the element below which it builds: what is there can be taken before the end."""
    builder = TreeBuilder()
    top = builder.start("", {})
    return XMLParser(target=builder), top  # noqa: S314  # a document type is refused first, so there are no entities


def _refuse_depth(format_name: str, part: str, root: Element) -> None:
    """Refuses XML that is nested too deep."""
    level = [root]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
        if not level:
            return
    raise ConversionFailed(format_name, f"the XML of its part {quoted(part)} is nested more than {MAX_DEPTH} deep")


def shorten_names(root: Element) -> None:
    """Gives an element and all below it the names that `parse_xml` gives."""
    short: dict[str, str] = {}
    for element in root.iter():
        tag = element.tag
        if tag not in short:
            short[tag] = _prefixed_name(tag)
        element.tag = short[tag]
        if not element.attrib:
            continue
        for name in [name for name in element.attrib if name[0] == "{"]:
            if name not in short:
                short[name] = _prefixed_name(name)
            element.attrib[short[name]] = element.attrib.pop(name)


def _prefixed_name(name: str) -> str:
    """Returns a name with the prefix that its namespace has here; without one where it has none."""
    namespace, closed, local = name[1:].partition("}")
    if not closed:
        return name
    prefix = PREFIXES.get(namespace)
    return f"{prefix}:{local}" if prefix else local
