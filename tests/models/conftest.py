import gc

import pytest

from desktop.models import text_model
from desktop.models.adapters.e5 import E5
from desktop.models.inference_thread import InferenceThread
from tests.fakes.allowance import GenerousAllowance
from tests.models import tiny_language


@pytest.fixture(scope="module", autouse=True)
def _leave_old_objects_alone():
    """Closing a model collects garbage, which takes seconds once all runtimes are loaded."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()  # or what is garbage by the next module is never freed


@pytest.fixture(scope="session")
def model_folder():
    folder = text_model.find()
    if folder is None:
        pytest.skip(f"the text model is not installed: {text_model.HOW_TO_INSTALL}")
    return folder


@pytest.fixture(scope="session")
def e5(model_folder):
    return E5(model_folder)


@pytest.fixture
def inference():
    thread = InferenceThread("inference-test")
    yield thread
    thread.close()


@pytest.fixture(scope="session")
def tiny_language_models(tmp_path_factory):
    """Tiny language models on disk, by kind."""
    pytest.importorskip("mlx_lm")
    root = tmp_path_factory.mktemp("language")
    kinds = tiny_language.KINDS
    return {kind: tiny_language.write_tiny_model(kind, root / kind) for kind in kinds}


@pytest.fixture
def allowance():
    return GenerousAllowance()


@pytest.fixture
def load_language(tiny_language_models, allowance):
    """Return a function that loads a tiny language model anew; closes them all."""
    models = []

    def _load(kind="qwen3", context=tiny_language.CONTEXT, chunk=64):
        model = tiny_language.loaded(tiny_language_models[kind], allowance)
        model.context_tokens, model._chunk = context, chunk
        models.append(model)
        return model

    yield _load
    for model in models:
        model.close()
