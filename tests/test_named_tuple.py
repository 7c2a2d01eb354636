"""Named tuples of ours behave as those of the standard library."""

import copy
import inspect
import pickle
from typing import NamedTuple as TypingNamedTuple

import pytest

from readwell.named_tuple import NamedTuple


class Ours(NamedTuple):
    """A point."""

    x: int
    y: int = 2
    """Its height."""

    @property
    def sum(self) -> int:
        return self.x + self.y


class Theirs(TypingNamedTuple):
    """A point."""

    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        return self.x + self.y


def facts(kind):
    point = kind(1)
    match point:
        case kind(x, y):
            matched = (x, y)
    return [
        point,
        point == (1, 2),
        hash(point),
        matched,
        kind(y=5, x=4),
        kind._make([7, 8]),
        point._replace(y=9),
        point._asdict(),
        point.sum,
        kind._fields,
        kind._field_defaults,
        kind.__doc__,
        kind.__match_args__,
        type(kind),
        hasattr(point, "__dict__"),
        copy.copy(point),
        inspect.signature(kind),
        repr(point).partition("(")[2],
        type(pickle.loads(pickle.dumps(point))) is kind,
    ]


def test_a_named_tuple_is_what_the_standard_library_makes():
    assert facts(Ours) == facts(Theirs)


@pytest.mark.parametrize("kind", [Ours, Theirs])
def test_a_named_tuple_refuses_what_is_missing_unknown_or_set(kind):
    with pytest.raises(TypeError, match=r"__new__\(\) missing 1 required positional argument: 'x'"):
        kind()
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        kind(1, z=2)
    with pytest.raises((TypeError, ValueError), match=r"Got unexpected field names: \['z'\]"):  # by Python's version
        kind(1)._replace(z=2)
    with pytest.raises(AttributeError):
        kind(1).x = 2
