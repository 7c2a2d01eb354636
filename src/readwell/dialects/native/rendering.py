"""Rendering of a result: header, numbered lines, notices, and how to continue."""

from __future__ import annotations

from collections.abc import Sequence

from ...encoded_image import Picture
from ...model import Call, Notice, Position, ReadResult, Reply, ShownPart
from ...path_names import name_as_listed, path_for_caller
from .budget import KnownTokens, ReplyCost, bound_within, tokens_and_excess, tokens_or_bound
from .entry_names import escape_entry, shorten_entry
from .notices import notices_of
from .numbered_lines import lines_as_shown
from .outline_rendering import block_title, notice_remark, ocr_pages_text, outline_data, outline_header
from .settings import Settings
from .uncounted_rendering import continuation_pages, uncounted_body, uncounted_data

MAX_FRAME_BYTES, MAX_GUTTER_BYTES, MAX_MARK_BYTES = 2048, 24, 96
"""Upper bounds of header and remarks without the path, of a line number in a document, of the mark on a cut line."""
WITHOUT_LINES = ("path", "kind", "size", "mtime_ms", "revision", "tokens", "notices")
"""Fields of the data of a reply without lines."""
NEWLINES = {"lf": " LF", "crlf": " CRLF", "cr": " CR", "mixed": " mixed"}


