/** English texts of the demos page. */

export const demos = {
  'demos.claim': 'The tutorials’ three demonstrations, computed here from their random seeds.',
  'demos.title': 'Headlights: the tutorials’ demonstrations',
  'demos.which': 'Demonstration',
  'demos.heads.tab': '1 Each head by itself',
  'demos.fusion.tab': '2 Heads together',
  'demos.batched.tab': '3 Loop against batch',
  'demos.heads.lead':
    'Each head has its own W_Q, W_K and W_V, and so its own weights: a row looks, a column is looked at. Press a cell to see its arithmetic below.',
  'demos.fusion.lead':
    'The heads’ contexts are put side by side, then multiplied by Wₒ, which lets every output dimension draw on every head.',
  'demos.batched.lead':
    'The same attention twice: one product for each head in a loop, or one product for all heads at once.',
  'demos.field.seed': 'seed',
  'demos.field.scale': 'scale of the weights',
  'demos.field.d': 'd (width)',
  'demos.field.h': 'h (heads)',
  'demos.field.tokens': 'words, apart by spaces',
  'demos.field.n': 'n (words)',
  'demos.error.whole': 'A whole number from {least} to {most}, please.',
  'demos.error.decimal': 'A number from {least} to {most}, please.',
  'demos.error.divides': 'h must divide d = {d}.',
  'demos.error.tokens': '{least} to {most} words, please, of at most 40 letters each.',
  'demos.words.own':
    'The words’ vectors are the tutorial’s own; all weights are drawn from the seed.',
  'demos.words.drawn':
    'The words’ vectors are drawn too, as numpy.random.RandomState(7).randn({n}, {d}).',
  'demos.fault': 'The link’s “{field}” could not be read; the usual value stands there.',
  'demos.computing': 'Computing…',
  'demos.head': 'head {head}',
  'demos.entropy': 'Entropy of a row {value} (everywhere alike: {even}).',
  'demos.distance': 'Mean distance {value} words (everywhere alike: {even}).',
  'demos.untrained':
    'These weights are random: where a head looks came out of the draw, and no head has a task of its own. Training is what makes heads specialise.',
  'demos.trained': 'Now with trained weights',
  'demos.private': 'All of it is computed in this page; nothing is sent.',
  'demos.fusion.concat': 'Contexts side by side (concat)',
  'demos.fusion.wO': 'Wₒ',
  'demos.fusion.output': 'concat × Wₒ (fused)',
  'demos.fusion.naive':
    'The naive answer stops at the left table: there every dimension belongs to one head. Fused, each mixes all of them.',
  'demos.fusion.paths': 'From every dimension of the concatenation into every output: “{token}”',
  'demos.fusion.pathsText':
    'A cell is one number of the concatenation times one weight of Wₒ; a column adds up to the output.',
  'demos.fusion.token': 'word',
  'demos.fusion.from': 'from {index}',
  'demos.fusion.pathsCaption': 'Contributions',
  'demos.fusion.sum': 'output',
  'demos.batched.timed': 'Timed here and now',
  'demos.batched.how':
    'Both ways run in turns on this machine; a sample repeats the pass until it takes at least 5 ms.',
  'demos.batched.run': 'Time both',
  'demos.batched.running': 'Timing…',
  'demos.batched.loop': 'loop over heads',
  'demos.batched.batch': 'one batch',
  'demos.batched.median': 'median a pass',
  'demos.batched.middle': 'middle half',
  'demos.batched.ratio':
    'The loop takes {ratio} times as long as the batch (middle half {low} to {high}, {samples} samples each).',
  'demos.batched.same': 'Largest difference of the two outputs: {difference}.',
  'demos.batched.weights': 'Weights of the first and the last head',
  'demos.part.dimensions': 'The first {few} of {d} dimensions; sums are over all of them.',
  'demos.part.heads': 'The first {few} of {h} heads.',
  'demos.batched.part': 'The first {few} of {n} words.',
} as const;
