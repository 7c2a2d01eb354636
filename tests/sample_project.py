"""The project that the pages of the guide show: its files give the very replies that stand there."""

from corpus.pdf_documents import locked

FILES = {
    "src/app.py": b"import os\nimport json\n\n\ndef main():\n    print(json.dumps(dict(os.environ)))\n",
    "server.log": b"".join(b"event %d\n" % number for number in range(1, 5201)),
    "wide.json": b"[" + b"1234567890," * 500 + b"0]\n{}\n",
    "damaged.txt": "naïve café\nbad ".encode() + b"\xff byte\n",
    "mixed.txt": b"a\r\nb\nc",
    "empty.txt": b"",
    "report.pdf": b"%PDF-1.4\n1 0 obj\n<< >>\nendobj\n" + b"trailer << >>\n%%EOF\n".rjust(28),
}
ODD_FILES = {
    ".env": b"TOKEN=1\n",
    "old.txt": b"one\rtwo\rthree\n",
    "table.bin": b"\x00\x01\x02\x03" * 64,
    "umlaut.txt": "Grüße aus Köln\n".encode("cp1252"),
    "wide.txt": "wide\n".encode("utf-16-le"),
    "locked.pdf": locked(),
}


def make_project(root, files):
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    return root
