"""A domain as it stands in the fields, in lines of text, and what is wrong with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from desktop.ui import wording
from desktop.ui.language import tr
from knowledge.domain import Domain, ManualProfile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from knowledge.domain import Manual

Faults = dict[str, str]
"""A sentence for every field that is wrong, by its name ("title", "manuals.0.patterns")."""

_SYNONYMS = "="
_MOST_SUGGESTED = 12
_LINES = ("patterns", "use_for", "cues")
"""Fields of a manual that have one item a line."""


@dataclass(frozen=True, slots=True)
class ProfileDraft:
    """One manual's fields; patterns, use_for and cues have one item a line."""

    title: str = ""
    patterns: str = ""
    audience: str = ""
    purpose: str = ""
    use_for: str = ""
    cues: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A domain's fields. search_strategy, components: one item a line. units: comma-separated.

    glossary: one term a line, "term = other word, another word".
    """

    title: str = ""
    description: str = ""
    manuals: tuple[ProfileDraft, ...] = ()
    search_strategy: str = ""
    important: str = ""
    components: str = ""
    units: str = ""
    glossary: str = ""


def draft_of(domain: Domain) -> Draft:
    return Draft(
        domain.title,
        domain.description,
        tuple(map(_profile_draft, domain.manuals)),
        "\n".join(domain.search_strategy),
        domain.important,
        "\n".join(domain.components),
        ", ".join(domain.units),
        "\n".join(_term(term, words) for term, words in domain.glossary.items()),
    )


def blank_draft(manuals: Sequence[Manual]) -> Draft:
    """Return a draft for manuals that nobody has described, or for one that is to be named."""
    profiles = tuple(
        ProfileDraft(title=each.title or each.name, patterns=literal(each.name))
        for each in manuals[:_MOST_SUGGESTED]
    )
    return Draft(manuals=profiles or (ProfileDraft(),))


def read_draft(draft: Draft, name: str, base: Domain | None = None) -> Domain | Faults:
    """Return the domain of a draft, or what is wrong with it.

    base: gives what the fields do not show.
    """
    hidden = base.model_dump(include={"style", "end_goal"}) if base is not None else {}
    values: dict[str, Any] = {
        **hidden,
        "name": name,
        "title": draft.title,
        "description": draft.description,
        "manuals": [_profile_values(each) for each in draft.manuals],
        "search_strategy": _lines(draft.search_strategy),
        "important": draft.important,
        "components": _lines(draft.components),
        "units": [unit for unit in map(str.strip, draft.units.split(",")) if unit],
        "glossary": _glossary(draft.glossary),
    }
    try:
        return Domain.model_validate(values)
    except ValidationError as error:
        return _faults(error)


def meant(patterns: str, manuals: Sequence[Manual]) -> list[str]:
    """Return the titles of the manuals that patterns (one a line) mean."""
    lines = _lines(patterns)
    if not lines:
        return []
    profile = ManualProfile.model_construct(patterns=tuple(lines))
    return [each.title or each.name for each in manuals if profile.covers(each.name, each.title)]


def literal(name: str) -> str:
    """Return a pattern that means exactly this file name."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _profile_draft(profile: ManualProfile) -> ProfileDraft:
    values = {each.name: getattr(profile, each.name) for each in fields(ProfileDraft)}
    values |= {name: "\n".join(values[name]) for name in _LINES}
    return ProfileDraft(**values)


def _profile_values(draft: ProfileDraft) -> dict[str, Any]:
    return asdict(draft) | {name: _lines(getattr(draft, name)) for name in _LINES}


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.splitlines()) if line]


def _term(term: str, words: Iterable[str]) -> str:
    said = ", ".join(words)
    return f"{term} {_SYNONYMS} {said}" if said else term


def _glossary(text: str) -> dict[str, list[str]]:
    terms: dict[str, list[str]] = {}
    for line in _lines(text):
        term, _, words = line.partition(_SYNONYMS)
        known = terms.setdefault(term.strip(), [])
        known += [word for word in map(str.strip, words.split(",")) if word and word not in known]
    return terms


def _faults(error: ValidationError) -> Faults:
    faults: Faults = {}
    for each in error.errors():
        place = [str(part) for part in each["loc"] if part != "[key]"]
        depth = 3 if place[0] == "manuals" else 1
        field = ".".join(place[:depth])
        line = place[depth] if len(place) > depth and place[depth].isdigit() else ""
        faults.setdefault(field, _sentence(each["type"], each.get("ctx", {}), field, line))
    if any(field.startswith("manuals.") for field in faults):
        faults.pop("manuals", None)  # a manual with a fault is not counted
    return faults


def _sentence(kind: str, context: Mapping[str, Any], field: str, line: str) -> str:
    most = context.get("max_length", 0)
    match kind:
        case "string_too_short":
            return tr("Give the product a name.")
        case "string_too_long" if line:
            return tr("Line {line} is longer than {most} characters.").format(
                line=int(line) + 1, most=wording.number(most)
            )
        case "string_too_long":
            return tr("This is longer than {most} characters.").format(most=wording.number(most))
        case "too_short" if field.endswith("patterns"):
            return tr("Name the file or title you mean.")
        case "too_short":
            return tr("Describe at least one manual.")
        case "too_long":
            return tr("This is more than {most} lines.").format(most=most)
        case _:
            return tr("This cannot be saved as it is.")
