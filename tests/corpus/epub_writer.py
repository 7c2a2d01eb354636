"""Books with known content, and some that are meant to harm: made anew each time, the same bytes every time."""

from corpus.packing import packed

CONTAINER = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="{}"/></rootfiles></container>'


def page(body):
    return f'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{body}</body></html>'


def book(chapters, spine=None, package="OEBPS/content.opf", extra=None, types=None):
    """An EPUB of chapters by name; `spine` lists them in the order of reading."""
    items = "".join(
        f'<item id="{name}" href="{name}" media-type="{(types or {}).get(name, "application/xhtml+xml")}"/>'
        for name in chapters
    )
    listed = "".join(f'<itemref idref="{name}"/>' for name in (spine or chapters))
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER.format(package),
            package: f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{listed}</spine></package>',
            **{f"OEBPS/{name}": content for name, content in chapters.items() if content is not None},
            **(extra or {}),
        },
        stored=("mimetype",),
    )


def novel():
    """Three chapters, read in another order than they are stored."""
    picture = '<img src="data:image/png;base64,AAAA" alt="A map"/>'
    return book(
        {
            "two.xhtml": page("<h1>Two</h1><p>Later &amp; <b>louder</b>.</p><ul><li>a<ul><li>b</li></ul></li></ul>"),
            "one.xhtml": page(f"<h1>One</h1><p>It began.</p>{picture}<script>alert(1)</script>"),
            "table.xhtml": page("<table><tr><th>a</th><th>b</th></tr><tr><td>1<br/>2</td><td>p|q</td></tr></table>"),
        },
        spine=["one.xhtml", "two.xhtml", "table.xhtml"],
    )


def loop():
    """A spine that names the same chapter again and again, one that is not there, and a picture."""
    return book(
        {"a.xhtml": page("<p>again</p>"), "gone.xhtml": None, "cover.jpg": "no text"},
        spine=["a.xhtml", "gone.xhtml", "a.xhtml", "nowhere", "cover.jpg"] * 500,
        types={"cover.jpg": "image/jpeg"},
    )


def outside():
    """A chapter that names a file outside of the book."""
    return book({"../../../etc/hostname": None, "a.xhtml": page("<p>inside</p>")})


def entities():
    lol = '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/hostname">]>'
    return book({"a.xhtml": page("<p>&b; &x; end</p>").replace("<!DOCTYPE html>", lol)})


def locked():
    cipher = '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherReference URI="{}"/></encryption>'
    return book({"a.xhtml": "noise"}, extra={"META-INF/encryption.xml": cipher.format("OEBPS/a.xhtml")})


def locked_font():
    cipher = '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherReference URI="{}"/></encryption>'
    return book({"a.xhtml": page("<p>free</p>")}, extra={"META-INF/encryption.xml": cipher.format("OEBPS/f.otf")})


def wrong_types():
    """Chapters that the book calls something else."""
    types = {"a.xhtml": "text/plain", "b.HTML": "application/octet-stream"}
    return book({"a.xhtml": page("<p>plainly</p>"), "b.HTML": page("<p>octets</p>")}, types=types)


GOOD = [
    ("wrong_types.epub", wrong_types),
    ("novel.epub", novel),
    ("loop.epub", loop),
    ("outside.epub", outside),
    ("entities.epub", entities),
    ("locked_font.epub", locked_font),
]
BAD = [
    ("locked.epub", locked),
    ("no_container.epub", lambda: packed({"mimetype": "application/epub+zip"})),
    ("no_package.epub", lambda: packed({"META-INF/container.xml": CONTAINER.format("content.opf")})),
    ("no_spine.epub", lambda: book({})),
    ("package_entity.epub", lambda: packed({"META-INF/container.xml": "<!DOCTYPE x><container/>"})),
    ("deep.epub", lambda: book({"a.xhtml": "<div>" * 5000 + "deep"})),
]
FILES = GOOD + BAD
