"""Tensor names: Hugging Face's BertModel <-> GGUF's `bert`, and the order of arrival of a pack."""

_EMBEDDINGS = {
    'token_embd': 'embeddings.word_embeddings',
    'position_embd': 'embeddings.position_embeddings',
    'token_types': 'embeddings.token_type_embeddings',
    'token_embd_norm': 'embeddings.LayerNorm',
}

_LAYER = {
    'attn_q': 'attention.self.query',
    'attn_k': 'attention.self.key',
    'attn_v': 'attention.self.value',
    'attn_output': 'attention.output.dense',
    'attn_output_norm': 'attention.output.LayerNorm',
    'ffn_up': 'intermediate.dense',
    'ffn_down': 'output.dense',
    'layer_output_norm': 'output.LayerNorm',
}


def hugging_face_name(name):
    """'blk.3.attn_q.weight' -> 'encoder.layer.3.attention.self.query.weight'"""
    stem, part = name.rsplit('.', 1)
    if stem in _EMBEDDINGS:
        return f'{_EMBEDDINGS[stem]}.{part}'
    _, layer, unit = stem.split('.')
    return f'encoder.layer.{layer}.{_LAYER[unit]}.{part}'


def arrival_order(layers):
    """GGUF names in the order in which a page needs them, as (name, boundary) pairs.

    `boundary` is None, or what can be computed once this tensor is there:
    ('end', layer) = that layer's attention weights, ('complete', layer) = its output.
    The last layer's value, output and feed-forward come after everything that pictures need;
    the position table and the word table, of which a sentence needs a few rows, come last.
    """
    order = [(name, None) for name in
             ('token_embd_norm.weight', 'token_embd_norm.bias', 'token_types.weight')]
    for layer in range(layers):
        block = f'blk.{layer}.'
        small = ['attn_q.bias', 'attn_k.bias']
        rest = ['attn_v.bias', 'attn_output.bias', 'attn_output_norm.weight',
                'attn_output_norm.bias', 'ffn_up.bias', 'ffn_down.bias',
                'layer_output_norm.weight', 'layer_output_norm.bias']
        matrices = ['attn_v.weight', 'attn_output.weight', 'ffn_up.weight', 'ffn_down.weight']
        if layer < layers - 1:
            small, late = small + rest, matrices
        else:
            late = rest + matrices
        order += [(block + name, None) for name in small]
        order += [(block + 'attn_q.weight', None), (block + 'attn_k.weight', ('end', layer))]
        order += [(block + name, None) for name in late[:-1]]
        order += [(block + late[-1], ('complete', layer))]
    return order + [('position_embd.weight', None), ('token_embd.weight', None)]
