"""Domains that people write as TOML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.domain import Domain, ManualProfile
from knowledge.domain_shelf import domain_toml, read_domain, read_domains, write_domain_file
from knowledge.domains import built_in_domains
from knowledge.errors import DomainFileError

GOOD = 'title = "Boiler"\n[[manuals]]\npatterns = ["b7*"]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "boiler.toml is not used: it is not valid TOML"),
        ("", "title is missing"),
        ('title = "B"\nmanuals = []', "manuals is wrong"),
        ('title = "B"\n[[manuals]]\naudience = "all"', "manuals 1 patterns is missing"),
        (GOOD + 'colour = "red"', "manuals 1 colour is not known here"),
        ('name = "no good"\n' + GOOD, "name is wrong"),
        ("title = 3\n" + GOOD, "not valid TOML"),
        (b"\xff\xfe", "it is not UTF-8 text"),
        ("#" * 300_000, "it is larger than a description can be"),
    ],
)
def test_a_broken_file_is_a_sentence_and_the_others_are_still_read(tmp_path, text, said):
    data = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "boiler.toml").write_bytes(data)
    (tmp_path / "good.toml").write_text(GOOD)
    found = read_domains(tmp_path)
    assert [domain.name for domain in found.domains] == ["good"]
    (problem,) = found.problems
    assert said in problem
    assert problem.endswith(".")


def test_a_folder_that_is_not_there_has_no_domains(tmp_path):
    assert read_domains(tmp_path / "none") == read_domains(None)
    assert read_domains(None).domains == ()


def test_two_files_for_one_domain_are_reported(tmp_path):
    for name in ("one.toml", "two.toml"):
        (tmp_path / name).write_text('name = "boiler"\n' + GOOD)
    found = read_domains(tmp_path)
    assert len(found.domains) == 1
    assert found.problems == ("two.toml is not used: another file already describes boiler.",)


def test_a_file_that_cannot_be_read_raises_with_its_reason(tmp_path):
    with pytest.raises(DomainFileError, match="cannot be read"):
        read_domain(tmp_path / "none.toml")


@pytest.mark.parametrize("domain", built_in_domains(), ids=lambda domain: domain.name)
def test_a_domain_that_was_saved_is_read_back_the_same(tmp_path, domain):
    path = write_domain_file(tmp_path / "domains" / f"{domain.name}.toml", domain_toml(domain))
    assert read_domain(path) == domain
    assert [p.name for p in path.parent.iterdir()] == [f"{domain.name}.toml"]


words = st.text(max_size=40).map(str.strip)


@given(words, st.dictionaries(words, st.lists(words, max_size=3).map(tuple), max_size=4))
def test_any_words_survive_being_written_as_toml(tmp_path_factory, text, glossary):
    domain = Domain(
        name="any",
        title="x",
        important=text,
        glossary=glossary,
        manuals=(ManualProfile(patterns=("*",), cues=(text, "ä")),),
    )
    path = tmp_path_factory.mktemp("toml") / "any.toml"
    path.write_bytes(domain_toml(domain).encode("utf-8"))
    assert read_domain(path) == domain
