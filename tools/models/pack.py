"""Writes one model pack: model.gguf, tokenizer.json, tokenizer.json.gz and card.json.

Usage: pack.py <id> <Hugging Face folder> <output folder> --golden <folder> [--sentences <file>]
Everything written depends on the inputs alone, byte for byte.
"""

import os

# One thread: on products this small more threads only wait (measured: 33 s of processor time
# for a model with one thread, 250 s with two).
os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')

import argparse
import base64
import hashlib
import json
import shutil
import zlib
from pathlib import Path

import numpy as np
import safetensors.numpy
import zopfli.gzip

import gguf_file
import measure
from bert import Bert
from names import arrival_order, hugging_face_name

HERE = Path(__file__).parent
MODELS = json.loads((HERE / 'models.json').read_text('utf-8'))
BLOCK_ROWS = 16


def crc(data):
    return zlib.crc32(data)


def block_crcs(table, rows):
    """Base64 of a little-endian uint32 CRC-32 for each block of BLOCK_ROWS rows of a table."""
    step = len(table) // rows * BLOCK_ROWS
    values = [crc(table[start:start + step]) for start in range(0, len(table), step)]
    return base64.b64encode(np.array(values, '<u4').tobytes()).decode()


def order(entries, layers):
    """What has arrived at which byte of model.gguf; offsets are absolute, `end` is exclusive."""
    boundaries = [{} for _ in range(layers)]
    for name, boundary in arrival_order(layers):
        offset, stored, _ = entries[name]
        if boundary:
            what, layer = boundary
            boundaries[layer][what] = offset + len(stored)

    def table(name):
        offset, stored, values = entries[name]
        return {'offset': offset, 'rowBytes': len(stored) // len(values), 'rows': len(values)}

    return {
        'headerBytes': next(iter(entries.values()))[0],
        'layers': boundaries,
        'layersEnd': entries['position_embd.weight'][0],
        'positions': table('position_embd.weight'),
        'words': table('token_embd.weight'),
    }


def checksums(entries, header):
    """CRC-32 of everything in the file: the bytes before the tensors, each tensor, each block."""
    words, positions = (entries[name] for name in ('token_embd.weight', 'position_embd.weight'))
    return {
        'header': f'{crc(header):08x}',
        'tensors': {name: f'{crc(stored):08x}' for name, (_, stored, _) in entries.items()},
        'blocks': {
            'rows': BLOCK_ROWS,
            'words': block_crcs(words[1], len(words[2])),
            'positions': block_crcs(positions[1], len(positions[2])),
        },
    }


def file_entry(path):
    data = path.read_bytes()
    return {'bytes': len(data), 'sha256': hashlib.sha256(data).hexdigest()}


def to_json(value, indent=0, width=100):
    """JSON with whatever fits on one line on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= width or not isinstance(value, (dict, list)):
        return flat
    pad = ' ' * (indent + 2)
    if isinstance(value, dict):
        parts = [f'{json.dumps(key)}: {to_json(item, indent + 2, width - len(key) - 4)}'
                 for key, item in value.items()]
    else:
        parts = [to_json(item, indent + 2, width) for item in value]
    brackets = '{}' if isinstance(value, dict) else '[]'
    return brackets[0] + '\n' + ',\n'.join(pad + part for part in parts) + '\n' + \
        ' ' * indent + brackets[1]


def source(description):
    package = description['package']
    return {
        'model': description['model'],
        'ecosystem': package['ecosystem'],
        'package': package['name'],
        'version': package['version'],
        'licence': package['licence'],
        'file': description['members']['weights']['path'],
        'sha256': description['members']['weights']['sha256'],
    }


def build(model_id, folder, output, golden, sentences_path):
    description = MODELS[model_id]
    config = json.loads((folder / 'config.json').read_text('utf-8'))
    tensors = safetensors.numpy.load_file(folder / 'model.safetensors')
    layers, heads = config['num_hidden_layers'], config['num_attention_heads']
    output.mkdir(parents=True, exist_ok=True)

    gguf_file.write(output / 'model.gguf', description, config, tensors)
    shutil.copyfile(folder / 'tokenizer.json', output / 'tokenizer.json')
    tokenizer = (folder / 'tokenizer.json').read_bytes()
    (output / 'tokenizer.json.gz').write_bytes(zopfli.gzip.compress(tokenizer))

    entries = gguf_file.read(output / 'model.gguf')
    assert list(entries) == [name for name, _ in arrival_order(layers)]
    shape = {'layers': layers, 'heads': heads, 'epsilon': config['layer_norm_eps']}
    original = Bert({name: tensors[hugging_face_name(name)] for name in entries}, **shape)
    packed = Bert({name: values for name, (_, _, values) in entries.items()}, **shape)
    worst = measure.against_golden(original, packed, golden)
    sentences = sentences_path.read_text('utf-8').splitlines()
    error = measure.attention_error(original, packed, folder / 'tokenizer.json', sentences)
    error['list'] = sentences_path.name
    if worst['packed'] > error['largest']:
        raise SystemExit(f"{model_id}: a golden sentence is {worst['packed']:.2e} away, more than "
                         f"the largest error of the list, {error['largest']:.2e}")

    card = {
        'id': model_id,
        'name': description['name'],
        'language': description['language'],
        'licence': description['licence'],
        'notice': description['notice'],
        'source': source(description),
        'files': {name: file_entry(output / name)
                  for name in ('model.gguf', 'tokenizer.json', 'tokenizer.json.gz')},
        'architecture': {
            'family': 'bert',
            'layers': layers,
            'heads': heads,
            'width': config['hidden_size'],
            'headSize': config['hidden_size'] // heads,
            'feedForward': config['intermediate_size'],
            'vocabulary': config['vocab_size'],
            'maxTokens': config['max_position_embeddings'],
        },
        'attentionError': {'model.gguf': error},
        'order': order(entries, layers),
        'roles': [],
    }
    header = (output / 'model.gguf').read_bytes()[:card['order']['headerBytes']]
    card['crc32'] = checksums(entries, header)
    (output / 'card.json').write_text(to_json(card) + '\n', 'utf-8')
    print(f"{model_id}: this forward pass against the golden files: attentions "
          f"{worst['original']:.1e}, hidden states {worst['hidden']:.1e}; the pack: attentions "
          f"{worst['packed']:.2e} (golden), {error} (list)")


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('id', choices=list(MODELS))
    parser.add_argument('folder', type=Path)
    parser.add_argument('output', type=Path)
    parser.add_argument('--golden', type=Path, required=True)
    parser.add_argument('--sentences', type=Path)
    arguments = parser.parse_args()
    default = HERE / f"sentences.{MODELS[arguments.id]['language']}.txt"
    build(arguments.id, arguments.folder, arguments.output, arguments.golden,
          arguments.sentences or default)
