"""Converters of a few lines, for looking at the worker."""

import os
import time

from readwell.documents.contract import Converter


class Leaves:
    """Units divided by form feeds; tells what it was given."""

    unit = "leaf"

    def __init__(self, content, password, prepared):
        self.leaves = content.decode().split("\f")
        self.count = len(self.leaves)
        self.told = f"{password} {prepared!r}"

    def prepared(self):
        return b"\0prepared"

    def markdown(self, number):
        leaf = self.leaves[number - 1]
        if leaf == "told":
            return self.told
        if leaf == "process":
            return str(os.getpid())
        if leaf == "crash":
            os.abort()
        if leaf == "leave":
            os._exit(3)
        if leaf == "slow":
            time.sleep(600)
        return leaf


class Endless:
    """A great many units, so many that they are never all converted."""

    unit = ""
    count = 1_000_000

    def __init__(self, content):
        pass

    def prepared(self):
        return b""

    def markdown(self, number):
        return f"{number} " + "x" * 10_000


class Odd:
    """Says of itself what cannot be."""

    def __init__(self, content):
        self.unit, self.count, self.found = eval(content)

    def prepared(self):
        return self.found

    def markdown(self, number):
        return ""


LEAVES = Converter("leaves", "1", Leaves)
ENDLESS = Converter("endless", "1", lambda content, password, prepared: Endless(content))
ODD = Converter("odd", "1", lambda content, password, prepared: Odd(content))
NOT_A_CONVERTER = "leaves"
