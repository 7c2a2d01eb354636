"""Numbers of a workbook as a person sees them: dates, times and shares by the format of their cell."""

from __future__ import annotations

import re
from datetime import date, timedelta
from xml.etree.ElementTree import Element

from ..xml_tree import at, whole_number

BUILT_IN = {
    **dict.fromkeys([9, 10], "0%"),
    **dict.fromkeys([*range(14, 18), *range(27, 32), *range(50, 59), 36], "yyyy-mm-dd"),
    **dict.fromkeys([18, 19, 20, 21, 32, 33, 34, 35, 45, 47], "hh:mm:ss"),
    22: "yyyy-mm-dd hh:mm",
    46: "[h]:mm:ss",
}
LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!\$|h+\]|m+\]|s+\])[^]]*\]', re.I)
CURRENCY = re.compile(r"\[\$([^-\]]*)[^]]*\]|([$€£¥])")
EPOCH, EPOCH_1904 = date(1899, 12, 30), date(1904, 1, 1)
LAST_DAY = 2_958_466
"""The day after 9999-12-31."""
LEAP_DAY = 60
"""A day that workbooks count and the calendar does not have: 29 February 1900."""
DAY_S = 86_400


class Formats:
    """The number formats of a workbook, asked by a cell's style."""

    def __init__(self, styles: Element | None, since_1904: bool) -> None:
        self._epoch = EPOCH_1904 if since_1904 else EPOCH
        own = {e.get("numFmtId", ""): e.get("formatCode", "") for e in _list(styles, "numFmts")}
        numbers = [e.get("numFmtId", "0") for e in _list(styles, "cellXfs")]
        codes = [own.get(identity) or BUILT_IN.get(whole_number(identity, 0), "") for identity in numbers]
        self._kinds = {str(index): _kind_and_currency(code) for index, code in enumerate(codes)}

    def text(self, written: str, style: str) -> str:
        """Returns a number as it is shown in a cell of this style."""
        kind, sign = self._kinds.get(style, ("", ""))
        if not kind and not sign and written.isdecimal() and len(written) < 16:
            return written
        try:
            value = float(written)
        except ValueError:
            return written
        if kind == "share":
            return f"{number_text(value * 100)}%"
        if kind:
            return self._date_time_text(value, kind) or number_text(value)
        return sign.replace("#", number_text(value)) if sign else number_text(value)

    def _date_time_text(self, value: float, kind: str) -> str:
        """Returns a number as a date, a time, both or a duration; empty where it is none of them."""
        if not abs(value) < LAST_DAY:
            return ""
        seconds = round(value * DAY_S)
        if kind == "span":
            return duration_text(seconds)
        day, seconds = divmod(seconds, DAY_S)
        if not 0 <= day < LAST_DAY - (self._epoch - EPOCH).days:
            return ""
        written = [self._day(day)] if kind != "time" else []
        if kind != "date" or seconds:
            written.append(_clock(seconds, with_seconds=kind == "time" or seconds % 60 != 0))
        return " ".join(written)

    def _day(self, day: int) -> str:
        """Returns a date as the workbook shows it, also the two that the calendar does not have."""
        if self._epoch is EPOCH and day <= LEAP_DAY:
            return {0: "1900-01-00", LEAP_DAY: "1900-02-29"}.get(day) or str(EPOCH + timedelta(day + 1))
        return str(self._epoch + timedelta(day))


def number_text(value: float) -> str:
    """Returns a number in up to 15 digits, whole ones without a point."""
    if value == int(value) if abs(value) < 1e15 else False:
        return str(int(value))
    return f"{value:.15g}"


def duration_text(seconds: int) -> str:
    """Returns a span of time in hours, minutes and seconds."""
    return f"{'-' if seconds < 0 else ''}{abs(seconds) // 3600}:{abs(seconds) // 60 % 60:02d}:{abs(seconds) % 60:02d}"


def _clock(seconds: int, with_seconds: bool) -> str:
    """Returns seconds as a time of day."""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}" + (f":{seconds % 60:02d}" if with_seconds else "")


def _kind_and_currency(code: str) -> tuple[str, str]:
    """Returns what a format makes of a number: date, time, moment, span, share or a plain number; its currency."""
    code = code.partition(";")[0][:500]
    bare = LITERAL.sub("", code).lower()
    if re.search(r"\[[hms]+\]", bare):
        return "span", ""
    bare = CURRENCY.sub("", bare)
    has_time = re.search(r"[hs]", bare) is not None
    has_date = re.search(r"[yd]|mmm" if has_time else r"[ydm]", bare) is not None
    if has_date or has_time:
        return ("moment" if has_date and has_time else "date" if has_date else "time"), ""
    if "%" in bare:
        return "share", ""
    return "", _currency_pattern(code)


def _currency_pattern(code: str) -> str:
    """Returns where the sign of a currency stands, as `$#` or `# €`; nothing without one."""
    match = CURRENCY.search(code.replace('"', ""))
    sign = (match[1] or match[2] or "") if match else ""
    if not match or not sign or "#" in sign:
        return ""
    first = re.search(r"[0#?]", code)
    behind = first is not None and first.start() < code.find(match[0].strip('"'))
    return f"# {sign}" if behind else f"{sign}#"


def _list(styles: Element | None, name: str) -> list[Element]:
    """Returns the elements of a list of styles."""
    listed = at(styles, name)
    return [] if listed is None else list(listed)
