"""How far the attention weights of a pack lie from those of the fp32 original."""

import numpy as np
import safetensors
from tokenizers import Tokenizer

# What the golden values and this forward pass may differ by: fp32 against float64 arithmetic.
GOLDEN_TOLERANCE = 2e-5


def _significant(value, digits=3, up=False):
    """Rounded so that the last bits of another machine's arithmetic do not show."""
    rounded = float(f'{value:.{digits - 1}e}')
    if up and rounded < value:
        step = 10.0 ** (np.floor(np.log10(value)) - digits + 1)
        rounded = float(f'{value + step / 2:.{digits - 1}e}')
    return rounded


def attention_error(original, packed, tokenizer_path, sentences):
    """{largest (rounded up), p999, mean, sentences} over all layers, heads and token pairs."""
    tokenizer = Tokenizer.from_file(str(tokenizer_path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    differences = []
    for text in sentences:
        encoding = tokenizer.encode(text)
        exact, _ = original.run(encoding.ids, encoding.type_ids)
        rounded, _ = packed.run(encoding.ids, encoding.type_ids)
        differences.append(np.abs(exact - rounded).ravel())
    differences = np.concatenate(differences)
    return {
        'largest': _significant(differences.max(), up=True),
        'p999': _significant(np.quantile(differences, 0.999)),
        'mean': _significant(differences.mean()),
        'sentences': len(sentences),
    }


def against_golden(original, packed, folder):
    """Largest differences of both models from the golden attentions, over a folder of files."""
    worst = {'original': 0.0, 'packed': 0.0, 'hidden': 0.0}
    files = sorted(folder.glob('*.safetensors'))
    if not files:
        raise SystemExit(f'{folder}: no golden files')
    for path in files:
        with safetensors.safe_open(path, 'np') as golden:
            ids, types = golden.get_tensor('input_ids'), golden.get_tensor('token_type_ids')
            expected, states = golden.get_tensor('attentions'), golden.get_tensor('hidden_states')
        attentions, hidden = original.run(ids, types)
        worst['original'] = max(worst['original'], np.abs(attentions - expected).max())
        worst['hidden'] = max(worst['hidden'], np.abs(hidden - states).max())
        attentions, _ = packed.run(ids, types)
        worst['packed'] = max(worst['packed'], np.abs(attentions - expected).max())
    if worst['original'] > GOLDEN_TOLERANCE:
        raise SystemExit(f"{folder}: the forward pass is {worst['original']:.1e} away from the "
                         f'golden attentions, more than {GOLDEN_TOLERANCE:.0e}')
    return worst
