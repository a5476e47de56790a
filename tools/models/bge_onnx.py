"""Reads BertModel weights out of the ONNX file of bge-small-zh-v1.5.

The export keeps biases, norms and embeddings under their BERT names, but stores the weights of
each product as an anonymous initializer [in, out]. The bias that is added to a product names it.
"""

import numpy as np
import onnx
from onnx import numpy_helper


def read(data):
    """(tensors by BertModel name, config.json as a dict) from the bytes of the file."""
    graph = onnx.load_model_from_string(data).graph
    initializers = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    tensors = {name: array for name, array in initializers.items() if '::' not in name}

    product = {node.output[0]: node.input for node in graph.node if node.op_type == 'MatMul'}
    for node in graph.node:
        if node.op_type != 'Add':
            continue
        bias = next((name for name in node.input if name in tensors), None)
        inputs = next((product[name] for name in node.input if name in product), None)
        matrix = next((name for name in inputs or () if name in initializers), None)
        if bias is None or matrix is None:
            continue
        weight = bias.removesuffix('bias') + 'weight'
        assert weight not in tensors, f'{weight} found twice'
        tensors[weight] = np.ascontiguousarray(initializers.pop(matrix).T)
    left = [name for name in initializers if '::' in name]
    assert not left, f'initializers without a bias that names them: {left}'

    words, width = tensors['embeddings.word_embeddings.weight'].shape
    layers = sum(name.endswith('.attention.self.query.weight') for name in tensors)
    return tensors, {
        'architectures': ['BertModel'],
        'model_type': 'bert',
        'hidden_act': _activation(graph),
        'hidden_size': width,
        'intermediate_size': len(tensors['encoder.layer.0.intermediate.dense.bias']),
        'layer_norm_eps': _layer_norm_epsilon(graph),
        'max_position_embeddings': len(tensors['embeddings.position_embeddings.weight']),
        'num_attention_heads': width // _head_size(graph),
        'num_hidden_layers': layers,
        'pad_token_id': 0,
        'position_embedding_type': 'absolute',
        'type_vocab_size': len(tensors['embeddings.token_type_embeddings.weight']),
        'vocab_size': words,
    }


def _constants(graph, ending):
    """The set of values of the scalar Constant nodes whose name ends so."""
    values = [numpy_helper.to_array(node.attribute[0].t) for node in graph.node
              if node.op_type == 'Constant' and node.name.endswith(ending)]
    return {value.item() for value in values if value.size == 1}


def _layer_norm_epsilon(graph):
    (epsilon,) = _constants(graph, '/LayerNorm/Constant_1')
    return float(np.format_float_scientific(np.float32(epsilon)))


def _head_size(graph):
    """Scores are divided by the square root of the head size."""
    producer = {node.output[0]: node for node in graph.node}
    scales = set()
    for node in graph.node:
        if node.op_type == 'Div' and node.name.endswith('/attention/self/Div'):
            scales.add(numpy_helper.to_array(producer[node.input[1]].attribute[0].t).item())
    (scale,) = scales
    return round(scale * scale)


def _activation(graph):
    """'gelu' is the exact one, with an Erf node a layer."""
    assert any(node.op_type == 'Erf' for node in graph.node)
    assert not any(node.op_type == 'Tanh' for node in graph.node)
    return 'gelu'
