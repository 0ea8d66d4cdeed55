"""The Atlas: who the agent is and what it knows, handed to every decision and answer.

It is composed of what the domains say about the manuals that the library has.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from knowledge.domain import NamedManual
from knowledge.formatter import plain, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from knowledge.domain import Domain, Manual, ManualProfile


def datetime_reference(now: datetime | None = None) -> dict[str, str]:
    """Return a time (the present in local time, unless given) as the agent is told it."""
    now = now or datetime.now().astimezone()
    return {
        "current_datetime": now.isoformat(timespec="seconds"),
        "current_day": now.strftime("%A"),
        "current_time_of_day": now.strftime("%H:%M"),
    }


class Atlas(BaseModel):
    """Agent identity and knowledge context."""

    model_config = ConfigDict(extra="forbid")

    style: str = Field(
        default="Professional and brief. Quote the manuals and cite the page of every statement.",
        description="The writing style of the agent.",
    )
    agent_description: str = Field(
        default="You answer questions of field engineers from the equipment manuals in their "
        "library, and from nothing else.",
        description="The description of the process the agent follows and of what it knows.",
    )
    end_goal: str = Field(
        default="The engineer has the information and has seen the page it stands on, or "
        "knows that the manuals do not have it.",
        description="A short description of the overall goal.",
    )
    datetime_reference: dict[str, str] = Field(
        default_factory=datetime_reference,
        description="Current date and time, for questions that depend on them.",
    )

    def text(self) -> str:
        """Return what is the same for every question about the same manuals: all but the time."""
        return f"{self.agent_description}\n\nGoal: {self.end_goal}\nStyle: {self.style}"


@dataclass(frozen=True, slots=True)
class Covered:
    """A manual, and the first domain that describes it, if one does."""

    manual: NamedManual
    domain: Domain | None = None
    profile: ManualProfile | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """Every manual of a library with its description."""

    all: tuple[Covered, ...] = ()

    @classmethod
    def of(cls, domains: Sequence[Domain], manuals: Iterable[Manual]) -> Coverage:
        """Find for each manual the first domain that describes it."""
        found = []
        for manual in manuals:
            profiles = ((each, each.covers(manual.name, manual.title)) for each in domains)
            first = next(((each, profile) for each, profile in profiles if profile), (None, None))
            found.append(Covered(NamedManual(manual.id, manual.name, manual.title), *first))
        return cls(tuple(found))

    def around(self, documents: Collection[int]) -> Coverage:
        """Return these manuals, by id, with the others of their domains; all if none is here."""
        own = [each for each in self.all if each.manual.id in documents]
        if not own:
            return self
        domains = [each.domain for each in own if each.domain is not None]
        return Coverage(tuple(each for each in self.all if each in own or each.domain in domains))

    def domains(self) -> tuple[Domain, ...]:
        """Return the domains that describe a manual here, in the order of their first manuals."""
        found = {each.domain.name: each.domain for each in self.all if each.domain is not None}
        return tuple(found.values())

    def of_domain(self, domain: Domain) -> list[Covered]:
        """Return the manuals that this domain describes."""
        return [each for each in self.all if each.domain is domain]


_MOST_IN_FULL = 8
_MOST_BY_TITLE = 40
_LONGEST_REMARK = 2_000
_LONGEST_NAME = 80


def compose_atlas(
    coverage: Coverage, *, user_profile: str = "", context: str = "", now: datetime | None = None
) -> Atlas:
    """Return what the agent knows about itself and a library with these manuals.

    The first products are described in full. Other manuals, and those that no domain
    describes, are listed by title. user_profile, context: about the person who asks
    and the place.
    """
    usual = Atlas.model_fields
    domains = _in_full(coverage)
    atlas = Atlas(
        style=_joined([d.style for d in domains], usual["style"].default),
        agent_description=_description(coverage),
        end_goal=_joined([d.end_goal for d in domains], usual["end_goal"].default),
        datetime_reference=datetime_reference(now),
    )
    return with_remarks(atlas, user_profile=user_profile, context=context)


def with_remarks(atlas: Atlas | None = None, *, user_profile: str = "", context: str = "") -> Atlas:
    """Return an Atlas (a plain one, unless given) that also tells of the person and the place."""
    atlas = atlas or Atlas()
    told = atlas.agent_description
    for heading, remark in (("The user", user_profile), ("The place", context)):
        if remark.strip():
            told += f"\n\n## {heading}\n{plain(remark, _LONGEST_REMARK)}"
    return atlas.model_copy(update={"agent_description": told})


def _in_full(coverage: Coverage) -> tuple[Domain, ...]:
    """Return the domains that are described in full, those of people first."""
    domains = sorted(coverage.domains(), key=lambda domain: domain.proposed)
    return tuple(domains[:_MOST_IN_FULL])


def _description(coverage: Coverage) -> str:
    usual = str(Atlas.model_fields["agent_description"].default)
    if not coverage.all:
        return f"{usual} The library has no manuals yet."
    domains = _in_full(coverage)
    rest = [each for each in coverage.all if each.domain not in domains]
    if len(domains) == 1 and not rest:
        return f"{_domain_text(domains[0], coverage)}\n\n## Always\n{usual}"
    sections = [f"# {_title(d.title, d)}\n{_domain_text(d, coverage)}" for d in domains]
    if rest:  # titles are words of the files, so they are quoted
        lines = [_title_line(each) for each in rest[:_MOST_BY_TITLE]]
        more = len(rest) - len(lines)
        told = _bullets([*lines, f"and {more} more"] if more else lines)
        heading = "Other Manuals" if domains else "Available Documentation"
        sections.append(f"## {heading}\nOnly their titles are told; search them to see.\n{told}")
    return "\n\n".join([usual, *sections])


def _domain_text(domain: Domain, coverage: Coverage) -> str:
    parts = [domain.description] if domain.description else []
    parts.append("## Available Documentation\n\n" + "\n\n".join(_documentation(domain, coverage)))
    if domain.search_strategy:
        parts.append("## Search Strategy\n" + _bullets(domain.search_strategy))
    if domain.important:
        parts.append(f"## Important\n{domain.important}")
    if domain.glossary:
        terms = domain.glossary.items()
        parts.append(
            "## Terms\n"
            + _bullets([f"{term}: {', '.join(same)}" if same else term for term, same in terms])
        )
    if domain.units:
        parts.append(f"## Units\n{', '.join(domain.units)}")
    return "\n\n".join(parts)


def _documentation(domain: Domain, coverage: Coverage) -> Iterator[str]:
    """Yield what each manual of a domain is for; those that the library lacks say so."""
    covered = coverage.of_domain(domain)
    for number, profile in enumerate(domain.manuals, 1):
        names = [each.manual.name for each in covered if each.profile is profile]
        where = ", ".join(map(_file_name, names)) or "not in this library"
        title = _title(profile.title or profile.patterns[0], domain)
        yield f"### {number}. {title} ({where})\n{_bullets(_facts(profile))}"


def _title(title: str, domain: Domain) -> str:
    """Return a title for a heading; one that a file brought along is quoted."""
    return quoted(title) if domain.proposed else plain(title)


def _file_name(name: str) -> str:
    """Return a file's name, quoted if it could be taken for a sentence."""
    simple = len(name) <= _LONGEST_NAME and all(c.isalnum() or c in "_.-" for c in name)
    return name if simple else quoted(name)


def _facts(profile: ManualProfile) -> Iterator[str]:
    if profile.audience:
        yield f"Audience: {profile.audience}"
    if profile.purpose:
        yield f"Focus: {profile.purpose}"
    if profile.use_for:
        yield "Use for: " + ", ".join(quoted(phrase) for phrase in profile.use_for)


def _title_line(each: Covered) -> str:
    line = f"{quoted(each.manual.title or each.manual.name)} ({_file_name(each.manual.name)})"
    return f"{line}: {each.profile.audience}" if each.profile and each.profile.audience else line


def _bullets(lines: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _joined(wishes: Sequence[str], usual: str) -> str:
    """Return the distinct wishes of several domains, or the usual one if there are none."""
    return " ".join(dict.fromkeys(wish for wish in wishes if wish)) or usual
