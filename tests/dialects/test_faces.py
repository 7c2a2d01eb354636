"""What the Python faces have in common: the settings of their tools, and how they end."""

import inspect

import pytest

from every_dialect import path_param, require_every_dialect
from readwell import Reader
from readwell.audit import AuditFile
from readwell.dialect_class import ToolSettings
from readwell.dialects.native.settings import Settings
from readwell.envelope import ReadTool as EnvelopeTool
from readwell.opencode import ReadParams
from readwell.opencode import ReadTool as OpencodeTool
from readwell.path_names import printable
from readwell.policy import SECRETS
from readwell.qq import FileManager

FACES = require_every_dialect(
    {
        "qq": lambda root, **settings: FileManager(root, **settings),
        "envelope": lambda root, **settings: EnvelopeTool(root, **settings),
        "opencode": lambda root, **settings: OpencodeTool(root=root, **settings),
        "native": lambda root, **settings: Reader(root, **settings),
    }
)


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    for name in (".env", "a.txt", "a.log", "b.log"):
        (root / name).write_text("one\ntwo\n")
    (root / ".aiignore").write_text("b.log\n")
    return root


def verdict(face, name):
    """Whether a file is read, by what the face's own tool answers."""
    reply = face.tool.reply({path_param(face.tool.dialect.name): name})
    return "denied" if reply.is_error and "policy" in reply.text else "failed" if reply.is_error else "read"


def verdicts(face):
    return [verdict(face, name) for name in (".env", "a.txt", "a.log", "b.log")]


@pytest.mark.parametrize("make", FACES.values(), ids=FACES)
def test_every_face_denies_what_it_is_told_to_deny(root, make):
    with make(root) as face:
        assert verdicts(face) == ["read"] * 4
    with make(root, deny=[*SECRETS, "*.log"], allow=["a.log"]) as face:
        assert verdicts(face) == ["denied", "read", "read", "denied"]
    with make(root, ignore_files=True) as face:
        assert verdicts(face) == ["read", "read", "read", "denied"]
    with make(root, deny_hardlinks=True) as face:
        (root / "c.txt").hardlink_to(root / "a.txt")
        assert verdicts(face) == ["read", "denied", "read", "read"]


@pytest.mark.parametrize("make", FACES.values(), ids=FACES)
def test_every_face_keeps_account_and_keeps_what_it_is_told_where(root, make, tmp_path):
    log, records = tmp_path / "audit.jsonl", []
    with make(root, audit=records.append, cache_dir=tmp_path / "cache", deadline_s=60, same_filesystem=True) as face:
        verdict(face, "a.txt")
    with make(root, audit=AuditFile(str(log)), cache_dir=None, on_progress=None, password=None) as face:
        verdict(face, "a.txt")
    assert ([record.verdict for record in records], log.read_text().count("\n")) == (["read"], 1)


@pytest.mark.parametrize("make", FACES.values(), ids=FACES)
def test_every_face_refuses_settings_that_cannot_be_meant(root, make):
    for settings in ({"deny": "*.log"}, {"deny": ["/"]}):
        with pytest.raises(ValueError):
            make(root, **settings)
    with pytest.raises(TypeError):
        make(root, denny=["*.log"])


def test_the_reader_refuses_settings_that_cannot_be_meant(root):
    for settings in ({"limit": 0}, {"total": "often"}, {"count_tokens": None}):
        with pytest.raises((ValueError, TypeError), match=next(iter(settings))):
            Reader(root, **settings)


def test_the_shared_settings_are_those_of_the_reader_that_are_not_about_words():
    of_reader = {*inspect.signature(Reader.__init__).parameters} - {"self", "root", *Settings._fields}
    assert of_reader == {*ToolSettings.__annotations__}


def test_the_parameters_of_opencode_are_described(root):
    tool = OpencodeTool(root=root)
    assert tool.parameters is ReadParams
    fields = ReadParams.model_json_schema()["properties"]
    described = {name: field["description"] for name, field in fields.items()}
    told = tool.tool.dialect_tool.schema["properties"]
    assert described == {name: told[name]["description"] for name in told}


@pytest.mark.parametrize("documents", [False, True])
def test_opencode_says_of_documents_what_it_does_with_them(root, documents):
    said = OpencodeTool(root=root, documents=documents).description
    assert ("- Binary files are refused." in said) is not documents
    assert ("converted to Markdown; other binary files are refused" in said) is documents
    assert "{" not in said


class _Converter:
    """As the published design has it: an object with `convert(path)`."""

    def __init__(self):
        self.seen = []

    def convert(self, path):
        with open(path, "rb") as file:
            self.seen.append((path.rpartition("/")[2], file.read()))
        return "# from the converter\n\ntwo\n"


class _Result:
    text_content = "# from a result"


def test_a_document_reader_can_be_set_as_a_function_or_an_object(root):
    (root / "report.pdf").write_bytes(b"%PDF-1.4 not much of one")
    converter = _Converter()
    with FileManager(root, document_reader=lambda content, name: f"# {name}: {len(content)}") as files:
        assert files.read_file("report.pdf").endswith("\n# report.pdf: 24")
        files.document_reader = converter
        assert files.document_reader is converter
        assert files.read_file("report.pdf", 3).endswith("\ntwo")
        assert converter.seen == [("report.pdf", b"%PDF-1.4 not much of one")]
        converter.convert = lambda path: _Result()
        assert files.read_file("report.pdf").endswith("\n# from a result")
        converter.convert = lambda path: 7
        assert files.read_file("report.pdf") == (
            "Error: Could not convert 'report.pdf' to Markdown: the converter returned int, not str."
        )
        files.document_reader = None
        assert files.read_file("report.pdf").startswith("Error: Could not convert 'report.pdf' to Markdown: ")
        with pytest.raises(ValueError):
            files.document_reader = 7


def test_an_empty_file_is_no_failure_in_qq(root):
    (root / "empty.txt").write_text("")
    tool = FileManager(root).tool
    reply = tool.reply({"path": "empty.txt"})
    assert (reply.text, reply.is_error) == ("Start line 1 is out of bounds. Total lines: 0.", False)
    assert tool.reply({"path": "empty.txt", "start_line": 2}).is_error
    assert tool.reply({"path": "a.txt", "start_line": 3}).is_error


SHOWN_ESCAPED = "\u200e \u00ad \u200b \u2028 \u202e \u2060 \u3164 \ufeff \U000e0061 \ufe0f \x7f \x9b \udcff".split(" ")


@pytest.mark.parametrize("dialect", FACES)
@pytest.mark.parametrize("hidden", [*SHOWN_ESCAPED, "\n"], ids=ascii)
def test_a_name_that_is_shown_with_escapes_opens_as_it_is_shown(root, dialect, hidden):
    (root / f"a{hidden}b").mkdir()
    (root / f"a{hidden}b" / f"c{hidden}d.txt").write_text("found\n")
    shown = "a_b/c_d.txt".replace("_", printable(f"x{hidden}")[1:])
    with FACES[dialect](root, cache_dir=None) as face:
        name = path_param(dialect)
        reply = face.tool.reply({name: shown})
        assert not reply.is_error and "found" in reply.text
        (root / shown).parent.mkdir()
        (root / shown).write_text("another\n")
        if dialect != "native":  # which refuses what two entries are called
            assert "another" in face.tool.reply({name: shown}).text
        assert face.tool.reply({name: shown.replace("d.txt", "e.txt")}).is_error
