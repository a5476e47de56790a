"""Writes reference.json: ids, type ids and offsets of Hugging Face's `tokenizers` (PyPI, 0.23.3).

Run in a Python environment that has that package: python make.py
The strings were written for this project or are drawn from Unicode blocks with a fixed seed.
Musical notation is left out: the reference reorders its marks and moves their offsets with them.
"""
import json
import pathlib
import random

import tokenizers

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[2]
FILES = {
    'minilm-en': ROOT / 'web/public/models/minilm-en/tokenizer.json',
    'bge-zh': ROOT / 'web/public/models/bge-zh/tokenizer.json',
    'tiny-bert': ROOT / 'tests/golden/models-tiny/bert/tokenizer.json',
}
WRITTEN = [
    '', ' ', '\t\n', 'Café', 'ﬁ', 'İstanbul', 'ISTANBUL İ', 'e\u0301t cafe\u0301', '한국어',
    '\u1112\u1161\u11ab\u1100\u116e\u11a8', '👩‍👩‍👧', 'a\u0000b', 'مرحبا بالعالم', 'ภาษาไทย', 'नमस्ते', 'क्षि',
    'NASA cat', 'ΣΑΣ ΟΔΟΣ', '𠀀𠀁 a𠀀b', '[MASK] is [SEP]x[CLS]', '  [MASK]  ', '[mask]', 'ẞ STRASSE ß', 'Ǆ ǅ',
    '½ ²', '≠ a≠b', 'a\u037eb', '\ufeffx', 'a\u200bb', 'x\u00a0y', '\u0085', '１２３ＡＢＣ', 'ﷺ', 'ç̧̨̧̨', 'Å Å',
    '①②', 'don\'t ‘quoted’ “x”', 'a' * 100, 'a' * 101, 'é' * 101, '中' * 3, 'ア゙ ガ', '日本語のテキスト、です。',
    '🇨🇳🇺🇸', 'a\u0301\u0327b', 'ı I i', 'ſt', 'K', '\u2f00\uf900\U0002f800', '\ufffd', 'x\ue000y', 'a⹃b', '꣒', 'a᙭b', '𑇉', 'a𐄀b𐄁', '𪛖𫜴𫠠', 'a\u08d4b', '\u1734a',
    'The animal didn\'t cross the street because it was too tired.', 'Prices rose 3.5% to $1,200 (about €1,100).',
    'state-of-the-art e-mail: a.b@example.org', 'unaffable hyperparameters', '我爱自然语言处理', '他说：“GPT-4很强！”',
    '2024年，北京下了3场雪。', 'Zürich, São Paulo, Łódź, Đà Nẵng', 'MIXED случай 混合 ケース', '_ __init__ snake_case',
]
BLOCKS = [
    (32, 127), (0, 32), (0x80, 0xc0), (0xc0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700),
    (0x900, 0xe80), (0x1100, 0x1200), (0x1e00, 0x2070), (0x20a0, 0x2c00), (0x3000, 0x3100),
    (0x4e00, 0x4f00), (0xac00, 0xad00), (0xf900, 0xfb10), (0xfe00, 0xfff0), (0x10000, 0x10100),
    (0x1d400, 0x1d500), (0x1f300, 0x1f700), (0x20000, 0x20050), (97, 123), (65, 91), (32, 33),
]


def drawn(rng):
    block = rng.choice(BLOCKS)
    text = ''
    for _ in range(rng.choice([1, 2, 4, 8, 16, 30])):
        if rng.random() < 0.35:
            block = rng.choice(BLOCKS)
        if rng.random() < 0.03:
            text += rng.choice(['[MASK]', '[SEP]', '[UNK]', ' the ', '##a'])
        text += chr(rng.randrange(*block))
    return text


def row(encoding):
    plain = [i for i, special in enumerate(encoding.special_tokens_mask) if not special]
    return {
        'ids': encoding.ids,
        'types': encoding.type_ids,
        'plain': plain,
        'offsets': [place for i in plain for place in encoding.offsets[i]],
    }


def main():
    rng = random.Random(20)
    texts = WRITTEN + [drawn(rng) for _ in range(200)]
    pairs = [[rng.choice(WRITTEN[55:]), rng.choice(WRITTEN[30:])] for _ in range(40)]
    limits = [rng.choice([3, 4, 5, 8, 13, 20]) for _ in pairs]
    models = {}
    for name, path in FILES.items():
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        whole = [row(tokenizer.encode(text)) for text in texts]
        cut = []
        for (first, second), limit in zip(pairs, limits):
            tokenizer.enable_truncation(limit, strategy='longest_first')
            cut.append(row(tokenizer.encode(first, second)))
        models[name] = {'texts': whole, 'pairs': cut}
    result = {
        'made': f'tokenizers {tokenizers.__version__}',
        'texts': texts,
        'pairs': pairs,
        'limits': limits,
        'models': models,
    }
    (HERE / 'reference.json').write_text(json.dumps(result, ensure_ascii=True, separators=(',', ':')) + '\n')


main()
