"""Write the graphs of `resources/text_model`, without their weights.

    pip install onnx; python -m scripts.text_model.encoder_graph

BERT's forward pass (Devlin et al. 2019) with integer matrix products. The weights lie beside the
graphs, at the places that `e5_packed` gives: words and positions of all in `weights.bin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from desktop.models import text_model
from desktop.models.adapters.e5_packed import (
    BLOCK,
    HEADS,
    LAYERS,
    WIDTH,
    Tensor,
    layers_layout,
    layout,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_OPSET, _IR = 20, 9
_EPSILON = 1e-12


class _Graph:
    """Nodes and tensors; every method returns the name of what it adds."""

    def __init__(self, layers: str, places: dict[str, Tensor]) -> None:
        """layers: the file with the weights of the layers. places: of the tensors in it."""
        self.nodes: list[Any] = []
        self.tensors: dict[str, Any] = {}
        self._layers = layers
        self._places = places
        self._words = layout()

    def weight(self, name: str) -> str:
        """Name a tensor of a file of weights."""
        own = name in self._places
        place = self._places[name] if own else self._words[name]
        file = self._layers if own else text_model.WEIGHTS
        tensor = onnx.TensorProto(name=name, data_location=TensorProto.EXTERNAL)
        tensor.data_type = helper.np_dtype_to_tensor_dtype(np.dtype(place.dtype))
        tensor.dims.extend(place.shape)
        told = {"location": file, "offset": place.offset, "length": place.size}
        for key, value in told.items():
            tensor.external_data.add(key=key, value=str(value))
        self.tensors[name] = tensor
        return name

    def numbers(self, *values: int) -> str:
        """Name a row of whole numbers."""
        name = "n" + "_".join(map(str, values))
        self.tensors[name] = helper.make_tensor(name, TensorProto.INT64, [len(values)], values)
        return name

    def __call__(self, kind: str, inputs: Sequence[str], name: str, **settings: Any) -> str:
        """Add a node with one output, which has the node's name."""
        self.nodes.append(helper.make_node(kind, inputs, [name], name=f"{name}.node", **settings))
        return name

    def linear(self, rows: str, name: str) -> str:
        """Add a product of rows, rounded to 8 bits, and a matrix of 8 bits."""
        rounded = [f"{name}.{part}" for part in ("rounded", "rounded_scale", "rounded_zero")]
        self.nodes.append(
            helper.make_node("DynamicQuantizeLinear", [rows], rounded, name=f"{name}.round")
        )
        values, scale, zero = rounded
        sums = self(
            "Cast",
            [self("MatMulInteger", [values, self.weight(name), zero], f"{name}.sums")],
            f"{name}.floats",
            to=TensorProto.FLOAT,
        )
        scales = self("Mul", [scale, self.weight(f"{name}.scale")], f"{name}.scales")
        product = self("Mul", [sums, scales], f"{name}.product")
        return self("Add", [product, self.weight(f"{name}.bias")], f"{name}.out")

    def norm(self, rows: str, name: str, out: str = "") -> str:
        """Add a layer normalisation."""
        weights = [self.weight(f"{name}.weight"), self.weight(f"{name}.bias")]
        settings = {"axis": -1, "epsilon": _EPSILON}
        return self("LayerNormalization", [rows, *weights], out or f"{name}.out", **settings)


def encoder(layers: str, places: dict[str, Tensor]) -> Any:
    """Return the graph: ids of one text, int64, shape (1, tokens); to states, float32.

    One text has no padding, so nothing is masked, and a head is a matrix: a tenth less time.
    """
    add = _Graph(layers, places)
    hidden = add.norm(_words(add), "norm")
    for layer in range(LAYERS):
        mixed = _attention(add, hidden, layer)
        update = add("Add", [add.linear(mixed, f"{layer}.mix"), hidden], f"{layer}.mixed")
        hidden = add.norm(update, f"{layer}.mix.norm")
        wide = add("Gelu", [add.linear(hidden, f"{layer}.widen")], f"{layer}.gelu")
        update = add("Add", [add.linear(wide, f"{layer}.narrow"), hidden], f"{layer}.narrowed")
        last = "states" if layer == LAYERS - 1 else ""
        hidden = add.norm(update, f"{layer}.narrow.norm", last)
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "tokens"])
    states = helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, "tokens", WIDTH])
    graph = helper.make_graph(
        add.nodes, text_model.NAME, [ids], [states], initializer=list(add.tensors.values())
    )
    return helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR,
        producer_name="groundwork",
    )


def _words(add: _Graph) -> str:
    """Add words and positions: a word is blocks of small numbers, each with its scale."""
    numbers = add("Gather", [add.weight("words"), "ids"], "word.numbers")
    numbers = add("Cast", [numbers], "word.floats", to=TensorProto.FLOAT)
    blocks = add("Reshape", [numbers, add.numbers(0, 0, WIDTH // BLOCK, BLOCK)], "word.blocks")
    scales = add("Gather", [add.weight("words.scale"), "ids"], "word.halves")
    scales = add("Cast", [scales], "word.scales", to=TensorProto.FLOAT)
    scales = add("Unsqueeze", [scales, add.numbers(-1)], "word.scale")
    scaled = add("Mul", [blocks, scales], "word.scaled")
    words = add("Reshape", [scaled, add.numbers(0, 0, WIDTH)], "word")
    length = add(
        "Slice", [add("Shape", ["ids"], "shape"), add.numbers(1), add.numbers(2)], "length"
    )
    zero = add.numbers(0)
    places = add("Slice", [add.weight("positions"), zero, length, zero], "places")
    return add("Add", [words, places], "embedded")


def _attention(add: _Graph, hidden: str, layer: int) -> str:
    name = f"{layer}.attend"
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    add.nodes.append(
        helper.make_node(
            "Split", [add.linear(hidden, name)], parts, name=f"{name}.split", axis=-1, num_outputs=3
        )
    )
    by_head = add.numbers(-1, HEADS, WIDTH // HEADS)
    query, key, value = (add("Reshape", [part, by_head], f"{part}.heads") for part in parts)
    query = add("Transpose", [query], f"{query}.turned", perm=[1, 0, 2])
    key = add("Transpose", [key], f"{key}.turned", perm=[1, 2, 0])
    value = add("Transpose", [value], f"{value}.turned", perm=[1, 0, 2])
    near = add("MatMul", [query, key], f"{name}.near")
    weights = add("Softmax", [near], f"{name}.weights", axis=-1)
    mixed = add("MatMul", [weights, value], f"{name}.mixed")
    mixed = add("Transpose", [mixed], f"{name}.back", perm=[1, 0, 2])
    return add("Reshape", [mixed, add.numbers(1, -1, WIDTH)], f"{name}.rows")


def main() -> None:
    """Write the graphs."""
    for name, layers, places in (
        (text_model.GRAPH, text_model.WEIGHTS, layout()),
        (text_model.COMPARING_GRAPH, text_model.COMPARING_WEIGHTS, layers_layout()),
        (text_model.RERANKING_GRAPH, text_model.RERANKING_WEIGHTS, layers_layout()),
    ):
        path: Path = text_model.adapter_folder() / name
        path.write_bytes(encoder(layers, places).SerializeToString())
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
