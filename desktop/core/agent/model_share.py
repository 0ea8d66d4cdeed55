"""What the language model is asked to do: what it can do in the time that a person will wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.settings.sections import AgentSettings
    from desktop.models.roles import LanguageModel
    from desktop.models.speed import Speed
    from desktop.sentences import Sentence

DECISION_TOKENS: Final = (3_300, 80)
"""Read and written for a usual decision, the first of a session: of later ones a third is new."""
ANSWER_TOKENS: Final = (1_100, 200)
"""Read beside the passages, and written, for a usual answer.

600 to 700 are instructions, the rest the question and what is known of the manuals found: 160 for
one manual, 520 for the five that ten pages of a library of 138 came from.
"""


def seconds_to_decide(speed: Speed | None) -> float | None:
    """Return how long a usual decision takes, None while the speed is not known."""
    return None if speed is None else speed.seconds(*DECISION_TOKENS)


def seconds_to_write(speed: Speed | None, passage_tokens: int) -> float | None:
    """Return how long a usual answer takes, None while the speed is not known."""
    around, output = ANSWER_TOKENS
    return None if speed is None else speed.seconds(around + passage_tokens, output)


class ModelShare:
    """Hands out the language model for what it is asked to do on this machine, else None.

    By the settings, or, where they leave it open, by how fast the model has been here
    so far. One that has never run here is tried. A decision that took too long, or was
    given up, is not tried again while this object lives.
    """

    def __init__(
        self, language_model: Callable[[], LanguageModel | None], settings: AgentSettings
    ) -> None:
        self._language_model = language_model
        self._settings = settings
        self._decided: float | None = None

    def decided(self, seconds: float, ended: bool) -> None:
        """Note how long the last decision was waited for; ended: it came, else it was given up."""
        if ended or seconds > self._settings.patience_seconds:  # else a person stopped it
            self._decided = seconds

    def to_decide(self) -> LanguageModel | None:
        """Return the model that chooses steps, None if rules do."""
        return self._if_asked("decide", self._deciding)

    def to_write(self) -> LanguageModel | None:
        """Return the model that writes and checks answers, None if the manuals are quoted."""
        return self._if_asked("write", self._writing)

    def why_quoted(self) -> Sentence | None:
        """Return why a model that is there does not write, None if it does or there is none."""
        model = self._language_model()
        if model is None or self.to_write() is not None:
            return None
        needed = self._writing(model)
        if self._settings.model_does != "auto" or needed is None:
            return said("the settings say to quote the manuals")
        return said(
            "the language model needs about {n} seconds for an answer here", n=round(needed)
        )

    def _if_asked(
        self, task: str, seconds: Callable[[LanguageModel], float | None]
    ) -> LanguageModel | None:
        """Return the model if it is to do a task. seconds: what that takes, None if unknown."""
        model = self._language_model()
        if model is None:
            return None
        if self._settings.model_does != "auto":
            return model if self._settings.model_does in ("both", task) else None
        needed = seconds(model)
        return model if needed is None or needed <= self._settings.patience_seconds else None

    def _deciding(self, model: LanguageModel) -> float | None:
        return seconds_to_decide(model.speed) if self._decided is None else self._decided

    def _writing(self, model: LanguageModel) -> float | None:
        return seconds_to_write(model.speed, self._settings.passage_tokens)
