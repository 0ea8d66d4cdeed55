"""The agent's identity."""

from __future__ import annotations

from datetime import datetime

import pytest
from pydantic import ValidationError

from knowledge.atlas import Atlas


def test_the_atlas_has_exactly_the_four_fields_of_its_specification():
    assert list(Atlas.model_fields) == [
        "style",
        "agent_description",
        "end_goal",
        "datetime_reference",
    ]


def test_every_field_explains_itself_to_a_model():
    assert all(field.description for field in Atlas.model_fields.values())


def test_each_atlas_knows_the_time_it_was_made():
    reference = Atlas().datetime_reference
    told = datetime.fromisoformat(reference["current_datetime"])
    assert abs((datetime.now().astimezone() - told).total_seconds()) < 5
    assert reference["current_day"] == told.strftime("%A")


def test_an_unknown_field_is_refused():
    with pytest.raises(ValidationError):
        Atlas.model_validate({"mood": "good"})
