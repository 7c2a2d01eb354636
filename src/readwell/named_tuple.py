"""`NamedTuple` as in `typing`, with classes that are quick to define.

Defining one of typing's compiles a constructor and its annotations, which takes as long as loading a small module; with
sixty of them that is most of what starting takes. Here one constructor serves all with the same number of fields, and
those that are needed at every start are compiled with this module.
"""

# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections import _tuplegetter as field_getter  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from types import CodeType, FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NamedTuple, Self

__all__ = ["NamedTuple"]

new_tuple: Callable[..., Any] = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


class _Values(tuple["Any", ...]):
    """What all named tuples can do."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Self:
        return new_tuple(cls, values)

    def _replace(self, /, **changed: Any) -> Self:
        result = self._make(map(changed.pop, self._fields, self))
        if changed:
            raise ValueError(f"Got unexpected field names: {list(changed)!r}")
        return result

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({fields})"


class _NamedTupleMeta(type):
    """Makes a class of named tuples from the annotated names in its body."""

    def __new__(cls, name: str, _bases: tuple[type, ...], body: dict[str, Any]) -> type:
        annotations: dict[str, object] = body.get("__annotations__", {})
        fields = tuple(annotations)
        defaults = {field: body[field] for field in fields if field in body}
        constructor = FunctionType(
            _constructor_code(len(fields)).replace(co_varnames=("_cls", *fields), co_qualname=f"{name}.__new__"),
            {"new_tuple": new_tuple},
            "__new__",
            tuple(defaults.values()),
        )
        constructor.__annotations__ = annotations
        body.update({field: field_getter(index, None) for index, field in enumerate(fields)})
        body.update(__slots__=(), __match_args__=fields, __new__=constructor, _fields=fields, _field_defaults=defaults)
        return type(name, (_Values,), body)


_COMPILED: Sequence[Any] = (
    lambda _: new_tuple(_),
    lambda _, a: new_tuple(_, (a,)),
    lambda _, a, b: new_tuple(_, (a, b,)),
    lambda _, a, b, c: new_tuple(_, (a, b, c,)),
    lambda _, a, b, c, d: new_tuple(_, (a, b, c, d,)),
    lambda _, a, b, c, d, e: new_tuple(_, (a, b, c, d, e,)),
    lambda _, a, b, c, d, e, f: new_tuple(_, (a, b, c, d, e, f,)),
    lambda _, a, b, c, d, e, f, g: new_tuple(_, (a, b, c, d, e, f, g,)),
    lambda _, a, b, c, d, e, f, g, h: new_tuple(_, (a, b, c, d, e, f, g, h,)),
    lambda _, a, b, c, d, e, f, g, h, i: new_tuple(_, (a, b, c, d, e, f, g, h, i,)),
    lambda _, a, b, c, d, e, f, g, h, i, j: new_tuple(_, (a, b, c, d, e, f, g, h, i, j,)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k: new_tuple(_, (a, b, c, d, e, f, g, h, i, j, k,)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m: new_tuple(_, (a, b, c, d, e, f, g, h, i, j, k, m,)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n: new_tuple(_, (a, b, c, d, e, f, g, h, i, j, k, m, n,)),
)  # fmt: skip
"""Constructors by their number of fields, compiled with this module: each start needs nearly all of them."""


@cache
def _constructor_code(count: int) -> CodeType:
    if count < len(_COMPILED):
        return _COMPILED[count].__code__
    fields = ", ".join(f"field{index}" for index in range(count))
    made: FunctionType = eval(f"lambda _, {fields}: new_tuple(_, ({fields},))")  # noqa: S307 - no foreign text
    return made.__code__


if not TYPE_CHECKING:
    NamedTuple = type.__new__(_NamedTupleMeta, "NamedTuple", (), {})
