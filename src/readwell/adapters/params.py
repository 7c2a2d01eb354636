"""Params as frameworks hand them over: as JSON text, or by a class where others take a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel


def parsed(arguments: str) -> object:
    """Returns the params in a JSON text, or the text itself where it is none: the dialect says what is wrong."""
    import json

    try:
        return json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return arguments


def given(params: dict[str, object]) -> dict[str, object]:
    """Returns the params without nulls, for frameworks that fill up what a model leaves out."""
    return {name: value for name, value in params.items() if value is not None}


def params_model(tool: str, schema: dict[str, object]) -> type[BaseModel]:
    """Returns a model that shows a tool's schema and lets everything through: judging params is the dialect's."""
    from copy import deepcopy

    from pydantic import ConfigDict, create_model

    def show(shown: dict[str, Any]) -> None:
        shown.update(deepcopy(schema))

    return create_model(f"{tool}_params", __config__=ConfigDict(extra="allow", json_schema_extra=show))
