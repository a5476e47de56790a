"""A BERT encoder in NumPy float64: what the packs are measured with.

Written from the equations, apart from the engine, so that it can serve as a second opinion.
It knows no files; `weights` is a dict from GGUF tensor names to arrays (see names.py).
"""

import math

import numpy as np

_erf = np.frompyfunc(math.erf, 1, 1)


def layer_norm(x, weight, bias, epsilon):
    """LayerNorm over the last axis, with the population variance."""
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred * centred).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + epsilon) * weight + bias


def gelu(x):
    """The exact GELU, x * Phi(x) with the error function; not the tanh approximation."""
    return 0.5 * x * (1.0 + _erf(x / math.sqrt(2.0)).astype(np.float64))


def softmax(scores):
    """Softmax over the last axis, the row maximum subtracted first."""
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


class Bert:
    """Post-LayerNorm encoder with learned positions and segments."""

    def __init__(self, weights, *, layers, heads, epsilon):
        self.weights = {name: array.astype(np.float64) for name, array in weights.items()}
        self.layers = layers
        self.heads = heads
        self.epsilon = epsilon

    def _linear(self, x, name):
        return x @ self.weights[name + '.weight'].T + self.weights[name + '.bias']

    def _norm(self, x, name):
        weights = self.weights
        return layer_norm(x, weights[name + '.weight'], weights[name + '.bias'], self.epsilon)

    def _split(self, x):
        """[T, D] -> [H, T, D/H]"""
        return x.reshape(len(x), self.heads, -1).transpose(1, 0, 2)

    def run(self, ids, type_ids):
        """Attention weights [L, H, T, T] (row = query) and hidden states [L+1, T, D]."""
        x = (
            self.weights['token_embd.weight'][ids]
            + self.weights['position_embd.weight'][: len(ids)]
            + self.weights['token_types.weight'][type_ids]
        )
        x = self._norm(x, 'token_embd_norm')
        hidden, attentions = [x], []
        for layer in range(self.layers):
            block = f'blk.{layer}.'
            query = self._split(self._linear(x, block + 'attn_q'))
            key = self._split(self._linear(x, block + 'attn_k'))
            value = self._split(self._linear(x, block + 'attn_v'))
            scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
            attention = softmax(scores)
            context = (attention @ value).transpose(1, 0, 2).reshape(x.shape)
            x = self._norm(x + self._linear(context, block + 'attn_output'),
                           block + 'attn_output_norm')
            inner = gelu(self._linear(x, block + 'ffn_up'))
            x = self._norm(x + self._linear(inner, block + 'ffn_down'),
                           block + 'layer_output_norm')
            attentions.append(attention)
            hidden.append(x)
        return np.stack(attentions), np.stack(hidden)
