"""What a person sees of an error of `desktop.models`: what happened and what to do next."""

from __future__ import annotations

from desktop.core.sentences import Sentence, said, together
from desktop.models import errors
from desktop.models.text_model import MODEL_ID as TEXT_MODEL


def model_problem(error: errors.ModelError) -> tuple[str, str, bool]:
    """Return the title, the advice in sentences, and whether to offer "Retry"."""
    match error:
        case errors.ModelNotInstalled():
            return (said("A model is not installed"), _how_to_get_it(error), False)
        case errors.ModelDamaged():
            return (
                said("A model is damaged"),
                _joined(_sentence(error), _again(error)),
                False,
            )
        case errors.ModelNotSupported():
            advice = said(
                "{reason} Choose another model on the Models page.", reason=_sentence(error)
            )
            return (said("This model cannot run here"), advice, False)
        case errors.ModelOutOfBudget():
            advice = _joined(_sentence(error), error.advice)
            return (said("There is not enough memory for this model"), advice, True)
        case errors.ModelRevoked():
            return (
                said("A question needed the memory"),
                said("It goes on when the question is done."),
                True,
            )
        case errors.ModelStopped():
            return (said("Groundwork is closing"), said("Open it again to go on."), False)
        case errors.PromptTooLong():
            advice = said(
                "{reason} Ask a shorter question, choose fewer manuals, or start a "
                "new conversation.",
                reason=_sentence(error),
            )
            return (said("This is too long for the model"), advice, False)
        case errors.SchemaNotSupported():
            advice = said("Please report it with the newest file of the library's folder 'logs'.")
            return (said("A model was asked in a form it cannot answer"), advice, False)
        case errors.DownloadFailed():
            return (said("The download stopped"), _sentence(error), True)
        case errors.PackRefused():
            return (said("The model pack was refused"), _sentence(error), False)
        case _:
            return (said("A model failed"), said("Try again."), True)


def _how_to_get_it(error: errors.ModelNotInstalled) -> str:
    if TEXT_MODEL in str(error):
        return said("Install Groundwork again; 'groundwork doctor' says which file is missing.")
    return said(
        "{reason} Import it on the Models page, from a folder, a zip or a USB stick.",
        reason=_sentence(error),
    )


def _again(error: errors.ModelDamaged) -> str:
    if "published file" in str(error):
        return said("Install Groundwork again; 'groundwork doctor' says which file it is.")
    return said("Remove it on the Models page and import it again.")


def _joined(reason: str, advice: str) -> Sentence:
    return together([each for each in (reason, advice) if each])


def _sentence(error: errors.ModelError) -> str:
    text = str(error) or type(error).__name__
    return f"{text[0].upper()}{text[1:].rstrip('.')}."
