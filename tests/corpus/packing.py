"""ZIP containers with the same bytes every time, and containers that are meant to harm."""

import struct
import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo


def packed(parts, stored=()):
    """A ZIP of parts by name; those named in `stored` are not deflated."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as container:
        for name, content in parts.items():
            member = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.compress_type = ZIP_STORED if name in stored else ZIP_DEFLATED
            member.create_system = 3
            container.writestr(member, content.encode() if isinstance(content, str) else content)
    return buffer.getvalue()


def entry(name, size, packed_size, offset, flags=0, method=8, checksum=0):
    """One record of a ZIP's directory, saying whatever one likes."""
    fixed = struct.pack(
        "<4s6H3I5H2I",
        b"PK\1\2",
        20,
        20,
        flags,
        method,
        0,
        33,
        checksum,
        packed_size,
        size,
        len(name),
        0,
        0,
        0,
        0,
        0,
        offset,
    )
    return fixed + name


def with_directory(body, entries):
    """A ZIP from its parts as they stand and the records of its directory."""
    directory = b"".join(entries)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    return body + directory + end


def local(name, content, size=None, flags=0):
    """A part as it stands in a ZIP, its declared size and the checksum of its content: (bytes, size, checksum)."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = deflate.compress(content) + deflate.flush()
    checksum = zlib.crc32(content)
    size = len(content) if size is None else size
    header = struct.pack("<4s5H3I2H", b"PK\3\4", 20, flags, 8, 0, 33, checksum, len(raw), size, len(name), 0)
    return header + name + raw, len(raw), checksum


def lying(name, content, size):
    """A container whose one part inflates to more than it declares."""
    body, packed_size, checksum = local(name, content, size)
    return with_directory(body, [entry(name, size, packed_size, 0, checksum=checksum)])


def overlapping(name, content, count):
    """A container in which many names stand for the same bytes."""
    body, packed_size, checksum = local(name, content)
    names = [name, *(b"%0*d" % (len(name), number) for number in range(count))]
    return with_directory(body, [entry(each, len(content), packed_size, 0, checksum=checksum) for each in names])


def encrypted(name):
    """A container whose part is marked as encrypted."""
    body, packed_size, checksum = local(name, b"noise", flags=1)
    return with_directory(body, [entry(name, 5, packed_size, 0, flags=1, checksum=checksum)])


def crowded(count):
    """A container of very many empty parts."""
    return packed({f"{number}": "" for number in range(count)})


def ole_header(*streams):
    """The header and directory of an OLE file with streams of these names, enough to be told by."""
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header[26:32] = b"\3\0\xfe\xff\x09\0"
    header[48:52] = struct.pack("<I", 0)
    directory = b"".join(name.encode("utf-16-le").ljust(128, b"\0") for name in ("Root Entry", *streams))
    return bytes(header) + directory.ljust(512, b"\0")
