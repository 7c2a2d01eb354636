"""Edits of a file as editors, loggers and rotation make them, drawn at random; each says in a word what it did."""

import os

ENDS = (b"\n", b"\n", b"\r\n", b"\r")
ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-16-le", "utf-16-le", "latin-1")
WORDS = ("a", "value", "é", "ÄÖÜ and more", "x" * 90, "", "\t")


class Editor:
    """Edits one file; `random` decides what, where and how much."""

    def __init__(self, path, random):
        self._path, self._random = path, random
        self._encoding = random.choice(ENCODINGS)
        self._bom = b"\xff\xfe" if self._encoding == "utf-16-le" else b""
        self._numbered = 0

    def rows(self, size):
        """At least so many bytes of rows, no two of them alike."""
        random, rows, length = self._random, [], 0
        while length < size:
            self._numbered += 1
            end = random.choice(ENDS).decode()
            row = f"{self._numbered} {random.choice(WORDS)}{end}".encode(self._encoding)
            # Whole stretches of rows that differ in one place keep large files quick to make.
            rows.append(row * max(1, min(4096, (size - length) // 400)))
            length += len(rows[-1])
        return b"".join(rows)

    def make(self, size):
        """Writes the file anew."""
        with open(self._path, "wb") as file:
            file.write(self._bom + self.rows(size))

    def edit(self):
        """Makes one edit."""
        kinds = [
            self.append,
            self.append_half_a_row,
            self.insert,
            self.insert,
            self.overwrite,
            self.overwrite_and_grow,
            self.join_rows_and_append,
            self.truncate,
            self.truncate_and_regrow,
            self.rewrite_and_keep_the_time,
            self.replace,
            self.rotate,
            self.leave_a_hole,
        ]
        kind = self._random.choice(kinds)
        kind()
        return kind.__name__

    def append(self):
        self._write(self._size(), self.rows(self._random.randrange(1, 3000)))

    def append_half_a_row(self):
        self._write(self._size(), "half a row".encode(self._encoding))

    def insert(self):
        at = self._place()
        with open(self._path, "rb") as file:
            file.seek(at)
            behind = file.read()
        self._write(at, self.rows(self._random.choice((1, 500, 70_000))) + behind)

    def overwrite(self):
        at = self._place()
        self._write(at, self.rows(self._random.choice((1, 900, 70_000)))[: max(0, self._size() - at)])

    def overwrite_and_grow(self):
        self.overwrite()
        self.append()

    def join_rows_and_append(self):
        at = self._place()
        with open(self._path, "rb") as file:
            file.seek(at)
            found = file.read(5000)
        self._write(at, found.translate(bytes(32 if byte in b"\r\n" else byte for byte in range(256))))
        self.append()

    def truncate(self):
        os.truncate(self._path, max(len(self._bom), self._place()))

    def truncate_and_regrow(self):
        size = self._size()
        self.truncate()
        self._write(self._size(), self.rows(size - self._size() + self._random.choice((0, 1, 5000))))

    def rewrite_and_keep_the_time(self):
        found = os.stat(self._path)
        self.overwrite()
        os.utime(self._path, ns=(found.st_atime_ns, found.st_mtime_ns))

    def replace(self):
        size, other = self._size(), f"{self._path}.new"
        with open(other, "wb") as file:
            file.write((self._bom + self.rows(size))[: size + self._random.choice((0, 2, -2))])
        os.replace(other, self._path)

    def rotate(self):
        size = self._size()
        os.replace(self._path, f"{self._path}.1")
        self.make(min(size, 200_000))

    def leave_a_hole(self):
        self._write(self._size() + self._random.choice((2, 200_000)) // 2 * 2, self.rows(100))

    def _size(self):
        return os.path.getsize(self._path)

    def _place(self):
        """Anywhere behind the mark, on the first byte of a unit; often near the end."""
        size, mark = self._size(), len(self._bom)
        near_the_end = self._random.random() < 0.4
        least = max(mark, size - 70_000) if near_the_end else mark
        return self._random.randrange(least, max(least, size) + 1) // 2 * 2

    def _write(self, at, content):
        with open(self._path, "r+b") as file:
            file.seek(at)
            file.write(content)
