"""Names of `typing` for modules that every read loads: a type checker sees typing's own, the interpreter stand-ins.

Loading `typing` takes as long as loading a third of these modules, and none of it is used at run time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, Literal, NoReturn, Protocol, Self, TypedDict, TypeVar, cast

__all__ = ["TYPE_CHECKING", "Any", "Generic", "Literal", "NoReturn", "Protocol", "Self", "TypeVar", "TypedDict", "cast"]


class _StandIn:
    """A type that can be subscripted and inherited from, and says nothing."""

    __slots__ = ()

    def __class_getitem__(cls, _: object) -> type:
        return cls


if not TYPE_CHECKING:
    Any = Generic = Literal = NoReturn = Protocol = Self = _StandIn

    def TypeVar(*_):  # noqa: N802, D103
        return _StandIn

    def cast(_, value):  # noqa: D103
        return value
