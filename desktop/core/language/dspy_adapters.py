"""How a signature becomes a prompt, and how a model's text becomes its fields again.

`form_adapter` for decisions: JSON whose shape the model is held to. `prose_adapter` for
answers that are shown while they are written.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from desktop.core.language.dspy_setup import load_dspy
from desktop.core.language.field_markers import COMPLETED, UnmarkedText

if TYPE_CHECKING:
    from collections.abc import Callable

    import pydantic


_INPUTS = (
    "Each input stands below its name in double square brackets; one that is empty is left out."
)


def form_adapter() -> Any:
    """Make the adapter that sends the outputs as a JSON schema.

    DSPy's own adapter sends no schema for `dict[str, Any]`, and for a bare `dict` one
    that allows only `{}`. This one leaves them open, keeps the fields' constraints
    (`max_length`), and leaves alone any `response_format` that the caller gave.
    """
    return _form_adapter_class()()


def prose_adapter(on_begin: Callable[[str], None]) -> Any:
    """Make the adapter for text that streams: of signatures whose only output is a string.

    They are answered by that string and nothing else.

    on_begin: told the name of the output before each generation.
    """
    return _prose_adapter_class()(on_begin)


def output_shape(signature: Any) -> type[pydantic.BaseModel]:
    """Return what checks a signature's outputs, all of them required."""
    import pydantic

    fields: dict[str, Any] = {}
    for name, info in signature.output_fields.items():
        bounds = tuple(info.metadata)
        fields[name] = (Annotated[(info.annotation, *bounds)] if bounds else info.annotation, ...)
    shape: type[pydantic.BaseModel] = pydantic.create_model(
        "Outputs", __config__=pydantic.ConfigDict(extra="forbid", protected_namespaces=()), **fields
    )
    return shape


def output_schema(signature: Any) -> dict[str, Any]:
    """Return the JSON schema of a signature's outputs, in their order, all required."""
    schema = output_shape(signature).model_json_schema()
    _require_everything(schema)
    return schema


def _require_everything(schema: Any) -> None:
    """Close objects with known properties: a model must neither omit nor invent one."""
    if isinstance(schema, list):
        for item in schema:
            _require_everything(item)
    elif isinstance(schema, dict):
        properties = schema.get("properties")
        if schema.get("type") == "object" and properties:
            schema["required"] = list(properties)
            schema["additionalProperties"] = False
        for item in schema.values():
            _require_everything(item)


@cache
def _form_adapter_class() -> Any:
    dspy = load_dspy()

    class FormAdapter(dspy.JSONAdapter):  # type: ignore[misc,name-defined] # dspy has no types
        def _prepare_response_format(self, lm: Any, lm_kwargs: dict[str, Any], form: Any) -> None:
            if "response_format" in lm_kwargs:
                return
            named = {"name": form.__name__, "schema": output_schema(form)}
            lm_kwargs["response_format"] = {"type": "json_schema", "json_schema": named}

        def format_field_structure(self, signature: Any) -> str:
            # the schema holds the model to the shape, so it need not read it as well
            names = ", ".join(f"`{name}`" for name in signature.output_fields)
            return f"{_INPUTS} Your whole answer is one JSON object with the fields {names}."

        def user_message_output_requirements(self, signature: Any) -> str:
            return "Respond with the JSON object alone."

        def format_user_message_content(
            self, signature: Any, inputs: dict[str, Any], *parts: Any, **options: Any
        ) -> str:
            content = super().format_user_message_content
            return str(content(signature, _said(inputs), *parts, **options))

    return FormAdapter


@cache
def _prose_adapter_class() -> Any:
    dspy = load_dspy()

    class ProseAdapter(dspy.ChatAdapter):  # type: ignore[misc,name-defined] # dspy has no types
        def __init__(self, on_begin: Callable[[str], None]) -> None:
            # the fallback would show a second answer after the first
            super().__init__(use_json_adapter_fallback=False)
            self._on_begin = on_begin

        async def acall(
            self, lm: Any, lm_kwargs: Any, signature: Any, demos: Any, inputs: Any
        ) -> Any:
            lm_kwargs.setdefault("stop", [COMPLETED])
            self._on_begin(_output(signature))
            return await super().acall(lm, lm_kwargs, signature, demos, inputs)

        def format_field_structure(self, signature: Any) -> str:
            return (
                f"{_INPUTS} Your whole answer is the value of `{_output(signature)}`: write it "
                "without its name and without brackets around it."
            )

        def user_message_output_requirements(self, signature: Any) -> str:
            return f"Respond with the text of `{_output(signature)}` alone."

        def format_user_message_content(
            self, signature: Any, inputs: dict[str, Any], *parts: Any, **options: Any
        ) -> str:
            content = super().format_user_message_content
            return str(content(signature, _said(inputs), *parts, **options))

        def format_assistant_message_content(
            self, signature: Any, outputs: Any, missing_field_message: Any = None
        ) -> str:
            return str(outputs.get(_output(signature), missing_field_message) or "")

        def parse(self, signature: Any, completion: str) -> Any:
            field = _output(signature)
            reader = UnmarkedText(field)
            text = reader.feed(completion) + reader.finish()
            if not text:
                raise dspy.AdapterParseError("ProseAdapter", signature, completion)
            return {field: text}

    return ProseAdapter


def _said(inputs: dict[str, Any]) -> dict[str, Any]:
    """Leave out empty texts and lists: a model needs no heading with nothing under it."""
    return {name: value for name, value in inputs.items() if value not in ("", [], {})}


def _output(signature: Any) -> str:
    (name,) = signature.output_fields
    return str(name)
