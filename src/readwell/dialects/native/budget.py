"""Token budget: what a reply costs, and when counting can be skipped."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Clip, Window
from ...named_tuple import NamedTuple
from ...path_names import printable
from ...tokens import count_tokens, estimate_tokens, is_estimating_counter
from ...tokens.upper_bound import most_tokens
from .numbered_lines import lines_as_shown
from .settings import Settings

ERROR_PERCENT = 15
"""Safety margin added to an estimate that is compared with a budget."""
FRAME_BYTES = 256
"""Upper bound of a header without its path, a column and the last remark."""
SHORT_PATH = 24
"""Characters kept of a path that does not fit the budget."""
CHARACTERS_A_TOKEN = 2
"""Few texts have fewer characters for each token: a window of no more is counted in one piece."""
MOST_BYTES_A_TOKEN = 2
"""More are not proven of any text without counting."""
SAMPLED = 200
"""Lines whose length is looked at, to begin with about a character for each token."""


def count_and_charge(text: str, settings: Settings) -> tuple[int, int]:
    """Returns the tokens of a text, and the tokens charged to its budget: with a margin if they are estimated."""
    tokens = settings.count_tokens(text)
    return tokens, tokens + (tokens * ERROR_PERCENT // 100 if is_estimating_counter(settings.count_tokens) else 0)


def bound_within(text: str, budget: int, settings: Settings) -> int | None:
    """Returns a number of tokens that a text surely does not exceed if it is within the budget, so none are counted.

    Returns None otherwise, and for a counter that the embedder chose: it may count anything.
    """
    length = len(text)
    if length > MOST_BYTES_A_TOKEN * budget or settings.count_tokens is not count_tokens or "\0" in text:
        return None  # a NUL is shown as longer characters
    bound = length if length <= budget and text.isascii() else most_tokens(text, budget)
    return bound if bound <= budget else None


def tokens_or_bound(text: str, budget: int, settings: Settings) -> int:
    """Returns the tokens of a text, or an upper bound if that is within the budget."""
    bound = bound_within(text, budget, settings)
    return settings.count_tokens(text) if bound is None else bound


class KnownTokens(NamedTuple):
    """What numbered lines cost, found when the window was cut: counted, or an upper bound."""

    tokens: int
    counted: bool


def tokens_and_excess(
    text: str, budget: int, settings: Settings, around: tuple[str, str], known: KnownTokens | None, exact: bool
) -> tuple[int, int]:
    """Returns what a reply costs, or an upper bound where no count was needed, and by how much it exceeds its budget.

    `known` is what its numbered lines cost, and `around` what stands before and after them. `exact`: it is cut by its
    budget, and so it is counted.
    """
    bound = None if exact or (known and len(text) > budget) else bound_within(text, budget, settings)
    if bound is not None:
        return bound, 0
    if known is None:
        tokens, charged = count_and_charge(text, settings)
        return tokens, charged - budget
    count = settings.count_tokens if known.counted else most_tokens
    tokens = known.tokens + count(around[0]) + count(around[1])
    if tokens > budget and not known.counted:  # a bound that is too high says nothing
        tokens = settings.count_tokens(text)
    return tokens, tokens - budget


class ReplyCost:
    """What a reply with some lines costs, its header and last remark as they usually are; made for one request.

    A window is looked for by asking for ever nearer numbers of lines, the first of them always the same. Tokens of
    lines add up, so only those between two questions are counted; a counter of the embedder is asked for the whole.
    """

    def __init__(self, settings: Settings, budget: int, path: str) -> None:
        self._settings, self._budget, self._path = settings, budget, path
        self._start_and_column = (0, 0)
        self._all: Sequence[str] = ()
        self._clips: Sequence[Clip] = ()
        self._known: dict[int, int] = {}
        self._counts_all = False
        """Whether lines are counted that surely fit: a reply with them exceeded the budget by its notices."""
        self._answered: tuple[Sequence[str], Sequence[Clip], KnownTokens] | None = None
        """The lines of the last question, their cuts and what they cost."""

    def __call__(self, start: int, column: int, lines: Sequence[str], text: str, clips: Sequence[Clip]) -> int:
        """Returns the tokens; beyond the budget perhaps only about so many."""
        if not clips and not self._counts_all and self._surely_fits(start, lines, text):
            return 0
        settings = self._settings
        if settings.count_tokens not in (count_tokens, estimate_tokens):
            return self._charged_tokens(
                self._guessed_reply(start, len(lines), lines_as_shown(lines, start, column, clips, settings.numbers))
            )
        if self._start_and_column != (start, column) or len(lines) > len(self._all):
            self._start_and_column, self._all, self._clips, self._known = (start, column), lines, clips, {0: 0}
            if len(text) <= CHARACTERS_A_TOKEN * self._budget:  # probably all of them fit
                self._known[len(lines)] = self._cost_as_shown(lines, 0, clips)
        tokens = self._known.get(len(lines)) if lines is self._all else None
        if tokens is None:
            whole = max(0, len(lines) - 1)  # of the last one perhaps only a part is asked for
            tokens = self._cost_of_first(whole) + self._cost_as_shown(lines[whole:], whole, clips)
        self._answered = (lines, clips, KnownTokens(tokens, counted=True))
        return self._charged_tokens(self._guessed_reply(start, len(lines), "")) + tokens

    def surely_exceeds(self, start: int, lines: Sequence[str]) -> bool:
        """Whether whole lines cost more than the budget; False where they are few or tokens do not add up exactly."""
        text = "\n".join(lines)
        if len(text) <= CHARACTERS_A_TOKEN * self._budget or self._settings.count_tokens is not count_tokens:
            return False
        return not is_estimating_counter(count_tokens) and self(start, 1, lines, text, ()) > self._budget

    def limit_reduction(self, window: Window, limit: int | None, excess: int) -> int:
        """Returns by how much a limit must be lowered for a reply to lose its excess.

        What a window leaves of its limit is no part of the reply, so lowering the limit by it cuts nothing.
        """
        if excess <= 0 or not window.lines or limit is None:
            return 0
        self._counts_all = True
        spent = self(window.start, window.column, window.lines, window.text, window.clipped)
        return excess + max(0, limit - spent)

    def known_tokens(self, lines: Sequence[str], clips: Sequence[Clip]) -> KnownTokens | None:
        """Returns what numbered lines cost as they are shown if the last question was about them, else None.

        A number begins a token, so tokens of numbered lines and of what stands around them add up.
        """
        counter, answered = self._settings.count_tokens, self._answered
        if answered is None or not lines or counter is not count_tokens or not self._settings.numbers:
            return None
        same = answered[:2] == (lines, clips) and answered[2].tokens <= self._budget
        return answered[2] if same and not is_estimating_counter(counter) else None

    def _surely_fits(self, start: int, lines: Sequence[str], text: str) -> bool:
        """Says whether lines fit without being counted, and keeps the bound of what they cost."""
        digits = len(str(start + len(lines))) if start > 0 else len(str(start))
        gutters = len(lines) * (digits + 1)
        room = self._budget - FRAME_BYTES - 4 * len(self._path)
        if len(text) + gutters <= room:
            return bound_within(text, room - gutters, self._settings) is not None
        if self._settings.numbers:
            gutters = len(lines) * (2 + digits // 3 + (start < 0))  # three digits are a token, so are minus and tab
        bound = bound_within(text, room - gutters, self._settings)
        if bound is not None:
            self._answered = (lines, (), KnownTokens(bound + gutters, counted=False))
        return bound is not None

    def _cost_of_first(self, count: int) -> int:
        """Returns what the first lines cost; guessed where fewer of them are too many already."""
        known, above = self._known, min((each for each in self._known if each >= count), default=None)
        below = max(each for each in known if each <= count)
        if above is not None and above - count < count - below:
            known[count] = known[above] - self._cost_between(count, above)
        while count not in known and known[below] <= self._budget:
            step = min(count, below + self._lines_for_tokens(below, self._budget - known[below]))
            known[step] = known[below] + self._cost_between(below, step)
            below = step
        return known[count] if count in known else known[below] * count // below

    def _lines_for_tokens(self, first: int, tokens: int) -> int:
        """Returns how many lines more take about so many tokens; at first rather fewer, since none is counted twice."""
        if first:
            return 1 + tokens * first // max(1, self._known[first])
        some = self._all[:SAMPLED]
        return 1 + tokens * len(some) // (1 + sum(map(len, some)))

    def _cost_between(self, first: int, last: int) -> int:
        """Returns what the lines between two positions cost."""
        return self._cost_as_shown(self._all[first:last], first, self._clips)

    def _cost_as_shown(self, lines: Sequence[str], first: int, clips: Sequence[Clip]) -> int:
        """Returns what some lines cost as they are shown, the first of them so far behind the first of all."""
        if not lines:
            return 0
        start, column = self._start_and_column
        here = [clip for clip in clips if first <= clip.line - start < first + len(lines)] if clips else clips
        shown = lines_as_shown(lines, start + first, 1 if first else column, here, self._settings.numbers)
        return self._charged_tokens(f"{shown}\n")

    def _guessed_reply(self, start: int, count: int, shown: str) -> str:
        """Returns a reply with these lines, its header and last remark guessed at their longest."""
        end = start + count
        header = f"[{self._usual_path()} | lines {start}-{end} of {10 * end} | utf-8 LF | rev 0a1b2c3d4e5f]"
        parts = [shown] if self._settings.numbers else ["[text 0a1b2c3d]", shown, "[/text 0a1b2c3d]"]
        return "\n".join([header, *parts, f"[more: offset={end} | {self._budget} token budget reached]"])

    def _charged_tokens(self, text: str) -> int:
        """Returns the tokens of a text, counted or estimated."""
        return count_and_charge(text, self._settings)[1]

    def _usual_path(self) -> str:
        """Returns the path about as long as it will be shown: relative mostly, by its end where it takes too much."""
        path, most = self._path, self._budget // 2
        shown = printable("/".join(path.split("/")[-2:]) if path.startswith("/") else path)
        return shown if len(shown) < most or self._charged_tokens(shown) < most else shown[-SHORT_PATH:]
