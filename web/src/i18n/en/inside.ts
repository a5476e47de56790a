/** English texts of the inspector: inside a head. */

export const inside = {
  'inside.open': 'Inside this head: every step as numbers',
  'inside.shut': 'Close the head',
  'inside.region': 'Inside the head: one query, one key, step by step',
  'inside.title': 'Inside {head}',
  'inside.close': 'Close',
  'inside.empty': 'Nothing to take apart yet.',
  'inside.mean': 'A mean of heads has no single arithmetic. Choose one head on the wall.',
  'inside.loading': 'The numbers come when every layer has arrived.',
  'inside.choose.query': 'Token that looks (query)',
  'inside.choose.key': 'Token that is looked at (key)',
  'inside.looksAt': 'looks at',
  'inside.steps': 'Steps of the arithmetic; arrow keys walk',
  'inside.back': '← Step back',
  'inside.next': 'Next step →',
  'inside.dimensions': 'Dimensions {from} to {to}',
  'inside.at': 'dimension {dimension}: {value}',
  'inside.strip': '{count} numbers, colours from −{bound} to {bound}',
  'inside.all': 'All {count} numbers',
  'inside.rounding':
    'Every number is rounded to 3 decimals: the printed terms may add up to a total that differs by up to {units} units of the last digit.',

  'inside.step.words': 'words in',
  'inside.step.vectors': 'q and k',
  'inside.step.products': 'q × k',
  'inside.step.scale': '÷ √d',
  'inside.step.row': 'scores, mask',
  'inside.step.softmax': 'softmax',
  'inside.step.context': 'weight × v',
  'inside.step.concat': 'all heads',
  'inside.step.output': '× Wₒ',

  'inside.name.query': 'query of {token}',
  'inside.name.key': 'key of {token}',
  'inside.name.product': 'product',
  'inside.name.value': 'value of {token}',
  'inside.name.before': 'sum before',
  'inside.name.weighted': 'plus weight times value',
  'inside.name.after': 'sum after',

  'inside.words.first':
    'What the model knows of {query} and {key} when attention begins: one vector for each token.',
  'inside.words.later':
    'What the model knows of {query} and {key} after {layer|one layer|{layer} layers}: one vector for each token, its hidden state.',
  'inside.vectors.text':
    'The head turns the vector of {query} into a query, what it asks for, and the vector of {key} into a key, what it offers: {size} numbers each.',
  'inside.products.text':
    'Query and key are multiplied number by number. The {terms} products are summed: the more the two agree, the larger the sum.',
  'inside.scale.text':
    'The sum is divided by the square root of the {size} dimensions, so that it does not grow with their number.',
  'inside.scale.temperature': 'The temperature {warmth} divides it as well.',
  'inside.scale.why': 'This is the score of {key}. Every other token gets one in the same way.',
  'inside.row.text': 'The scores of {query} for {count|the one token|all {count} tokens}.',
  'inside.row.allOpen': 'The mask hides nothing: the head may look at every token.',
  'inside.row.someMasked':
    'The mask hides {count|one token|{count} tokens}: their score counts as −∞, their weight becomes 0.',
  'inside.row.caption': 'Row of {query}',
  'inside.row.key': 'token',
  'inside.row.dot': 'q · k',
  'inside.row.score': 'score',
  'inside.row.mask': 'mask',
  'inside.row.open': 'open',
  'inside.row.masked': 'hidden',
  'inside.row.shifted': 'minus maximum',
  'inside.row.exponential': 'e^…',
  'inside.row.weight': 'weight',
  'inside.row.total': 'row',
  'inside.softmax.text':
    'Softmax turns scores into weights: subtract the largest score, take e to the power of what is left, divide by the sum. All weights are above 0 and add up to 1.',
  'inside.softmax.whole':
    'The whole row counts here. While special tokens are hidden on the stage, the rest counts as 100% there, so its weights are larger.',
  'inside.softmax.empty': 'The mask hides every token: all weights are 0.',
  'inside.context.text':
    'Each token hands over its value vector, times its weight. Token {place} of {count}, {key}, adds {weight} times its value to the sum so far. Choose another token above to see the sum build up.',
  'inside.context.done': 'This was the last token: the sum is the head’s context.',
  'inside.context.whole': 'Context of the head: the sum over all tokens',
  'inside.concat.text':
    'The contexts of all {heads} heads for {query} stand side by side: {width} numbers. This head’s are {from} to {to}.',
  'inside.concat.label': 'Contexts of all heads',
  'inside.output.text':
    'Times its rows of Wₒ, this head adds a vector of length {norm} to {query}: {share}% of what the block gives out.',
  'inside.output.stream':
    'The whole block gives out length {output}, beside {residual} of the stream it is added to ({percent}%).',
  'inside.output.share':
    'Share: the part of an addition that points along the block’s output. Shares of all heads and of the bias add up to 1; a head that works against the others has a negative one.',
  'inside.output.own': 'What this head adds',
  'inside.output.whole': 'What the block gives out',
  'inside.share.caption': 'Additions of the heads of this layer',
  'inside.share.part': 'part',
  'inside.share.norm': 'length',
  'inside.share.share': 'share',
  'inside.share.head': 'head {head}',
  'inside.share.bias': 'bias',
  'inside.share.all': 'together',
  'inside.share.allAndBias': 'together',
} as const;
