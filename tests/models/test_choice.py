from dataclasses import replace

import pytest

from desktop.models.catalogue import Catalogue
from desktop.models.memory import GIB
from desktop.models.overview import Shelf, Wishes, active_profile, choose, profile_statuses
from tests.fakes.resident_models import installed

CATALOGUE = Catalogue.load()
SMALL = installed("qwen3-4b-instruct-2507-4bit", megabytes=2_300)
LARGE = installed("qwen3-30b-a3b-instruct-2507-4bit", megabytes=17_200)
VISION = installed("qwen3-vl-4b-instruct-4bit", "vision", 3_100)
OWN = installed("my-llama", megabytes=3_000)


def shelf(*models, gib=16):
    return Shelf(CATALOGUE, models, gib * GIB, int(gib * GIB * 0.7))


def test_without_a_language_model_the_profile_is_lite_and_says_why():
    lite, field, *_ = profile_statuses(shelf(VISION), Wishes())
    assert (lite.chosen, lite.recommended) == (True, True)
    assert lite.reason == "No language model is installed."
    assert "Qwen3 4B Instruct (4-bit)" in field.missing
    assert choose(shelf(VISION), Wishes(), "vision") is None


def test_the_largest_profile_that_fits_and_is_installed_is_recommended():
    assert active_profile(shelf(SMALL, LARGE, gib=16), Wishes()).id == "field"
    assert active_profile(shelf(SMALL, LARGE, gib=32), Wishes()).id == "field-plus"
    assert choose(shelf(SMALL, LARGE, gib=32), Wishes(), "language") == LARGE


def test_a_profile_that_does_not_fit_says_how_much_memory_it_needs():
    last = profile_statuses(shelf(SMALL), Wishes())[-1]
    assert not last.fits
    assert last.reason == "Needs a computer with 256 GB of memory; this computer has 16 GB."


def test_a_model_from_elsewhere_is_used_when_no_known_one_is_installed():
    assert active_profile(shelf(OWN), Wishes()).id == "field"
    assert choose(shelf(OWN), Wishes(), "language") == OWN


def test_a_persons_own_choice_of_model_goes_first():
    wishes = Wishes(models={"language": "my-llama"})
    assert choose(shelf(SMALL, OWN), wishes, "language") == OWN
    assert choose(shelf(SMALL), wishes, "language") == SMALL


def test_a_model_larger_than_the_budget_is_not_chosen():
    huge = replace(OWN, weight_bytes=40 * 10**9)
    assert choose(shelf(huge), Wishes(profile="field"), "language") is None


def test_lite_uses_no_model_even_if_there_are_some():
    assert choose(shelf(SMALL), Wishes(profile="lite"), "language") is None


@pytest.mark.parametrize("gib", [8, 16, 24, 32, 64, 256])
def test_exactly_one_profile_is_recommended_and_one_chosen(gib):
    statuses = profile_statuses(shelf(SMALL, LARGE, VISION, gib=gib), Wishes())
    assert sum(each.recommended for each in statuses) == 1
    assert sum(each.chosen for each in statuses) == 1
