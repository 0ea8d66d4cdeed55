import os

import pytest

from desktop.models import text_model
from desktop.models.errors import ModelDamaged, ModelNotInstalled

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"


def test_a_file_with_the_published_hash_is_accepted(tmp_path):
    (tmp_path / "weights").write_text("hello")
    text_model.verify(tmp_path, {"weights": HELLO})


def test_a_file_that_changes_later_is_noticed(tmp_path):
    file = tmp_path / "weights"
    file.write_text("hello")
    text_model.verify(tmp_path, {"weights": HELLO})
    file.write_text("jello")
    os.utime(file, ns=(1, 1))
    with pytest.raises(ModelDamaged, match="weights"):
        text_model.verify(tmp_path, {"weights": HELLO})


def test_a_missing_file_is_called_missing(tmp_path):
    with pytest.raises(ModelNotInstalled, match="weights"):
        text_model.verify(tmp_path, {"weights": HELLO})
