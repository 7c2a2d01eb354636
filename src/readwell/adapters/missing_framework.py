"""The error for a framework that is not installed: it names the package to install."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Params = ParamSpec("Params")
Result = TypeVar("Result")


def requires_framework(package: str) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """Returns a decorator for a function that imports a framework: if the import fails, the error names the package."""

    def decorate(function: Callable[Params, Result]) -> Callable[Params, Result]:
        @wraps(function)
        def checked(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            try:
                return function(*args, **kwargs)
            except ModuleNotFoundError as error:
                message = (
                    f"this adapter needs its framework, and there is no module {error.name!r}: pip install {package}"
                )
                raise ModuleNotFoundError(message, name=error.name) from error

        return checked

    return decorate
