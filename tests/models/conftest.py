import pytest

from desktop.models import minilm_files
from desktop.models.adapters.minilm_numpy import MiniLmNumpy
from desktop.models.inference_thread import InferenceThread


@pytest.fixture(scope="session")
def model_folder():
    folder = minilm_files.find()
    if folder is None:
        pytest.skip(f"the text model is not installed: {minilm_files.HOW_TO_INSTALL}")
    return folder


@pytest.fixture(scope="session")
def minilm(model_folder):
    return MiniLmNumpy(model_folder, threads=1)


@pytest.fixture
def inference():
    thread = InferenceThread("inference-test")
    yield thread
    thread.close()