def render(result: ReadResult, call: Call, settings: Settings) -> Reply:
    """Returns the reply to a result: text for the model, data for programs."""
    path = shown_path(result, call)
    if result.unchanged:
        return _unchanged_reply(result, path, settings)
    if result.picture:
        return _image_reply(result, result.picture, path, settings)
    notices, budget = notices_of(result), _budget(result, settings)
    header, last = _header(result, path), _last_remark(result, settings, budget)
    remarks = [notice_remark(notice) for notice in notices] if notices else []
    before, lines = _preceding_remark(result), _shown_lines(result, call, settings)
    text = "\n".join([header, *before, *lines, *remarks, last])
    tokens, excess = bound_within(text, budget // 2, settings) if len(text) <= budget // 2 else None, 0
    if tokens is None:
        if bound_within("\n".join([header, *remarks, last]), budget // 2, settings) is None:
            header, remarks = _shorten_header_and_remarks(result, path, notices, last, budget, settings)
            text = "\n".join([header, *before, *lines, *remarks, last])
        around = "\n".join([header, *before, ""]), "\n".join([*remarks, last])
        exact = result.window.reason == "tokens"
        tokens, excess = tokens_and_excess(text, budget, settings, around, _known_tokens(result), exact)
        excess = _limit_reduction(result, excess)
    return Reply(text, _reply_data(result, path, notices, tokens), excess=excess)


def _known_tokens(result: ReadResult) -> KnownTokens | None:
    """Returns what the numbered lines cost if that was found when the window was cut."""
    cost, window = result.request.limits.cost, result.window
    if not isinstance(cost, ReplyCost) or result.outline or result.kind == "directory":
        return None
    return None if result.part and result.part.uncounted else cost.known_tokens(window.lines, window.clipped)


def _limit_reduction(result: ReadResult, excess: int) -> int:
    """Returns by how much the limit of the window must be lowered for the reply to keep its budget."""
    limits, cost = result.request.limits, result.request.limits.cost
    return cost.limit_reduction(result.window, limits.tokens, excess) if isinstance(cost, ReplyCost) else excess


def render_if_over_budget(result: ReadResult, call: Call, settings: Settings) -> Reply:
    """Returns the reply if it may exceed its budget, otherwise an empty one."""
    window, budget = result.window, _budget(result, settings)
    gutter = MAX_GUTTER_BYTES if result.part else len(f"{window.start}{window.end}")
    frame = MAX_FRAME_BYTES + len(window.lines) * gutter + len(window.clipped) * MAX_MARK_BYTES + 4 * len(result.path)
    if result.unchanged or result.picture or bound_within(window.text, budget - frame, settings) is not None:
        return Reply("", {})
    return render(result, call, settings)


def _budget(result: ReadResult, settings: Settings) -> int:
    """Returns the tokens that a reply may use."""
    return result.max_tokens or settings.max_tokens


def _shorten_header_and_remarks(
    result: ReadResult,
    path: str,
    notices: Sequence[Notice],
    last: str,
    budget: int,
    settings: Settings,
) -> tuple[str, list[str]]:
    """Returns header and remarks, shortened as far as they take more than half of the budget."""
    from .shortening import shorter_forms

    header, remarks = "", [""]
    for name, remarks in shorter_forms(path, notices):
        header = _header(result, name)
        if tokens_or_bound("\n".join([header, *remarks, last]), budget // 2, settings) <= budget // 2:
            break
    return header, remarks


def _unchanged_reply(result: ReadResult, path: str, settings: Settings) -> Reply:
    """Writes the reply to a caller whose revision is still current."""
    from .shortening import unchanged_reply_within

    text, tokens = unchanged_reply_within(path, result.revision, _budget(result, settings), settings)
    data = _reply_data(result, path, (), tokens)
    return Reply(text, {"unchanged": True, **{name: data[name] for name in WITHOUT_LINES}})


def _image_reply(result: ReadResult, picture: Picture, path: str, settings: Settings) -> Reply:
    """Returns the reply to images: what they show as text, and the pictures."""
    from .image_rendering import picture_data, picture_text

    notices = notices_of(result)
    text = picture_text(result, picture, path, notices, _budget(result, settings), settings)
    tokens = tokens_or_bound(text, _budget(result, settings), settings) + sum(each.tokens for each in result.pictures)
    data = _reply_data(result, path, notices, tokens)
    shown = picture_data(result, picture)
    return Reply(text, {**{name: data[name] for name in WITHOUT_LINES}, **shown}, pictures=result.pictures)


def shown_path(result: ReadResult, call: Call) -> str:
    """Returns a path that the caller can use again: relative inside the first root."""
    roots = [(call.roots[0].absolute, call.roots[0].real)] if call.roots else []
    path = path_for_caller(result.opened or result.path if roots else result.path, call.cwd, roots)
    if result.kind == "directory" and not path.endswith("/"):
        path += "/"
    return name_as_listed(path)


def escape_header_path(path: str) -> str:
    r"""Returns a path escaped for a header, so that no part of it looks like another field."""
    return path.replace("|", r"\x7c").replace("] ", r"\x5d ") if "|" in path or "] " in path else path


def _header(result: ReadResult, path: str) -> str:
    """Returns the first line of a reply: what was read, how much of it, and its revision."""
    window, traits, path = result.window, result.traits, escape_header_path(path)
    if result.outline:
        return outline_header(result, result.outline, path)
    span = f"{window.start}-{window.end} of {'?' if window.total is None else window.total}"
    if result.kind == "directory":
        # Whoever pages must see that the entries are no longer those of the first page.
        revision = f" | rev {result.revision}" if window.next or window.start > 1 else ""
        after = "" if result.request.after is None else f' after "{shorten_entry(result.request.after)}"'
        return f"[{path} | {result.packing or 'directory'} | entries {span}{after}{revision}]"
    if result.packing:
        path += f" | {result.packing}"
    if result.part:
        shown = f"lines {span}{_shown_part(result)}" if not result.part.uncounted else _shown_units(result).lstrip()
        kind = describe_document(result.part._replace(by_ocr=_count_ocr_pages(result)))
        return f"[{path} | {kind} | {shown} | rev {result.revision}]"
    bom = "-bom" if traits.bom and traits.encoding == "utf-8" else ""
    ends = NEWLINES.get(traits.newline or traits.newline_seen or "", "")
    shown = block_title(result, "") if result.block else ""
    return f"[{path} | lines {span}{shown} | {traits.encoding}{bom}{ends} | rev {result.revision}]"


def _count_ocr_pages(result: ReadResult) -> int:
    """Returns how many of the pages that begin in the window, or that an outline is made of, were recognised."""
    if result.outline:
        return result.outline.by_ocr
    if not result.part or result.part.format != "pdf":
        return 0
    return sum(line.startswith("<!-- page ") and ": read from an image (" in line for line in result.window.lines)


def describe_document(part: ShownPart) -> str:
    """Returns what a document is: `pdf, 12 pages, 3 by ocr`."""
    if not part.unit:
        return part.format
    return f"{part.format}, {part.units} {part.unit}{'s' * (part.units != 1)}{ocr_pages_text(part.by_ocr)}"


def _shown_part(result: ReadResult) -> str:
    """Returns what the lines belong to, in parentheses: their block, or their units."""
    units = _shown_units(result)
    return block_title(result, units) if result.block else units


def _shown_units(result: ReadResult) -> str:
    """Returns the pages, slides or sheets that the lines belong to, in parentheses."""
    part = result.part
    if not part or not part.unit or not result.window.lines:
        return ""
    units = f"{part.unit} {part.first}" if part.first == part.last else f"{part.unit}s {part.first}-{part.last}"
    return f" ({units}, lines not counted)" if part.uncounted else f" ({units})"


def _preceding_remark(result: ReadResult) -> list[str]:
    """Returns the line about what precedes a window that was read from the end."""
    window = result.window
    if window.start < 0:
        return [f"[before: offset={2 * window.start}]"]
    if window.start > 1 and result.from_end:
        things = "rows" if result.outline else "entries" if result.kind == "directory" else "lines"
        return [f"[before: {things} 1-{window.start - 1}]"]
    return []


def _shown_lines(result: ReadResult, call: Call, settings: Settings) -> list[str]:
    """Returns the text of a reply: numbered lines, rows or entries, or a text between fences."""
    window, lines = result.window, result.window.lines
    if result.outline:
        return [lines_as_shown(lines, window.start, window.column, window.clipped, False)] if lines else []
    if result.kind == "directory":
        lines = [f"\\x5b{line[1:]}" if line.startswith("[") else line for line in lines]
    numbers = settings.numbers and result.kind != "directory"
    if result.part and result.part.uncounted:
        shown = [uncounted_body(window, result.part.uncounted, numbers)]
    else:
        shown = [lines_as_shown(lines, window.start, window.column, window.clipped, numbers)] if lines else []
    if settings.numbers or result.kind == "directory":
        return shown
    mark = call.mark()
    return [f"[text {mark}]", *shown, f"[/text {mark}]"]


def _last_remark(result: ReadResult, settings: Settings, budget: int) -> str:
    """Returns the last line of a reply: its end, or the params of the next call."""
    window = result.window
    if not window.next:
        cut = len(window.clipped)
        return f"[end | {cut} line{'s are' if cut > 1 else ' is'} cut]" if cut else "[end]"
    pages = result.part.uncounted if result.part else None
    column = f" column={window.next.column}" if window.next.column > 1 else ""
    why = {"tokens": f" | {budget} token budget reached", "bytes": f" | {settings.max_bytes} byte budget reached"}
    where = f"pages={continuation_pages(pages, window.next)}" if pages else _continuation_text(result, window.next)
    # What was asked for by view is numbered by that view; a block goes on as a plain read.
    view = "outline" if result.outline else result.request.view
    column += f' view="{view}"' if view and view != "block" else ""
    return f"[more: {where}{column}{why.get(window.reason, '')}]"


def _continuation_text(result: ReadResult, position: Position) -> str:
    """Returns the parameters that go on at a line or entry."""
    entry = result.after if result.kind == "directory" else None
    offset = f"offset={position.line}" if entry is None or position.line > 1 or position.column > 1 else ""
    after = "" if entry is None else f'after="{escape_entry(entry)}"'
    return f"{offset} {after}".strip()


def _continuation_data(result: ReadResult, position: Position) -> dict[str, object]:
    """Returns the params of the next call as data."""
    after = result.after if result.kind == "directory" else None
    return {"offset": position.line, "column": position.column, **({} if after is None else {"after": after})}


def _reply_data(result: ReadResult, path: str, notices: Sequence[Notice], tokens: int) -> dict[str, object]:
    """Returns the reply's data."""
    window, traits = result.window, result.traits
    at, part = window.next, result.part
    data: dict[str, object] = {
        "path": path,
        "kind": result.kind,
        "start": window.start,
        "end": window.end,
        "total": window.total,
        "next": _continuation_data(result, at) if at else None,
        "reason": window.reason,
        "clipped": [{"line": clip.line, "column": clip.column} for clip in window.clipped],
        "encoding": traits.encoding,
        "bom": traits.bom,
        "newline": traits.newline,
        "final_newline": traits.final_newline,
        "size": result.size,
        "mtime_ms": result.mtime_ms,
        "revision": result.revision,
        "tokens": tokens,
        "converter": part.format if part else None,
        "pages": {"first": part.first, "last": part.last, "total": part.units} if part and part.unit else None,
        "notices": [{"code": notice.code, "message": notice.message, "lines": [*notice.lines]} for notice in notices],
    }
    if part and part.uncounted:
        data.update(uncounted_data(window, part.uncounted))
    if result.outline:
        data["outline"] = outline_data(result.outline)
    if result.block:
        data["block"] = result.block
    if count := _count_ocr_pages(result):
        data["ocr"] = count
    return data
