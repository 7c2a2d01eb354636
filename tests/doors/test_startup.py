"""What the command line loads to read a small text. Each module takes its time; add one only if every read needs it."""

import subprocess
import sys

OWN = """
    call_runner config_files engine errors line_fitting fork_locks import_guard invisible_characters light_typing named_tuple path_names encoded_image policy tokens tokens.upper_bound
    tool tool_setup deadline window
    model model.request model.result model.search
    source source.confined_open source.contract source.disk_opener source.disk_source source.file_status source.pseudo_filesystems source.identity_cache source.open_roots source.descriptor_opener
    source.reread_check source.revision
    text text.decode text.encoding_detection text.file_text text.invisible_lines text.lines_in_memory text.line_index_cache text.text_or_binary
    text.line_ends
    documents documents.documents documents.format_detection
    packed packed.unpacking_opener packed.packing_detection
    readings readings.directory readings.document readings.image readings.packed_refusal readings.plain_text readings.reading readings.unchanged
    readings.views
    dialects dialects.dialect dialects.params
    dialects.native dialects.native.budget dialects.native.numbered_lines dialects.native.notices dialects.native.outline_rendering dialects.native.entry_names
    dialects.native.range_params dialects.native.rendering dialects.native.request dialects.native.search_request
    dialects.native.settings dialects.native.uncounted_rendering
    doors doors.cli doors.extras doors.value_parsers doors.call_options doors.security doors.settings doors.terminal
"""
OTHERS = "__future__ _struct _weakrefset gc stringzilla struct"
"""Beside what `python -m` needs itself."""
COMMAND = "import sys; from readwell.doors.cli import main; main(sys.argv[1:]); print(*sys.modules)"


def loaded_by(code, *args, cwd):
    """Returns the modules that a fresh interpreter lists; not in this directory, where it would import more with care."""
    ran = subprocess.run([sys.executable, "-c", code, *args], cwd=cwd, capture_output=True, text=True, check=True)
    return set(ran.stdout.splitlines()[-1].split())


def test_reading_a_small_text_loads_these_modules_and_no_others(tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    before = loaded_by(
        "import contextlib, runpy, sys; print(*sys.modules)", cwd=tmp_path
    )  # where runpy does not load it
    loaded = loaded_by(COMMAND, "a.txt", cwd=tmp_path) - before
    own = {"readwell", *(f"readwell.{name}" for name in OWN.split())}
    assert loaded - own - {*OTHERS.split(), "collections.abc", "errno"} == set()


def test_the_tokenizer_is_not_loaded_where_the_reply_is_surely_within_its_budget(tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    assert "splintr" not in loaded_by(COMMAND, "a.txt", "--max-tokens", "300", cwd=tmp_path)
