/**
 * Sentences worth a first look, each with a head that has a measured role and a pinned word that shows it: the
 * largest visible weight of the word falls on one of `keys`. Tokens are counted as the run counts them (0 is
 * [CLS]). A test asks the model whether each still holds.
 */

import type { ModelId } from './models.ts';

export interface Example {
  language: 'en' | 'zh';
  text: string;
  model: ModelId;
  layer: number;
  head: number;
  /** The role of the head that the pinned word shows: key of an i18n text. */
  role: string;
  query: number;
  keys: readonly number[];
}

const en = { language: 'en', model: 'minilm-en' } as const;
const zh = { language: 'zh', model: 'bge-zh' } as const;

export const EXAMPLES: readonly Example[] = [
  {
    ...en,
    text: "The animal didn't cross the street because it was too tired.",
    layer: 3,
    head: 1,
    role: 'role.verbObject',
    query: 6, // cross
    keys: [8], // street
  },
  {
    ...en,
    text: 'I saw a dog and a bird, and the dog chased the bird.',
    layer: 2,
    head: 9,
    role: 'role.samePiece',
    query: 11, // the second dog
    keys: [4], // the first
  },
  {
    ...en,
    text: 'John told Mary that he loved her.',
    layer: 1,
    head: 3,
    role: 'role.pronounName',
    query: 7, // her
    keys: [3], // Mary
  },
  {
    ...en,
    text: 'The old man opened the heavy door with a key.',
    layer: 2,
    head: 8,
    role: 'role.determinerNoun',
    query: 9, // a
    keys: [10], // key
  },
  {
    ...en,
    text: 'The little girl fed the hungry birds in the park.',
    layer: 2,
    head: 0,
    role: 'role.objectVerb',
    query: 7, // birds
    keys: [4], // fed
  },
  {
    ...en,
    text: 'The cat sat on the mat.',
    layer: 1,
    head: 8,
    role: 'role.nextPiece',
    query: 5, // the
    keys: [6], // mat
  },
  {
    ...zh,
    text: '我爱自然语言处理',
    layer: 0,
    head: 0,
    role: 'role.otherCharacter',
    query: 8, // 理
    keys: [7], // 处
  },
  {
    ...zh,
    text: '小猫坐在垫子上，小狗坐在门口',
    layer: 0,
    head: 5,
    role: 'role.sameCharacter',
    query: 9, // the second 小
    keys: [1], // the first
  },
  {
    ...zh,
    text: '老师给学生们讲了一个故事',
    layer: 1,
    head: 4,
    role: 'role.verbObject',
    query: 7, // 讲
    keys: [11, 12], // 故事
  },
  {
    ...zh,
    text: '你应该好好休息',
    layer: 2,
    head: 3,
    role: 'role.auxiliaryVerb',
    query: 2, // 应
    keys: [6, 7], // 休息
  },
  {
    ...zh,
    text: '北京是中国的首都',
    layer: 2,
    head: 1,
    role: 'role.predicateCopula',
    query: 8, // 都
    keys: [3], // 是
  },
  {
    ...zh,
    text: '因为下雨，所以我们没去公园',
    layer: 1,
    head: 0,
    role: 'role.nextCharacter',
    query: 10, // 没
    keys: [11], // 去
  },
  {
    ...zh,
    text: '猫追老鼠',
    layer: 0,
    head: 7,
    role: 'role.previousCharacter',
    query: 4, // 鼠
    keys: [3], // 老
  },
];

/** What a first visit shows. */
export function firstExample(language: 'en' | 'zh'): Example {
  return EXAMPLES.find((example) => example.language === language)!;
}
