"""The files of a model with two tiny shards, as a publisher would lay them out."""

import json

import numpy as np
from safetensors.numpy import save


def shard(name="w", values=1000):
    return save({name: np.arange(values, dtype=np.float32)})


def model_files(**changes):
    """Return bytes by name; a change of None leaves a file out.

    Dots in a keyword are written as `__`.
    """
    files = {
        "config.json": {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"]},
        "tokenizer.json": {"version": "1.0"},
        "tokenizer_config.json": {"chat_template": "{{ messages }}"},
        "model.safetensors.index.json": {
            "weight_map": {
                "a": "model-00001-of-00002.safetensors",
                "b": "model-00002-of-00002.safetensors",
            }
        },
        "model-00001-of-00002.safetensors": shard("a"),
        "model-00002-of-00002.safetensors": shard("b", 2000),
        "README.md": b"---\nlicense: apache-2.0\nbase_model: x/y\n---\n# A model\n",
        ".gitattributes": b"*.safetensors filter=lfs\n",
    }
    files.update({name.replace("__", "."): value for name, value in changes.items()})
    return {
        name: data if isinstance(data, bytes) else json.dumps(data).encode()
        for name, data in files.items()
        if data is not None
    }


def write_model(folder, files=None):
    for name, data in (files or model_files()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder
