"""`NamedTuple` as in `typing`, with classes that are quick to define.

Defining one of typing's compiles a constructor and its annotations, which takes as long as loading a small module; with
sixty of them that is most of what starting takes. Here one constructor is compiled for each number of fields.
"""

from __future__ import annotations

from collections import _tuplegetter as field_getter  # type: ignore[attr-defined]
from collections.abc import Callable, Iterable
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


class _Definition(type):
    """Makes a class of named tuples from the annotated names in its body."""

    def __new__(cls, name: str, _bases: tuple[type, ...], body: dict[str, Any]) -> type:
        annotations: dict[str, object] = body.get("__annotations__", {})
        fields = tuple(annotations)
        defaults = {field: body[field] for field in fields if field in body}
        constructor = FunctionType(
            _constructor(len(fields)).replace(co_varnames=("_cls", *fields), co_qualname=f"{name}.__new__"),
            {"new_tuple": new_tuple},
            "__new__",
            tuple(defaults.values()),
        )
        constructor.__annotations__ = annotations
        body.update({field: field_getter(index, None) for index, field in enumerate(fields)})
        body.update(__slots__=(), __match_args__=fields, __new__=constructor, _fields=fields, _field_defaults=defaults)
        return type(name, (_Values,), body)


@cache
def _constructor(count: int) -> CodeType:
    fields = ", ".join(f"field{index}" for index in range(count))
    made: FunctionType = eval(f"lambda _cls, {fields}: new_tuple(_cls, ({fields},))")  # noqa: S307 - no foreign text
    return made.__code__


if not TYPE_CHECKING:
    NamedTuple = type.__new__(_Definition, "NamedTuple", (), {})
