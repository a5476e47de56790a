/** English texts of the attention calculator. */

export const calculator = {
  'calculator.title': 'Attention calculator · Headlights',
  'calculator.heading': 'What attention costs',
  'calculator.claim':
    'Enter the size of a Transformer. Parameters, arithmetic and memory follow, each with its formula and your numbers in it.',
  'calculator.skip': 'Skip to the results',

  'calculator.inputs': 'Size of the model',
  'calculator.presets': 'Known models',
  'calculator.preset.base': 'Transformer base',
  'calculator.preset.bert': 'BERT base',
  'calculator.preset.gpt2': 'GPT-2 small',
  'calculator.preset.gpt3': 'GPT-3',
  'calculator.preset.llama3': 'Llama 3 8B',
  'calculator.preset.minilm-en': 'MiniLM',
  'calculator.preset.bge-zh': 'BGE small',
  'calculator.about.base':
    'The encoder of Vaswani et al. 2017. The paper fixes no length and gives about 37,000 words; its projections have no biases.',
  'calculator.about.bert': 'Devlin et al. 2018. An encoder: it needs no cache of keys and values.',
  'calculator.about.gpt2': 'Radford et al. 2019, the smallest of four.',
  'calculator.about.gpt3': 'Brown et al. 2020, the largest: 175 billion parameters.',
  'calculator.about.llama3':
    'Meta 2024. Four heads share one key and one value; its feed-forward layers are gated.',
  'calculator.about.minilm-en':
    'all-MiniLM-L6-v2, as the explorer runs it. Its file stores one scale for every 32 whole numbers besides.',
  'calculator.about.bge-zh':
    'bge-small-zh-v1.5, as the explorer runs it. Its file stores one scale for every 32 whole numbers besides.',
  'calculator.about.own': 'Sizes of your own.',
  'calculator.about.open': 'See its heads at work',

  'calculator.field.d': 'Width of the model',
  'calculator.field.h': 'Heads',
  'calculator.field.dk': 'Width of a head',
  'calculator.field.kv': 'Key-value heads',
  'calculator.field.layers': 'Layers',
  'calculator.field.n': 'Sequence length',
  'calculator.field.ff': 'Feed-forward width',
  'calculator.field.vocab': 'Vocabulary',
  'calculator.field.k': 'Width of the convolution',
  'calculator.field.r': 'Neighbourhood',
  'calculator.empty.dk': '{value} = d ÷ h',
  'calculator.empty.kv': '{value} = h',
  'calculator.empty.off': 'not counted',
  'calculator.dtype': 'Number type',
  'calculator.dtype.fp32': 'fp32 · 4 bytes',
  'calculator.dtype.fp16': 'fp16, bf16 · 2 bytes',
  'calculator.dtype.int8': 'int8 · 1 byte',
  'calculator.dtype.int4': '4 bits · ½ byte',
  'calculator.bias': 'with biases',
  'calculator.gated': 'gated: three matrices',
  'calculator.out': 'Words out',
  'calculator.out.none': 'none',
  'calculator.out.tied': 'word table',
  'calculator.out.own': 'own matrix',
  'calculator.full': 'Write numbers in full',

  'calculator.fault.empty': 'Empty. Enter a whole number from {min} to {max}.',
  'calculator.fault.letters': 'Not a number. Enter digits, from {min} to {max}.',
  'calculator.fault.fraction': 'Only whole numbers, from {min} to {max}.',
  'calculator.fault.small': 'Too small: at least {min}.',
  'calculator.fault.large': 'Too large: at most {max}.',
  'calculator.fault.heads':
    '{h} heads do not divide a width of {d}. Take {near} heads, or enter the width of a head.',
  'calculator.fault.groups': '{h} heads cannot share {kv} keys evenly. Take {near}.',
  'calculator.fault.or': ' or ',
  'calculator.stale':
    'Below are the results of the last sizes that could be used. Mend the marked field to go on.',
  'calculator.note.link': 'The link says {key} = “{value}”, which cannot be used. Taken: {used}.',
  'calculator.note.empty': 'left empty',
  'calculator.status':
    '{parameters} attention parameters; {work} for a sequence; {cache} of cache; {scores} of scores in a layer.',

  'calculator.figure.parameters': 'attention parameters',
  'calculator.figure.parameters.of': 'of {model} in all',
  'calculator.figure.parameters.layers': 'in {layers|one layer|{layers} layers}',
  'calculator.figure.work': 'to read {n|one token|{n} tokens}',
  'calculator.figure.work.of': 'scores and weighted sums: {share}%',
  'calculator.figure.cache': 'cache of keys and values',
  'calculator.figure.cache.of': '{token} for a token',
  'calculator.figure.scores': 'scores in one layer',
  'calculator.figure.scores.of': '{flash} with FlashAttention',

  'calculator.parameters': 'Parameters',
  'calculator.parameters.about':
    'More heads do not mean more parameters: {h|one matrix|{h} matrices} of {d} × {dk}, side by side, are one matrix of {d} × {all}.',
  'calculator.parameters.separate': '{h|one head|{h} heads}, {d} × {dk} each',
  'calculator.parameters.joined': 'one matrix, {d} × {all}',
  'calculator.parameters.picture':
    'The query projection: {h} separate matrices of {d} × {dk} beside one matrix of {d} × {all}, the same {count} numbers.',
  'calculator.parameters.not': 'Not counted: norms and position tables.',

  'calculator.count.joined': 'Query',
  'calculator.count.key': 'Key',
  'calculator.count.value': 'Value',
  'calculator.count.output': 'Output',
  'calculator.count.matrices': 'One layer, without biases',
  'calculator.count.biases': 'Biases of the four',
  'calculator.count.withBias': 'One layer, with biases',
  'calculator.count.attention': 'Attention, all layers',
  'calculator.count.feedForward': 'Feed-forward, one layer',
  'calculator.count.feedForwards': 'Feed-forward, all layers',
  'calculator.count.words': 'Word table',
  'calculator.count.wordsTwice': 'Word table and output matrix',
  'calculator.count.model': 'Model',
  'calculator.count.weights': 'In memory',

  'calculator.work': 'Arithmetic',
  'calculator.work.about':
    'One FLOP is one addition or one multiplication, so a multiply-add counts as 2. A token looks at all {n} tokens; a causal mask would need half of the scores.',
  'calculator.work.token': 'one token',
  'calculator.work.sequence': '{n|1 token|{n} tokens}',
  'calculator.work.step': 'Step',
  'calculator.work.formula': 'Formula',
  'calculator.work.crossover':
    'Beyond {n} tokens, scores and weighted sums cost more than the projections:',
  'calculator.count.project': 'Queries, keys, values',
  'calculator.count.scores': 'Scores, query · key',
  'calculator.count.softmax': 'Softmax, approximately',
  'calculator.count.context': 'Weighted sum of values',
  'calculator.count.outputWork': 'Output projection',
  'calculator.count.attentionWork': 'Attention, one layer',
  'calculator.count.feedForwardWork': 'Feed-forward, one layer',
  'calculator.count.layersWork': 'All layers',
  'calculator.count.wordsWork': 'Scores of all words',
  'calculator.count.modelWork': 'Model',
  'calculator.work.softmax':
    'Softmax is an estimate: {flop} FLOP for each score (scale, subtract the maximum, e to the power, sum, divide). What e to the power really costs depends on the machine.',

  'calculator.memory': 'Memory',
  'calculator.memory.about':
    'b = {bytes} bytes for a number. 1 KiB is 1024 bytes, 1 MiB is 1024 KiB. One sequence at a time.',
  'calculator.memory.cache': 'Cache of keys and values',
  'calculator.memory.cache.about':
    'A model that writes keeps the keys and values of every token, so that it need not compute them again. An encoder needs none.',
  'calculator.memory.scores': 'Matrix of scores',
  'calculator.memory.scores.about':
    'Written out, every head has n × n scores. FlashAttention (Dao et al. 2022) computes them in tiles and keeps one number a row, in fp32 (Dao 2023).',
  'calculator.memory.coarse':
    'Programs with weights of this type usually keep scores in 16 or 32 bits; choose fp16 or fp32 to see those.',
  'calculator.count.cacheTokenLayer': 'One token, one layer',
  'calculator.count.cacheToken': 'One token, all layers',
  'calculator.count.cacheSequence': 'The sequence, all layers',
  'calculator.count.cacheOwn': 'If each head had its own keys',
  'calculator.count.scoresHead': 'One head',
  'calculator.count.scoresLayer': 'One layer',
  'calculator.count.scoresModel': 'All layers, as training keeps them',
  'calculator.count.flashLayer': 'One layer, FlashAttention',
  'calculator.count.flashSaves': 'What it avoids in a layer',

  'calculator.growth': 'Growth with length',
  'calculator.growth.about':
    'Both axes are logarithmic: a line twice as steep grows with the square of the length.',
  'calculator.growth.slider': 'Sequence length',
  'calculator.growth.slider.value': '{n|one token|{n} tokens}',
  'calculator.growth.work': 'Arithmetic for a sequence, in FLOP',
  'calculator.growth.memory': 'Memory for a sequence',
  'calculator.growth.work.about': 'All layers. Scores with softmax and weighted sums.',
  'calculator.growth.memory.about':
    'Weights of attention and cache of all layers; scores of one layer.',
  'calculator.growth.chart':
    '{title} against sequence length from {from} to {to} tokens, both axes logarithmic. At {n} tokens: {list}. The table below holds the numbers.',
  'calculator.growth.item': '{name} {value}',
  'calculator.growth.tokens': 'tokens',
  'calculator.growth.table': 'The same numbers as a table',
  'calculator.line.projections': 'projections',
  'calculator.line.scores': 'scores',
  'calculator.line.feed': 'feed-forward',
  'calculator.line.weights': 'weights',
  'calculator.line.cache': 'cache',
  'calculator.line.matrix': 'scores',
  'calculator.line.flash': 'FlashAttention',

  'calculator.comparison': 'Beside other layers',
  'calculator.comparison.about':
    'Growth terms of Vaswani et al. 2017, table 1, with n = {n}, d = {d}, k = {k}, r = {r}. Factors that do not grow are left out: they compare how costs grow, not programs.',
  'calculator.comparison.layer': 'Layer',
  'calculator.comparison.complexity': 'Complexity per layer',
  'calculator.comparison.sequential': 'Sequential operations',
  'calculator.comparison.path': 'Longest path',
  'calculator.comparison.kind.attention': 'Self-attention',
  'calculator.comparison.kind.recurrent': 'Recurrent',
  'calculator.comparison.kind.convolutional': 'Convolutional',
  'calculator.comparison.kind.restricted': 'Self-attention, restricted',
  'calculator.comparison.least': 'least',
  'calculator.comparison.path.about':
    'Path: how many steps lie between the two tokens that are farthest apart. A stack of dilated convolutions needs logₖ(n) layers; an attention that sees r tokens needs n ÷ r.',
  'calculator.comparison.short':
    'Self-attention costs less than recurrence as long as the text is shorter than the width: n < d. Here {n} < {d}.',
  'calculator.comparison.long':
    'Self-attention costs less than recurrence as long as the text is shorter than the width: n < d. Here {n} is not below {d}.',
  'calculator.comparison.wide': 'The neighbourhood is larger than the text: counted as r = {n}.',
} as const;
