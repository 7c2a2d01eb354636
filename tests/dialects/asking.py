"""What cases of several dialects share: their names, a guard against hanging, lines as they are defined."""

import concurrent.futures
import re
import threading


def label(value):
    """A short test id, the same on every run."""
    if isinstance(value, int) and abs(value) > 10**30:
        return "huge"
    return re.sub(" at 0x.*", "", ascii(value))[:24]


def within(call, seconds=20):
    """The call's answer, or a failure if it hangs."""
    answer = concurrent.futures.Future()

    def work():
        try:
            answer.set_result(call())
        except BaseException as error:
            answer.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return answer.result(seconds)


def lines_of(text):
    parts = re.split("\r\n|\r|\n", text)
    return parts[:-1] if parts[-1] == "" else parts
