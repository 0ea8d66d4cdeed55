"""What a person sees of an error of `desktop.models`: what happened and what to do next."""

from __future__ import annotations

from desktop.models import errors
from desktop.models.minilm_files import MODEL_ID as TEXT_MODEL


def model_problem(error: errors.ModelError) -> tuple[str, str, bool]:
    """Return the title, the advice in sentences, and whether to offer "Retry"."""
    match error:
        case errors.ModelNotInstalled():
            return ("A model is not installed", _how_to_get_it(error), False)
        case errors.ModelDamaged():
            return ("A model is damaged", f"{_sentence(error)} {_again(error)}", False)
        case errors.ModelNotSupported():
            advice = f"{_sentence(error)} Choose another model on the Models page."
            return ("This model cannot run here", advice, False)
        case errors.ModelOutOfBudget():
            advice = f"{_sentence(error)} {error.advice}".strip()
            return ("There is not enough memory for this model", advice, True)
        case errors.ModelRevoked():
            return ("A question needed the memory", "It goes on when the question is done.", True)
        case errors.ModelStopped():
            return ("Groundwork is closing", "Open it again to go on.", False)
        case errors.PromptTooLong():
            advice = (
                f"{_sentence(error)} Ask a shorter question, choose fewer manuals, or start a "
                "new conversation."
            )
            return ("This is too long for the model", advice, False)
        case errors.SchemaNotSupported():
            advice = "Please report it with the newest file of the library's folder 'logs'."
            return ("A model was asked in a form it cannot answer", advice, False)
        case errors.DownloadFailed():
            return ("The download stopped", _sentence(error), True)
        case errors.PackRefused():
            return ("The model pack was refused", _sentence(error), False)
        case _:
            return ("A model failed", "Try again.", True)


def _how_to_get_it(error: errors.ModelNotInstalled) -> str:
    if TEXT_MODEL in str(error):
        return "Install Groundwork again; 'groundwork doctor' says which file is missing."
    return f"{_sentence(error)} Import it on the Models page, from a folder, a zip or a USB stick."


def _again(error: errors.ModelDamaged) -> str:
    if "published file" in str(error):
        return "Install Groundwork again; 'groundwork doctor' says which file it is."
    return "Remove it on the Models page and import it again."


def _sentence(error: errors.ModelError) -> str:
    text = str(error) or type(error).__name__
    return f"{text[0].upper()}{text[1:].rstrip('.')}."
