"""The planner: what a question asks to be delivered, before anything is done."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from desktop.core.sentences import said

if TYPE_CHECKING:
    from desktop.core.agent.commitments.kinds import Commitment
    from desktop.core.agent.tree_data import TreeData

# A wish begins a clause: "How do I export a report on the panel?" is none.
_BEGINS = (
    r"(?:^|[.;,!?:–]\s*|\b(?:and|then|also|please|und|dann|auch|bitte|can you|could you|kannst du"
    r"|können sie)\s+)"
)
_ASKS_HOW = re.compile(r"^(?:please\s+)?(?:how|wie|where|wo|when|wann)\b[^.;!?]*", re.IGNORECASE)
_PATTERNS: dict[Commitment, str] = {
    "draft_email": (
        rf"{_BEGINS}(?:draft|write|prepare|send|compose|create|make|schreibe?|entwirf"
        r"|erstelle?|schicke?|sende?)\b[^.;!?]{0,40}\b(?:e-?mail|mail)\b"
        rf"|{_BEGINS}(?:e-?)?mail\s+(?:it|this|that|me|them|him|her|the|to)\b"
    ),
    "export_report": (
        rf"{_BEGINS}(?:export|save|create|make|write|generate|prepare|give me|exportiere?"
        r"|speichere?|erstelle?|schreibe?)\b[^.;!?]{0,40}"
        r"\b(?:report|pdf|markdown|bericht|protokoll)\b"
    ),
    "show_figure": (
        rf"{_BEGINS}(?:show|display|open|zeige?|öffne)\b[^.;!?]{{0,60}}"
        r"\b(?:figure|drawing|diagram|picture|schematic|image|illustration|photo|sketch"
        r"|(?:ab)?bild(?:ung)?|zeichnung|schaltplan|skizze|foto)\b"
    ),
    "list_all_steps": (
        r"\b(?:all|every|each|complete|full)\b[^.;!?]{0,30}\b(?:steps?|procedure)\b"
        r"|\bstep[- ]by[- ]step\b|\balle\b[^.;!?]{0,30}\bschritte\b|\bschritt für schritt\b"
    ),
}
_WISHES = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
_MENTIONS = re.compile(
    r"\b(?:e-?mail|mail|report|pdf|figure|drawing|diagram|picture|schematic|steps|bericht"
    r"|zeichnung|schaltplan|abbildung|schritte)\b",
    re.IGNORECASE,
)
_NAMES: dict[Commitment, str] = {
    "answer": "an answer",
    "cite_page": "the page it stands on",
    "show_figure": said("a figure"),
    "list_all_steps": "all steps",
    "export_report": said("a report"),
    "draft_email": "an e-mail draft",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be delivered. evidence: the words of the question that ask for it."""

    commitments: tuple[Commitment, ...]
    evidence: tuple[str, ...] = ()

    @property
    def thought(self) -> str:
        """The plan in a sentence."""
        named = [_NAMES[each] for each in self.commitments]
        listed = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
        return f"To be delivered: {listed}."


class Planner(Protocol):
    """Reads what has to be delivered off a question."""

    async def plan(self, tree_data: TreeData) -> Plan:
        """Return the plan; it never fails: an answer with its page is the least."""


class RulePlanner:
    """Satisfies `Planner` by wording alone."""

    async def plan(self, tree_data: TreeData) -> Plan:
        """Return what the words ask for; see `Planner.plan`."""
        return planned_by_rules(tree_data.user_prompt)


def planned_by_rules(prompt: str) -> Plan:
    """Return what the words of a question plainly ask for."""
    text = " ".join(prompt.split())
    asks_how = _ASKS_HOW.match(text)
    commitments: list[Commitment] = ["answer", "cite_page"]
    evidence: list[str] = []
    for name, pattern in _WISHES.items():
        found = pattern.search(text)
        if found is None:
            continue
        within_how = asks_how is not None and found.end() <= asks_how.end()
        if within_how and name != "list_all_steps":
            continue
        commitments.append(name)
        evidence.append(found.group().strip(" ,.;:!?–"))
    return Plan(tuple(commitments), tuple(evidence))


def mentions_delivery(prompt: str) -> bool:
    """Whether a question has a word of something that could be delivered."""
    return _MENTIONS.search(prompt) is not None
