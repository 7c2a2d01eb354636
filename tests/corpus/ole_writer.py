"""Writes files of the old kind: OLE containers, and in them a Word document, a presentation and an Outlook message."""

import struct

SECTOR, SMALL, CUTOFF = 512, 64, 4096
END, FREE, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def ole(streams):
    """A container with such streams, by their paths: tuples of names, or a name."""
    tree = {}
    for path, content in streams.items():
        folder = tree
        *above, name = (path,) if isinstance(path, str) else path
        for each in above:
            folder = folder.setdefault(each, {})
        folder[name] = content
    entries, small, large = [], bytearray(), []
    root = _entry(entries, "Root Entry", 5)
    _fill(entries, root, tree, small, large)
    return _assembled(entries, root, bytes(small), large)


def _entry(entries, name, kind):
    entries.append({"name": name, "kind": kind, "right": FREE, "child": FREE, "start": END, "size": 0})
    return entries[-1]


def _fill(entries, folder, tree, small, large):
    before = None
    for name, content in tree.items():
        entry = _entry(entries, name, 1 if isinstance(content, dict) else 2)
        number = entries.index(entry)
        if before is None:
            folder["child"] = number
        else:
            before["right"] = number
        before = entry
        if isinstance(content, dict):
            _fill(entries, entry, content, small, large)
            continue
        entry["size"] = len(content)
        if len(content) >= CUTOFF:
            large.append((entry, content))
        elif content:
            entry["start"] = len(small) // SMALL
            small += content.ljust(-(-len(content) // SMALL) * SMALL, b"\0")
            entry["small"] = entry["start"], -(-len(content) // SMALL)


def _assembled(entries, root, small, large):
    sectors, table = [], []

    def put(content):
        first = len(sectors)
        pieces = [content[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(content), SECTOR)]
        sectors.extend(pieces)
        table.extend([*range(first + 1, first + len(pieces)), END])
        return first

    for entry, content in large:
        entry["start"] = put(content)
    small_table = [FREE] * (len(small) // SMALL)
    for entry in entries:
        start, count = entry.get("small", (0, 0))
        small_table[start : start + count] = [*range(start + 1, start + count), END][:count]
    small_at = put(struct.pack(f"<{len(small_table)}L", *small_table)) if small else END
    if small:
        root["start"], root["size"] = put(small), len(small)
    directory_at = put(b"".join(map(_packed, entries)))
    count = -(-(len(table) + 1) // 127)
    first = len(sectors)
    table += [TABLE] * count
    table += [FREE] * (count * 128 - len(table))
    sectors += [struct.pack("<128L", *table[at : at + 128]) for at in range(0, len(table), 128)]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<2L2L", 0, count, directory_at, 0)
    header += struct.pack("<5L", CUTOFF, small_at, -(-len(small_table) // 128), END, 0)
    header += struct.pack("<109L", *[*range(first, first + count), *[FREE] * (109 - count)])
    return header + b"".join(sectors)


def _packed(entry):
    name = entry["name"].encode("utf-16-le") + b"\0\0"
    head = name.ljust(64, b"\0") + struct.pack(
        "<HBB3L", len(name), entry["kind"], 1, FREE, entry["right"], entry["child"]
    )
    return head + bytes(36) + struct.pack("<LQ", entry["start"], entry["size"])


def doc(
    paragraphs, notes=(), lists=(b"", b""), flags=0, headers=None, header_boxes="", first_pages=(True,), even_pages=True
):
    """A Word document of paragraphs `(runs, end, style, properties)`, a run being `(text, properties)`; notes are texts.

    A note belongs to the character 2 in the text. `headers` are texts by their place: of six a section has, 0 is the
    header of even pages, 1 that of others, 2 and 3 are their footers, 4 the header of the first page, 5 its footer.
    """
    count = 6 * len(first_pages)
    stories = ["" for _ in range(6)] + [headers.get(place, "") for place in range(count)] if headers else []
    stories = [story and story + "\r" for story in stories]
    all_of_them = [
        *paragraphs,
        *(([(note, b"")], "\r", 0, b"") for note in notes),
        ([], "\r", 0, b""),
        *(([(story[:-1], b"")], "\r", 0, b"") for story in stories if story),
        *([([(header_boxes, b"")], "\r", 0, b"")] if header_boxes else ()),
    ]
    text = "".join("".join(run for run, _ in runs) + end for runs, end, _, _ in all_of_them)
    start = 0x400
    raw = text.encode("utf-16-le")
    at, chars, paras = start, [], []
    for runs, end, style, properties in all_of_them:
        begun = at
        for run, marks in [*runs, (end, b"")]:
            chars.append((at, marks))
            at += len(run.encode("utf-16-le"))
        paras.append((begun, struct.pack("<H", style) + properties))
    body = bytearray(bytes(start) + raw)
    body += bytes(-len(body) % 512)
    pages = len(body) // 512
    body += _page(chars, at, paragraphs=False) + _page(paras, at, paragraphs=True)
    sections = [len(body) + 8 * number for number in range(len(first_pages))]
    # Behind the properties of a section stands what would be another, but is none of it.
    body += b"".join(struct.pack("<2HBHB", 3, 0x300A, is_first, 0x300A, True) for is_first in first_pages)
    table, places = bytearray(), {}
    main = sum(_units("".join(run for run, _ in runs) + end) for runs, end, _, _ in paragraphs)
    noted = [sum(_units(note) + 1 for note in notes[:count]) for count in range(len(notes) + 1)]
    starts = [sum(map(_units, stories[:count])) for count in range(len(stories) + 1)]
    signs = [at // 2 for at in range(0, 2 * main, 2) if raw[at : at + 2] == b"\2\0"]
    parts = {
        0xFA: struct.pack("<3L", start, at, pages),
        0x102: struct.pack("<3L", start, at, pages + 1),
        0x1A2: b"\2" + struct.pack("<L2L", 16, 0, _units(text)) + struct.pack("<HLH", 0, start, 0),
        0xAA: struct.pack(f"<{len(signs) + 1}L", *signs, main) + bytes(2 * len(signs)) if notes else b"",
        0xB2: struct.pack(f"<{len(noted) + 1}L", *noted, noted[-1] + 1) if notes else b"",
        0xF2: struct.pack(f"<{len(stories) + 2}L", *starts, starts[-1] + 2) if headers else b"",
        0xCA: struct.pack(f"<{len(sections) + 1}L", *range(len(sections)), main)
        + b"".join(struct.pack("<HLHL", 0, at, 0, 0xFFFFFFFF) for at in sections),
        0x192: bytes([even_pages]).ljust(500, b"\0"),
        0x2EA: lists[1],
        0x2E2: lists[0],
    }
    for place, part in parts.items():
        places[place] = len(table), len(part)
        table += part
    struct.pack_into("<2H6xH", body, 0, 0xA5EC, 0xC1, 0x0200 | flags)
    boxed = _units(header_boxes) + bool(header_boxes)
    struct.pack_into("<3L", body, 0x4C, main, _units(text) - main - starts[-1] - boxed, starts[-1])
    struct.pack_into("<L", body, 0x4C + 28, boxed)
    for place, (where, length) in places.items():
        struct.pack_into("<2L", body, place, where, length)
    return ole({"WordDocument": bytes(body).ljust(CUTOFF, b"\0"), "1Table": bytes(table)})


def _units(text):
    """Characters as Word counts them."""
    return len(text.encode("utf-16-le")) // 2


def _page(runs, end, paragraphs):
    """A page of properties: where each run begins, where its properties are, and those, from the end of the page up."""
    page = bytearray(512)
    page[511] = len(runs)
    struct.pack_into(f"<{len(runs) + 1}L", page, 0, *(at for at, _ in runs), end)
    free = 510
    for number, (_, properties) in enumerate(runs):
        if not properties:
            continue
        body = properties + bytes(not len(properties) % 2) if paragraphs else properties
        head = bytes([(len(body) + 1) // 2]) if paragraphs else bytes([len(body)])
        free = (free - len(head) - len(body)) // 2 * 2
        page[free : free + len(head) + len(body)] = head + body
        page[4 * (len(runs) + 1) + number * (13 if paragraphs else 1)] = free // 2
    assert free > 4 * (len(runs) + 1) + len(runs) * (13 if paragraphs else 1)
    return bytes(page)


def numbered_list():
    """Two lists: one of numbers, one of bullets; as the tables of a Word document hold them."""
    lists = struct.pack("<H", 2)
    for name in (71, 72):
        lists += struct.pack("<ll", name, 0) + bytes(18) + b"\1\0"
    for kind, text in ((0, "\0."), (23, "•")):
        lists += struct.pack("<lB", 1, kind) + bytes(23) + struct.pack("<H", len(text)) + text.encode("utf-16-le")
    uses = struct.pack("<L", 2) + b"".join(struct.pack("<l", name) + bytes(12) for name in (71, 72))
    return lists, uses


def record(kind, content, instance=0):
    """A record of a presentation; one that is made of others is a list of them."""
    version = 0xF if isinstance(content, list) else 0
    body = b"".join(content) if isinstance(content, list) else content
    return struct.pack("<2HL", version | instance << 4, kind, len(body)) + body


def text_record(kind, text):
    """The records of a text: 0 is a title, 1 the body, 2 notes, 4 another."""
    return record(3999, struct.pack("<L", kind)) + record(4000, text.encode("utf-16-le"))


def ppt(slides, token=0xE391C05F, footers=b""):
    """A presentation of slides `(texts, table, notes)`: texts as `text_record` takes them, a table of rows, or None."""
    stream, places = b"", {}

    def put(content):
        nonlocal stream
        places[len(places) + 2] = len(stream)
        stream += content
        return len(places) + 1

    listed, noted = [], []
    for number, (texts, table, notes) in enumerate(slides):
        boxes = [record(0xF004, [record(0xF00D, [text_record(*text)])]) for text in texts[1:]]
        outlined = record(0xF004, [record(0xF00D, [record(3998, struct.pack("<L", 0))])])
        groups = [_table(table)] if table else []
        slide = put(
            record(1006, [record(1007, bytes(24)), record(1036, [record(0xF002, [outlined, *boxes, *groups])])])
        )
        listed += [record(1011, struct.pack("<5L", slide, 0, 0, 256 + number, 0)), text_record(*texts[0])]
        if notes:
            shape = record(0xF004, [record(0xF00D, [text_record(2, notes)])])
            page = put(record(1008, [record(1009, struct.pack("<2L", 256 + number, 0)), record(1036, [shape])]))
            noted.append(record(1011, struct.pack("<5L", page, 0, 0, 0, 0)))
    document, places[1] = len(stream), len(stream)
    stream += record(1000, [record(4080, listed, 0), record(4080, noted, 2), footers])
    directory = len(stream)
    stream += record(
        6002, struct.pack(f"<{len(places) + 1}L", 1 | len(places) << 20, *(places[n] for n in sorted(places)))
    )
    edit = len(stream)
    stream += record(4085, struct.pack("<2L3L2L", 0, 0, 0, directory, 1, 0, 0))
    user = record(4086, struct.pack("<3L", 0x14, token, edit) + bytes(12))
    assert document
    return ole({"PowerPoint Document": stream.ljust(CUTOFF, b"\0"), "Current User": user})


def _table(rows):
    cells = [
        record(
            0xF004, [record(0xF00F, struct.pack("<4l", 100 * x, 50 * y, 0, 0)), record(0xF00D, [text_record(4, text)])]
        )
        for y, row in enumerate(rows)
        for x, text in enumerate(row)
    ]
    return record(0xF003, [record(0xF004, [record(0xF122, struct.pack("<HL", 0x039F, 1), 1)]), *cells])


def properties(values, head):
    """The streams of a storage of a message: numbers and times in one, texts and bytes each in its own."""
    fixed, streams = bytes(head), {}
    for tag, value in values.items():
        if isinstance(value, int):
            fixed += struct.pack("<2HLQ", 0x40 if value >> 32 else 3, tag, 6, value)
        else:
            kind, raw = (0x1F, value.encode("utf-16-le")) if isinstance(value, str) else (0x102, value)
            fixed += struct.pack("<2HLQ", kind, tag, 6, len(raw))
            streams[f"__substg1.0_{tag:04X}{kind:04X}"] = raw
    return {**streams, "__properties_version1.0": fixed}


def msg(values, recipients=(), attachments=(), head=32):
    """A message; an attachment is its properties, or another message's streams."""
    return ole(dict(_paths(message(values, recipients, attachments, head))))


def message(values, recipients=(), attachments=(), head=24):
    """The streams and storages of a message."""
    found = properties(values, head)
    for number, each in enumerate(recipients):
        found[f"__recip_version1.0_#{number:08X}"] = properties(each, 8)
    for number, each in enumerate(attachments):
        inner = each.get("message")
        storage = properties({tag: value for tag, value in each.items() if tag != "message"}, 8)
        found[f"__attach_version1.0_#{number:08X}"] = storage | ({"__substg1.0_3701000D": inner} if inner else {})
    return found


def _paths(tree, above=()):
    for name, content in tree.items():
        if isinstance(content, dict):
            yield from _paths(content, (*above, name))
        else:
            yield (*above, name), content
