"""Models that take memory by saying so, for the tests of what is loaded and what leaves."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desktop.models.errors import ModelDamaged
from desktop.models.generation import GenerationEnd, TextPart, Usage
from desktop.models.memory import MachineMemory
from desktop.models.packs.model_folder import Manifest, ManifestFile
from desktop.models.roles import Allowance, InstalledModel

MB = 10**6


def installed(model_id, role="language", megabytes=100, family="language"):
    return InstalledModel(model_id, role, family, "1", Path("/nowhere"), megabytes * MB)


def machine(megabytes):
    return MachineMemory(total=megabytes * MB, available=lambda: megabytes * MB)


@dataclass
class FakeModel:
    installed: InstalledModel
    allowance: Allowance
    caches: int = 0
    closed: bool = False
    per_token: int = 0
    words: Sequence[str] = ("one", "two", "three")

    @property
    def model_id(self):
        return self.installed.model_id

    def weight_bytes(self):
        return self.installed.weight_bytes

    def cache_bytes(self):
        return self.caches

    def drop_caches(self):
        self.caches = 0

    def close(self):
        self.closed = True

    def work(self, needs=0, steps=3):
        if needs:
            self.allowance.admit(needs, "its cache")
        for step in range(steps):
            assert not self.closed, "worked on a model that was unloaded"
            yield step

    def generate(self, request, cancelled):
        for word in self.words:
            if cancelled():
                yield GenerationEnd("cancelled", Usage())
                return
            yield TextPart(word)
        yield GenerationEnd("stop", Usage(output_tokens=len(self.words)))


@dataclass
class FakeLoaders:
    """Makes loaders; `models` holds what they made, `failures` what they raise by id."""

    steps: int = 3
    words: Sequence[str] = ("one", "two", "three")
    models: dict[str, FakeModel] = field(default_factory=dict)
    failures: dict[str, Exception] = field(default_factory=dict)
    abandoned: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def __call__(self, _model):
        return self.load

    def load(self, model, allowance):
        self.loads.append(model.id)
        try:
            for step in range(self.steps):
                if model.id in self.failures and step:
                    raise self.failures[model.id]
                yield step / self.steps
        except GeneratorExit:
            self.abandoned.append(model.id)
            raise
        self.models[model.id] = FakeModel(model, allowance, words=self.words)
        return self.models[model.id]


class FakeFolder:
    """Stands in for `ModelFolder`."""

    def __init__(self, *models):
        self.models = list(models)
        self.damaged = {}

    def installed(self):
        return list(self.models)

    def problems(self):
        return dict(self.damaged)

    def manifest(self, model_id):
        model = next((each for each in self.models if each.id == model_id), None)
        if model is None:
            raise ModelDamaged("Its manifest is missing.")
        return Manifest(
            id=model.id,
            role=model.role,
            family=model.family,
            title=model.id.title(),
            licence="MIT",
            revision=model.revision,
            files=(
                ManifestFile(path="model.safetensors", bytes=model.weight_bytes, sha256="0" * 64),
            ),
        )
