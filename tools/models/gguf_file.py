"""Writes a BERT model as one GGUF file in arrival order, and reads it back as plain arrays.

Matrices of layers become Q8_0, embedding tables F16, biases and norms stay F32.
"""

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

from names import arrival_order, hugging_face_name

EMBEDDINGS = ('token_embd.weight', 'position_embd.weight', 'token_types.weight')


def encode(name, array):
    """(data as it is stored, type) of one fp32 tensor."""
    if not np.isfinite(array).all():
        raise ValueError(f'{name} holds NaN or infinity')
    if array.ndim == 1:
        return array.astype('<f4'), Type.F32
    if name in EMBEDDINGS:
        with np.errstate(over='ignore'):
            half = array.astype('<f2')
        return (half, Type.F16) if np.isfinite(half).all() else (array.astype('<f4'), Type.F32)
    return gguf.quants.quantize(array, Type.Q8_0), Type.Q8_0


def write(path, description, config, tensors):
    """`tensors` by BertModel name; `description` an entry of models.json; `config` config.json."""
    writer = gguf.GGUFWriter(path, 'bert')
    writer.add_name(description['name'])
    writer.add_license(description['licence'].lower())
    writer.add_languages([description['language']])
    writer.add_description(description['notice'])
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_block_count(config['num_hidden_layers'])
    writer.add_context_length(config['max_position_embeddings'])
    writer.add_embedding_length(config['hidden_size'])
    writer.add_feed_forward_length(config['intermediate_size'])
    writer.add_head_count(config['num_attention_heads'])
    writer.add_layer_norm_eps(config['layer_norm_eps'])
    writer.add_causal_attention(False)
    writer.add_vocab_size(config['vocab_size'])
    writer.add_pooling_type(gguf.PoolingType[description['pooling'].upper()])
    for name, _ in arrival_order(config['num_hidden_layers']):
        data, kind = encode(name, tensors[hugging_face_name(name)])
        writer.add_tensor(name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read(path):
    """{name: (absolute offset, bytes as stored, array dequantised to fp32)} in file order."""
    entries = {}
    for tensor in gguf.GGUFReader(path).tensors:
        shape = tuple(int(size) for size in reversed(tensor.shape))
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type).reshape(shape)
        stored = tensor.data.tobytes()
        entries[tensor.name] = (int(tensor.data_offset), stored, values.astype(np.float32))
    return entries
