"""The settings as a dialog shows them: every field with its title, kind, bounds and default."""

from __future__ import annotations

from dataclasses import dataclass
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt, MaxLen, MultipleOf

from desktop.core.settings.sections import LONGEST_REMARK, Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

Kind = Literal["flag", "choice", "whole", "decimal", "line", "text", "json"]


@dataclass(frozen=True, slots=True)
class SettingField:
    """One value that a person may change.

    path: names from the section on. group: the title of the part of a section it
    belongs to.
    kind: "json" for what has no simpler form. least, most: bounds, None without;
    above_least: the least value itself is not allowed. empty: it may have no value at
    all.
    at_once: a change takes effect while the program runs.
    """

    path: tuple[str, ...]
    title: str
    description: str
    kind: Kind
    default: Any
    group: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    above_least: bool = False
    step: float | None = None
    empty: bool = False
    at_once: bool = False


@dataclass(frozen=True, slots=True)
class SettingSection:
    """One area of the settings."""

    name: str
    title: str
    description: str
    fields: tuple[SettingField, ...]


def describe(settings: type[Section]) -> list[SettingSection]:
    """Return the sections of a model whose fields are sections, in their order."""
    return [
        SettingSection(
            name=name,
            title=info.title or name,
            description=(kind.__doc__ or "").split("\n")[0],
            fields=tuple(_fields(kind, (name,), "")),
        )
        for name, info in settings.model_fields.items()
        if (kind := _section(info)) is not None
    ]


def _fields(section: type[Section], path: tuple[str, ...], group: str) -> Iterator[SettingField]:
    for name, info in section.model_fields.items():
        inner = _section(info)
        if inner is not None:
            yield from _fields(inner, (*path, name), info.title or group)
        elif not _marked(info, "hidden"):
            yield _field((*path, name), info, group)


def _field(path: tuple[str, ...], info: FieldInfo, group: str) -> SettingField:
    kind, empty = _without_none(info.annotation)
    choices = tuple(map(str, get_args(kind))) if get_origin(kind) is Literal else ()
    longest = next((rule.max_length for rule in info.metadata if isinstance(rule, MaxLen)), 0)
    return SettingField(
        path=path,
        title=info.title or path[-1],
        description=info.description or "",
        kind="choice" if choices else _kind(kind, longest),
        default=info.get_default(call_default_factory=True),
        group=group,
        choices=choices,
        empty=empty,
        at_once=_marked(info, "at_once"),
        **_bounds(info),
    )


def _bounds(info: FieldInfo) -> dict[str, Any]:
    """Return what pydantic keeps of `ge`, `gt`, `le`, `lt` and `multiple_of`."""
    found: dict[str, Any] = {}
    for rule in info.metadata:
        match rule:
            case Ge(ge=bound):
                found["least"] = bound
            case Gt(gt=bound):
                found |= {"least": bound, "above_least": True}
            case Le(le=bound) | Lt(lt=bound):
                found["most"] = bound
            case MultipleOf(multiple_of=step):
                found["step"] = step
    return found


def _kind(kind: Any, longest: int) -> Kind:
    if kind is bool:
        return "flag"
    if kind is int:
        return "whole"
    if kind is float:
        return "decimal"
    if kind is str:
        return "text" if longest >= LONGEST_REMARK else "line"
    return "json"


def _section(info: FieldInfo) -> type[Section] | None:
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def _without_none(kind: Any) -> tuple[Any, bool]:
    """Return the type without None, and whether None was allowed."""
    if get_origin(kind) not in (Union, UnionType):
        return kind, False
    others = [each for each in get_args(kind) if each is not type(None)]
    return (others[0], True) if len(others) == 1 else (kind, False)


def _marked(info: FieldInfo, mark: str) -> bool:
    extra = info.json_schema_extra
    return isinstance(extra, dict) and extra.get(mark) is True
