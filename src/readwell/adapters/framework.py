"""A framework that is not installed: what to install, instead of the name of a module."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Made = TypeVar("Made")


def needs(package: str) -> Callable[[Callable[Params, Made]], Callable[Params, Made]]:
    """Has a function that imports a framework say which package to install where the import fails."""

    def naming(make: Callable[Params, Made]) -> Callable[Params, Made]:
        @wraps(make)
        def made(*args: Params.args, **kwargs: Params.kwargs) -> Made:
            try:
                return make(*args, **kwargs)
            except ModuleNotFoundError as error:
                said = f"this adapter needs its framework, and there is no module {error.name!r}: pip install {package}"
                raise ModuleNotFoundError(said, name=error.name) from error

        return made

    return naming
