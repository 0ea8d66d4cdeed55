"""The domains that come with the program, and how one is added."""

from __future__ import annotations

import pytest

import knowledge.domains
from knowledge.domain import NamedManual
from knowledge.domain_shelf import DomainShelf, domain_toml
from knowledge.domains.thorguard import DOMAIN as THORGUARD
from tests.fakes.knowledge import atlas_of

TECHMAN = NamedManual(1, "techman.pdf", "Technical Manual")
USERS = NamedManual(2, "uk_firmware.pdf", "Users Manual ThorGuard Intrusion Alarm System")
DESCRIPTION = """\
You are a technical assistant for the ThorGuard Intruder Alarm System.

## Available Documentation

### 1. Technical Manual (techman.pdf)
- Audience: Installers, Electricians
- Focus: Hardware, wiring, mounting, jumpers, voltages
- Use for: "How do I wire...", "What voltage...", "Where to connect..."

### 2. Users Manual (uk_firmware.pdf)
- Audience: End users, Security guards
- Focus: Software, menus, keypad operation, LED meanings
- Use for: "How do I set...", "What does LED mean...", "Menu navigation..."

## Search Strategy
- Installation/wiring questions → Prioritize Technical Manual
- Operation/menu questions → Prioritize Users Manual
- Component questions (e.g., "RKP keypad") → Search BOTH (they cover different aspects)
- If first search insufficient → Search the OTHER manual

## Important
These manuals are COMPLEMENTARY. The Technical Manual tells you HOW to install hardware.
The Users Manual tells you HOW to operate it once installed.
"""
A_MODULE = """
from knowledge.domain import Domain, ManualProfile

DOMAIN = Domain(
    name="boiler",
    title="Boiler B7",
    manuals=(ManualProfile(title="Guide", patterns=("b7*",), audience="Householders"),),
)
"""


def names(domains):
    return [domain.name for domain in domains]


def test_thorguard_says_of_its_two_manuals_what_its_specification_says():
    told = atlas_of(THORGUARD, ["techman.pdf", "uk_firmware.pdf"])
    assert told.agent_description.startswith(DESCRIPTION)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How do I wire the door contact?", TECHMAN),
        ("What voltage does the siren need?", TECHMAN),
        ("Where is the tamper jumper?", TECHMAN),
        ("Where do I connect the battery?", TECHMAN),
        ("How do I set the clock in the menu?", USERS),
        ("What does the flashing LED mean?", USERS),
        ("Which menu adds a user?", USERS),
        ("How do I change my PIN code?", USERS),
    ],
)
def test_success_criterion_1_wiring_prefers_the_technical_manual_menus_the_users_manual(
    question, first
):
    weights = THORGUARD.preferred(question, (TECHMAN, USERS))
    other = USERS if first is TECHMAN else TECHMAN
    assert weights[first.id] == 1.0
    assert weights[other.id] <= 0.5


def test_a_question_about_a_thorguard_component_asks_for_both_manuals():
    assert THORGUARD.preferred("Tell me about the RKP keypad", (TECHMAN, USERS)) == {1: 1, 2: 1}


def test_success_criterion_6_adding_a_domain_is_adding_a_module(tmp_path, monkeypatch):
    (tmp_path / "boiler_for_a_test.py").write_text(A_MODULE)
    monkeypatch.setattr(knowledge.domains, "__path__", [*knowledge.domains.__path__, str(tmp_path)])
    shelf = DomainShelf(None, lambda: [NamedManual(1, "b7_guide.pdf", "B7")])
    assert names(shelf.active()) == ["boiler"]
    assert "Audience: Householders" in shelf.atlas().agent_description


def test_success_criterion_6_adding_a_domain_is_adding_a_file_to_the_library(tmp_path):
    shelf = DomainShelf(tmp_path / "domains", lambda: [NamedManual(1, "b7_guide.pdf", "B7")])
    assert shelf.active() == ()
    (tmp_path / "domains").mkdir()
    (tmp_path / "domains" / "boiler.toml").write_text(
        'title = "Boiler B7"\n[[manuals]]\npatterns = ["b7*"]\naudience = "Householders"\n'
    )
    assert names(shelf.active()) == ["boiler"]
    assert "Audience: Householders" in shelf.atlas().agent_description


def test_a_file_of_the_library_replaces_the_built_in_domain_of_its_name(tmp_path):
    mine = THORGUARD.model_copy(update={"title": "Our alarm system"})
    (tmp_path / "thorguard.toml").write_text(domain_toml(mine))
    found = [
        domain for domain in DomainShelf(tmp_path, list).domains() if domain.name == "thorguard"
    ]
    assert [domain.title for domain in found] == ["Our alarm system"]


def test_a_proposal_gives_way_to_a_domain_that_describes_the_same_manual(tmp_path):
    proposal = THORGUARD.model_copy(update={"name": "alarm", "proposed": True})
    (tmp_path / "alarm.toml").write_text(domain_toml(proposal))
    assert names(DomainShelf(tmp_path, lambda: [TECHMAN, USERS]).active()) == ["thorguard"]


def test_domains_without_a_manual_in_the_library_are_not_active():
    assert DomainShelf(None, list).active() == ()
    assert names(DomainShelf(None, lambda: [USERS]).active()) == ["thorguard"]
