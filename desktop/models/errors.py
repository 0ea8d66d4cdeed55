"""What can go wrong with a model.

    ModelError
    |- ModelNotInstalled   its files are not on this machine: install or import it
    `- ModelDamaged        a file's checksum is not the published one: reinstall it
"""


class ModelError(Exception):
    """Base of everything this package raises on purpose."""


class ModelNotInstalled(ModelError):  # noqa: N818 - named after the state
    """The model's files are missing."""


class ModelDamaged(ModelError):  # noqa: N818
    """A model file is not the one that was published."""
