import onnxruntime

from desktop.models.adapters.ocr import PUBLISHED_SHA256, models_folder, modest_sessions

SMALL_MODEL = models_folder() / min(PUBLISHED_SHA256, key=len)


def test_a_session_that_somebody_else_makes_gets_few_threads(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    with modest_sessions():
        session = onnxruntime.InferenceSession(SMALL_MODEL, onnxruntime.SessionOptions())

    assert session.get_session_options().intra_op_num_threads == 1


def test_sessions_made_later_are_as_before():
    before = onnxruntime.SessionOptions
    with modest_sessions():
        pass

    assert onnxruntime.SessionOptions is before
    assert onnxruntime.SessionOptions().intra_op_num_threads == 0


def test_by_default_one_core_is_left_to_the_window(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    with modest_sessions():
        assert onnxruntime.SessionOptions().intra_op_num_threads == 2
