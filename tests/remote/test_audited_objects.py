"""The audit file of conversions of objects."""

import json

from remote_roots import put_all

from readwell.corpus import Options, convert


def test_an_object_is_one_line_by_its_address(moto, aws, tmp_path):
    aws(moto)
    put_all(moto, "recorded", {"folder/a.txt": b"one\ntwo\n"})
    options = Options(audit=str(tmp_path / "audit"))
    sources = ["s3://recorded/folder/a.txt", "s3://recorded/folder/none.txt"]
    codes = [found.error and found.error.code for found in (convert(source, options=options) for source in sources)]
    assert codes == [None, "NOT_FOUND"]
    records = [json.loads(line) for line in (tmp_path / "audit").read_text().splitlines()]
    assert [(each["path"], each["opened"], each["verdict"], each["range"]) for each in records] == [
        (sources[0], sources[0], "read", [1, 2]),
        (sources[1], None, "NotFound", None),
    ]
