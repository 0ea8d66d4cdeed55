import pytest
from pydantic import ValidationError

from desktop.models.catalogue import Catalogue


@pytest.fixture
def catalogue():
    return Catalogue.load()


def test_the_users_own_memory_table_is_a_profile(catalogue):
    profile = catalogue.profile("workstation-max")
    memory = {
        role: catalogue.entry(profile.of_role(role)[0]).memory_gb
        for role in ("language", "vision", "text")
    }
    assert memory == {"language": 65, "vision": 8, "text": 2}
    assert profile.cache_gb == 150
    assert profile.of_role("pages") == ("colqwen2.5-v0.2",)


def test_every_profile_fits_into_the_computer_it_is_for(catalogue):
    for profile in catalogue.profiles:
        choices = [profile.of_role(role) for role in ("language", "vision", "pages", "text")]
        wanted = sum(catalogue.entry(ids[0]).memory_bytes for ids in choices if ids)
        wanted += profile.cache_gb * 10**9
        assert wanted <= profile.machine_gib * 2**30 * 0.9, profile.id


def test_there_is_a_language_model_for_a_mac_of_16_gib(catalogue):
    assert any(e.role == "language" and e.smallest_mac_gib <= 16 for e in catalogue.entries)


@pytest.mark.parametrize(
    ("config", "names", "family"),
    [
        ({"model_type": "qwen3"}, (), "language"),
        ({"model_type": "qwen3"}, ("modules.json",), "qwen3_embedding"),
        ({"model_type": "gpt_oss"}, (), "language"),
        (
            {
                "model_type": "qwen2_5_vl",
                "architectures": ["Qwen2_5_VLForConditionalGeneration"],
            },
            (),
            "qwen2_5_vl",
        ),
        ({"model_type": "qwen2_5_vl", "architectures": ["ColQwen2_5"]}, (), "colqwen2_5"),
        ({"model_type": "colqwen2_5"}, (), "colqwen2_5"),
        ({"model_type": "qwen3_vl", "architectures": ["ColQwen3"]}, (), "colqwen3"),
        ({"model_type": "qwen3_vl"}, (), "qwen3_vl"),
        ({"model_type": "nomic_bert"}, (), "nomic_bert"),
    ],
)
def test_a_folder_is_recognised_by_its_config(catalogue, config, names, family):
    assert catalogue.family_of(config, names).name == family


@pytest.mark.parametrize("config", [{}, {"model_type": "diffusion"}, {"model_type": ["qwen3"]}])
def test_an_unknown_kind_of_model_has_no_family(catalogue, config):
    assert catalogue.family_of(config) is None


def test_a_profile_that_names_a_model_of_another_role_is_refused(catalogue):
    plain = catalogue.model_dump(by_alias=True)
    plain["profile"][1]["language"] = ("qwen3-vl-4b-instruct-4bit",)
    with pytest.raises(ValidationError, match="no language model"):
        Catalogue.model_validate(plain)
