"""Shorter and shorter forms of paths, notices, failures and of `unchanged`, where a reply has little room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model import Notice
from ...named_tuple import NamedTuple
from .budget import SHORT_PATH, tokens_or_bound
from .outline_rendering import notice_remark
from .rendering import escape_header_path
from .settings import Settings


class Failure(NamedTuple):
    """What a reply says about a failure: its code, what happened, and the next step."""

    code: str
    message: str
    hint: str

    @property
    def text(self) -> str:
        """The reply: one line."""
        return f"[error {self.code}] {self.message} {self.hint}"


def short_path(path: str) -> str:
    """Returns a path by its end, marked where something is left out."""
    return path if len(path) <= SHORT_PATH + 1 else f"…{path[-SHORT_PATH:]}"


def notice_count_remark(notices: Sequence[Notice]) -> list[str]:
    """Returns the remark that says only how many notices there are; nothing if there are none."""
    return [f"[note: {len(notices)} notice{'s' * (len(notices) != 1)}]"] if notices else []


def shorter_forms(path: str, notices: Sequence[Notice]) -> Iterator[tuple[str, list[str]]]:
    """Yields the path and the notices in full, then shorter and shorter."""
    yield path, [notice_remark(notice) for notice in notices]
    if notices:
        yield path, [f"[note: {', '.join(notice.code for notice in notices)}]"]
        yield path, notice_count_remark(notices)
    yield short_path(path), notice_count_remark(notices)


def unchanged_reply_within(path: str, revision: str | None, budget: int, settings: Settings) -> tuple[str, int]:
    """Returns the reply to a caller whose revision is still current, and its tokens."""
    text, tokens = "", 0
    for name in (path, short_path(path)):
        text = f"[{escape_header_path(name)} | unchanged since rev {revision} | for its lines leave out if_revision]"
        if (tokens := tokens_or_bound(text, budget, settings)) <= budget:
            break
    return text, tokens


def shorten_failure(forms: Sequence[Failure], path: str, nearest: str, budget: int, settings: Settings) -> Failure:
    """Returns a failure that fits into a budget: the first of the forms as it is, else one with shorter names.

    What the message says of the path is known to the caller, so it is shortened before the hint loses a name.
    """
    if not path or tokens_or_bound(forms[0].text, budget, settings) <= budget:
        return forms[0]
    failure = forms[0]
    for failure in forms:
        failure = failure._replace(message=failure.message.replace(path, short_path(path)))
        if tokens_or_bound(failure.text, budget, settings) <= budget:
            return failure
    for name in filter(None, (path, nearest)):
        short = short_path(name)
        failure = Failure(failure.code, failure.message.replace(name, short), failure.hint.replace(name, short))
    return failure
