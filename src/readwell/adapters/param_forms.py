"""Params in the forms that frameworks use: JSON text, and pydantic models in place of a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel


def parse_params(arguments: str) -> object:
    """Parses params from JSON; returns invalid JSON unchanged, for the dialect to report."""
    import json

    try:
        return json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        return arguments


def without_nulls(params: dict[str, object]) -> dict[str, object]:
    """Returns the params without nulls, for frameworks that add null for every parameter that a model leaves out."""
    return {name: value for name, value in params.items() if value is not None}


def with_nullable_optionals(schema: Any) -> dict[str, object]:
    """Returns the schema with nullable optional parameters, for frameworks that make every parameter required."""
    optional = {
        name: {"anyOf": [about, {"type": "null"}]}
        for name, about in schema["properties"].items()
        if name not in schema.get("required", [])
    }
    return {**schema, "properties": {**schema["properties"], **optional}}


def params_model(tool: str, schema: dict[str, object]) -> type[BaseModel]:
    """Returns a pydantic model with the tool's schema that accepts any params: the dialect validates them."""
    from copy import deepcopy

    from pydantic import ConfigDict, create_model

    def replace_schema(shown: dict[str, Any]) -> None:
        shown.update(deepcopy(schema))

    return create_model(f"{tool}_params", __config__=ConfigDict(extra="allow", json_schema_extra=replace_schema))
