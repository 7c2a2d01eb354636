"""The bounds that the pages state are those that are kept: a number cannot change in one place alone."""

from importlib import import_module
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
UNITS = {"GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "million": 10**6}
TIMES = {1: "once", 2: "twice"}
WORDS = {3: "three", 4: "four", 5: "five", 10: "ten", 16: "sixteen"}

STATED = [
    ("cli.md", "to its end and at most {}; it is", "source.standard_input.MAX_BYTES:GiB"),
    ("corpus.md", "died at each of {} tries", "corpus.convert_in_batches.MAX_TRIES:word"),
    ("corpus.md", "Dask and Ray start each try {} more", "corpus.dask.RETRIES:times"),
    ("corpus.md", "Dask and Ray start each try {} more", "corpus.ray.RETRIES:times"),
    ("corpus.md", "or of {} seconds", "dataset.shards.MAX_SECONDS:word"),
    ("corpus.md", "one small request each, {} at a time", "corpus.source_paths.ASKED_AT_ONCE:word"),
    ("corpus.md", "shards of about {}", "dataset.shards.MAX_BYTES:MiB"),
    ("documents.md", "Converted pages are kept in memory ({})", "documents.unit_cache.MAX_IN_MEMORY:MiB"),
    ("documents.md", "`documents` of `cache_dir` ({})", "documents.conversion_resources.MAX_STORED_BYTES:MiB"),
    ("documents.md", "is not tried again for {} seconds", "documents.unit_cache.RETRY_AFTER_S:"),
    ("documents.md", "is started again, {} at most in a read", "documents.crash_tolerant_conversion.MAX_KILLS:times"),
    ("documents.md", "| `TooLarge` | above {},", "documents.documents.MAX_BYTES:MiB"),
    ("documents.md", "has overlapping parts or more than {}", "documents.zip_container.MAX_PARTS:,"),
    ("documents.md", "slides of PPT with more than {} records", "documents.ppt.MAX_RECORDS:,"),
    ("documents.md", "nested more than {} levels deep", "documents.xml_tree.MAX_DEPTH:"),
    ("documents.md", "or more than {} in HTML", "documents.html.MAX_DEPTH:,"),
    ("documents.md", "holds more than {} of HTML in one piece", "documents.html.MAX_BYTES:MiB"),
    ("documents.md", "a part that unpacks to more than {} and", "documents.zip_container.RATIO_COUNTS_FROM:MiB"),
    ("documents.md", "and {} times its packed size", "documents.zip_container.MAX_RATIO:"),
    ("documents.md", "parts of more than {} in all", "documents.zip_container.MAX_TOTAL:MiB"),
    ("documents.md", "in all (in XLSX and ODS {})", "documents.zip_container.MAX_STREAMED:GiB"),
    ("documents.md", "must be read from a part of more than {}", "documents.zip_container.MAX_PART:MiB"),
    ("documents.md", "gives more than {} of Markdown in one go", "documents.worker.wire_frames.MAX_OUTPUT:MiB"),
    ("documents.md", "| {} words | `<!-- tables", "documents.pdf.table_search.find_tables.MAX_WORDS:,"),
    ("documents.md", "| {} drawn segments", "documents.pdf.page_content.vector_paths.MAX_SEGMENTS:,"),
    ("documents.md", "segments, {} objects", "documents.pdf.page_content.vector_paths.MAX_OBJECTS:,"),
    ("documents.md", "objects, {} shaded areas", "documents.pdf.page_content.ruling_lines.MAX_SHADES:,"),
    ("documents.md", "| {} rows or", "documents.pdf.table_grid.grid_builder.MAX_ROWS:,"),
    ("documents.md", "rows or {} columns in what may be", "documents.pdf.table_grid.grid_builder.MAX_COLUMNS:,"),
    ("documents.md", "| {} links |", "documents.pdf.page_content.page_links.MAX_LINKS:,"),
    ("documents.md", "| {} notes, comments and fields |", "documents.pdf.page_content.annotations.MAX_ANNOTATIONS:,"),
    ("documents.md", "{} entries of an outline", "documents.pdf.document_facts.bookmark_titles.MAX_ENTRIES:,"),
    ("documents.md", "and {} tags of a page", "documents.pdf.page_content.structure_tags.MAX_ELEMENTS:,"),
    ("documents.md", "A paragraph of more than {} char", "documents.pdf.page_text.paragraph_breaks.LONGEST:,"),
    ("documents.md", "In a document of more than {} pages", "documents.pdf.document_facts.profile.MAX_SAMPLED:"),
    ("documents.md", "on at least {} pages", "documents.pdf.document_facts.running_lines.MIN_PAGES:word"),
    ("documents.md", "one of the {} outermost", "documents.pdf.document_facts.running_lines.OUTERMOST:word"),
    ("documents.md", "at least {} lines and", "documents.pdf.document_facts.running_lines.MIN_LEFT:word"),
    ("documents.md", "| at most | {} columns", "documents.markdown_blocks.MAX_COLUMNS:"),
    ("documents.md", "columns, and {} rows", "documents.sheet_markdown.MAX_ROWS:,"),
    ("documents.md", "at most {} points", "documents.office_charts.MAX_POINTS:,"),
    ("documents.md", "points and {} series", "documents.office_charts.MAX_SERIES:"),
    ("documents.md", "named in the first chapter, up to {}.", "documents.epub.MAX_NAMED:"),
    ("documents.md", "a list of what is attached, up to {}.", "documents.message_markdown.MAX_PARTS:,"),
    ("documents.md", "up to three deep and {} in all", "documents.mail.MAX_MESSAGES:"),
    ("documents.md", "A sheet whose XML is larger than {}", "documents.document_parts.MAX_WHOLE:MiB"),
    ("documents.md", "is read in parts of {} of it each", "documents.document_parts.PART_BYTES:KiB"),
    ("documents.md", "begin within the first {} of its XML", "documents.xml_chunks.MAX_HEAD:MiB"),
    ("documents.md", "become Markdown tables in parts of {} rows", "documents.sqlite.PART_ROWS:,"),
    ("documents.md", "become one table in parts of {} rows", "documents.arrow.PART_ROWS:,"),
    ("frameworks/pydantic_ai.md", "A run survives {} wrong calls", "adapters.pydantic_ai.RETRIES:word"),
    ("envelope.md", "the first {} bytes", "dialects.envelope.SAMPLE_BYTES:"),
    ("envelope.md", "| lines of a reply | {}, at most", "dialects.envelope.DEFAULT_LIMIT:"),
    ("envelope.md", "| lines of a reply | 500, at most {} |", "dialects.envelope.HARD_LIMIT:"),
    ("errors.md", "Only the first {} names of a directory", "source.missing_names.MAX_NAMES:,"),
    ("errors.md", "a contained name has at least {} characters", "similar_names.SHORTEST_CONTAINED:"),
    ("errors.md", "up to {} names from its directory", "similar_names.MAX_NAMES:word"),
    ("faq.md", "for files from {} on the complete line index", "text.line_index_cache.STORED_FROM:MiB"),
    ("http.md", "| a body of more than {},", "doors.mcp.http_server.MAX_BODY_BYTES:KiB"),
    ("http.md", "must have at least {} visible ASCII", "doors.mcp.bearer_token.MIN_LENGTH:"),
    ("http.md", "| connections | {},", "doors.mcp.http_connections.MAX_CONNECTIONS:"),
    ("http.md", "| running calls | {} reads", "doors.mcp.executors.READS:"),
    ("http.md", "reads and {} conversions; further", "doors.mcp.executors.CONVERSIONS:"),
    ("images.md", "The longest side has {} pixels", "documents.image_size.LONGEST_SIDE:"),
    ("images.md", "changes it, up to {}.", "documents.image_size.MAX_SIDE:"),
    ("images.md", "Pages are PNGs of {} colours", "documents.image_conversion.PAGE_COLOURS:"),
    ("images.md", "At most {} pages come in one reply", "documents.requested_page_images.MAX_PAGES:"),
    ("images.md", "by squares of {} pixels", "encoded_image.PATCH:"),
    ("images.md", "Below a confidence of {} the comment", "documents.pdf.scans.page_recognition.UNSURE:"),
    ("images.md", "that its words need, up to {} times", "documents.pdf.scans.page_recognition.MAX_CLOSER:"),
    ("images.md", "takes more than {} seconds of processor time or", "documents.pdf.scans.page_recognition.LONGEST_S:"),
    ("images.md", "takes more than {} seconds of processor time is shown", "documents.pdf.page_bitmap.DRAWING_S:"),
    ("images.md", "less than {} points high", "documents.pdf.page_content.embedded_images.MIN_SIDE:"),
    ("ledger.md", "Of more than {} calls the page", "report.recent_calls.MAX_CALLS:,"),
    ("ledger.md", "Of more than {} callers", "report.ledger.MAX_CALLERS:"),
    ("ledger.md", "Of a file of more than {} lines", "report.as_lcov.MAX_LINES:,"),
    ("ledger.md", "of all files together at most {}.", "report.as_lcov.MAX_ALL_LINES:,"),
    ("ledger.md", "only where more than {} files were shown", "report.ledger.MAX_FILES:,"),
    ("lines.md", "or at most one in {} bytes", "text.encoding_detection.FEW_NULS:"),
    ("lines.md", "begins with zeros: up to {} of them", "text.text_or_binary.MAX_ZEROS:MiB"),
    ("mcp.md", "the next piece of a scan ({} at most)", "text.line_index.PIECE:KiB"),
    ("mcp.md", "the next {} entries of a directory", "source.contract.ENTRIES_A_TICK:"),
    ("mcp.md", "a batch, or longer than {}.", "doors.mcp.json_rpc_messages.MAX_LINE_BYTES:MiB"),
    ("native.md", "the path to its last {} characters", "dialects.native.budget.SHORT_PATH:"),
    ("native.md", "If more than {} characters are left", "text.line_reader.REST_COUNTED_UP_TO:,"),
    ("native.md", "`max_tokens` (at least {} here)", "dialects.native.batch_request.MIN_BATCH_TOKENS:"),
    ("native.md", "At most {} files and", "source.files_by_glob.MAX_FILES:,"),
    ("native.md", "files and {} entries looked at", "source.files_by_glob.MAX_SEEN:,"),
    ("native.md", "An image of more than {} pixels", "documents.image_conversion.MAX_PIXELS:million"),
    ("native.md", "would each get fewer than {} lines", "batch_read.FEW_LINES:"),
    ("native.md", "on its longer side and {} bytes", "documents.image_conversion.MAX_BYTES:,"),
    ("native.md", "`rev` is {} hexadecimal digits", "source.revision.DIGITS:"),
    ("native.md", "Up to {} it is a hash of the content", "source.revision.HASHED_UP_TO:MiB"),
    ("native.md", "| entries counted | {} |", "dialects.native.MAX_SORTED_ENTRIES:,"),
    ("native.md", "| look-alikes named | {} |", "similar_names.MAX_NAMES:"),
    ("opencode.md", "Then the first {} bytes: a NUL", "dialects.opencode.SAMPLE_BYTES:"),
    ("opencode.md", "and so are more than {} %", "dialects.opencode.CONTROL_PERCENT:"),
    ("opencode.md", "| `limit` | {} | how many", "dialects.opencode.DEFAULT_READ_LIMIT:"),
    ("outline.md", "on one line of at most {} characters", "structure.text_part.LONGEST:"),
    ("outline.md", "as deep as {} rows allow", "structure.text_part.MAX_DEEP_ROWS:"),
    ("outline.md", "in one row of at most {} characters", "readings.folder_outline.MAX_CHAIN:,"),
    ("outline.md", "characters, {} rows at most", "readings.folder_outline.MAX_ROWS:"),
    ("outline.md", "Code and Markdown beyond {},", "readings.file_structure.MAX_CODE:MiB"),
    ("outline.md", "data beyond {} and code", "readings.file_structure.MAX_DATA:MiB"),
    ("outline.md", "code with lines of more than {} characters", "documents.structure_converter.LONGEST_LINE:,"),
    ("outline.md", "Of a JSON array the first {} items", "structure.json_tokens.MAX_ITEMS:"),
    ("packed.md", "known to hold at most {} is counted", "text.indexed_text.MAX_UNPACKED:MiB"),
    ("packed.md", "packed again in pieces of {},", "packed.unpacking_stream.PIECE:MiB"),
    ("packed.md", "at most {} in all.", "packed.archive_lookup.MAX_STORED:MiB"),
    ("packed.md", "* More than {},", "packed.packing_detection.MAX_UNPACKED:GiB"),
    ("packed.md", "or more than {} times the packed size", "packed.packing_detection.MAX_RATIO:,"),
    ("packed.md", "the packed size beyond {},", "packed.packing_detection.RATIO_COUNTS_FROM:MiB"),
    ("policy.md", "* one of more than {} or", "source.ignore_file_cache.MAX_BYTES:KiB"),
    ("policy.md", "or {} lines;", "source.ignore_file_cache.MAX_LINES:"),
    ("qq.md", "in steps of {} lines", "dialects.qq.MAX_LINES_PER_READ:"),
    ("remote.md", "size, version and {} |", "remote.remote_file.HEAD:KiB"),
    ("remote.md", "the whole object once, in ranges of {},", "remote.readahead.LARGEST:MiB"),
    ("remote.md", ", {} under way |", "remote.readahead.UNDER_WAY:"),
    ("remote.md", "| 1 for each {} entries |", "remote.s3_store.PAGE:"),
    ("remote.md", "the whole object once, at most {},", "remote.remote_file.MAX_SPOOLED:MiB"),
    ("remote.md", "tried again, up to {} times", "remote.http_request.TRIES:"),
    ("remote.md", "at most {} connections to a root", "remote.connection_pool.MOST:"),
    ("remote.md", "of an object of up to {} is then a hash", "remote.remote_file.READ_ON_FROM:MiB"),
    ("search.md", "A line of more than {} characters is cut", "search.excerpts.LONGEST:"),
    ("search.md", "A pattern may have {} characters", "search.search_pattern.LONGEST:,"),
    ("search.md", "characters, {} classes such as", "search.search_pattern.MOST_CLASSES:"),
    ("search.md", "and {} instructions of RE2", "search.stepwise_matching.LARGEST_PROGRAM:,"),
    ("search.md", "a line of more than {} may then be", "search.stepwise_matching.SHORTEST_STEP:KiB"),
    ("search.md", "matches at most; default {} |", "dialects.native.search_request.LIMIT:"),
    ("search.md", "A line longer than {} is searched in pieces", "search.file_pieces.PIECE:MiB"),
    ("security.md", "8 bytes for each {} that was counted", "text.line_index.BLOCK:KiB"),
    ("security.md", "on disk {} of each", "text.line_index_cache.MAX_STORED:MiB"),
    ("security.md", "| a path | {} bytes", "dialects.params.MAX_PATH_BYTES:"),
    ("security.md", "bytes, {} in each part", "dialects.params.MAX_NAME_BYTES:"),
    ("security.md", "| links on the way | {} |", "source.confined_open.MAX_LINKS:"),
]
"""Pages, what they say, and which constant they tell in which unit (`,` for thousands)."""


def kept(told):
    """The bound that is kept, as a page spells it."""
    name, _, unit = told.partition(":")
    module, _, constant = name.rpartition(".")
    value = getattr(import_module(f"readwell.{module}"), constant)
    if unit in ("times", "word"):
        return (TIMES if unit == "times" else WORDS).get(value, str(value))
    if unit in UNITS:
        return f"{value / UNITS[unit]:g} {unit}"
    return f"{value:{unit}}" if isinstance(value, int) else f"{value:g}"


@pytest.mark.parametrize("page", sorted({page for page, _, _ in STATED}))
def test_the_bounds_that_a_page_states_are_those_that_are_kept(page):
    text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
    claims = [claim.format(kept(told)) for name, claim, told in STATED if name == page]
    assert [claim for claim in claims if claim not in text] == []
