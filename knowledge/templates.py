"""How a person words a group of knowledge: a function, Jinja2, Handlebars or `.format`.

Jinja2 runs in its own sandbox. Handlebars is dotpromptz-handlebars, which knows plain values
only. Templates are written by whoever sets the program up, but they may come with a file from
elsewhere: none of them reaches attributes, files or code.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from knowledge.errors import TemplateFault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.provider import KnowledgeGroup

Engine = Literal["jinja2", "handlebars", "format"]


@dataclass(frozen=True, slots=True)
class Template:
    """A template and the language it is in. It sees the names of `KnowledgeGroup.values`."""

    text: str
    engine: Engine


GroupFormatter = Callable[["KnowledgeGroup"], str] | Template | str
"""How a group becomes text; a plain string is a template of `.format`."""


def rendered(formatter: GroupFormatter, group: KnowledgeGroup) -> str:
    """Return a group as text.

    Raises: TemplateFault, if a template cannot be rendered. What a function raises.
    """
    if isinstance(formatter, str):
        formatter = Template(formatter, "format")
    if not isinstance(formatter, Template):
        return formatter(group)
    render = {"jinja2": _jinja2, "handlebars": _handlebars, "format": _format}[formatter.engine]
    try:
        return render(formatter.text, group.values())
    except TemplateFault:
        raise
    except Exception as error:  # three libraries, each with errors of its own
        raise TemplateFault(
            f"The {formatter.engine} template for {group.info_type} cannot be used: {error}"
        ) from error


def _jinja2(text: str, values: Mapping[str, Any]) -> str:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    return environment.from_string(text).render(values)


def _handlebars(text: str, values: Mapping[str, Any]) -> str:
    from dotpromptz_handlebars import Handlebars

    return Handlebars(escape_html=False, strict=True).compile(text)(dict(values))


def _format(text: str, values: Mapping[str, Any]) -> str:
    return _PlainFormatter().vformat(text, (), values)


class _PlainFormatter(string.Formatter):
    """`str.format` with names alone: no attributes, no items, no widths of a billion."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        value = kwargs.get(field_name)
        if not isinstance(value, (str, int)):
            names = ", ".join(sorted(k for k, v in kwargs.items() if isinstance(v, (str, int))))
            raise TemplateFault(f"A .format template may name {names}, not {field_name!r}.")
        return value, field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec:
            raise TemplateFault("A .format template may not give widths or precisions.")
        return str(value)
