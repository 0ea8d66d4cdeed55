"""What can go wrong with a model.

Each is a `ModelError`:

- `ModelNotInstalled`: its files are not on this machine; install or import it.
- `ModelDamaged`: a file's checksum is not the published one; reinstall it.
- `ModelStopped`: the thread that owns the models has been closed; the program is ending.
"""


class ModelError(Exception):
    """Base of everything this package raises on purpose."""


class ModelNotInstalled(ModelError):  # noqa: N818 - named after the state
    """The model's files are missing."""


class ModelDamaged(ModelError):  # noqa: N818
    """A model file is not the one that was published."""


class ModelStopped(ModelError):  # noqa: N818
    """The work was asked of an inference thread that is closed or closing."""
