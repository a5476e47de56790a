/**
 * Sentences worth a first look, each with a head whose picture of it is clear. `query` is the run's
 * token (0 is [CLS]) that is pinned. They show what a head does here, not what it does in general.
 */

import type { ModelId } from './models.ts';

export interface Example {
  language: 'en' | 'zh';
  text: string;
  model: ModelId;
  layer: number;
  head: number;
  query: number;
}

const en = { language: 'en', model: 'minilm-en' } as const;
const zh = { language: 'zh', model: 'bge-zh' } as const;

export const EXAMPLES: readonly Example[] = [
  {
    ...en,
    text: 'The students who passed the exam thanked their teacher.',
    layer: 3,
    head: 1,
    query: 8, // their -> students
  },
  {
    ...en,
    text: 'I saw a dog and a bird, and the dog chased the bird.',
    layer: 2,
    head: 9,
    query: 11, // dog -> dog
  },
  {
    ...en,
    text: 'John told Mary that he loved her.',
    layer: 1,
    head: 3,
    query: 7, // her -> mary
  },
  {
    ...en,
    text: 'The old man opened the heavy door with a key.',
    layer: 2,
    head: 8,
    query: 9, // a -> key
  },
  {
    ...en,
    text: "The animal didn't cross the street because it was too tired.",
    layer: 3,
    head: 1,
    query: 10, // it -> animal
  },
  {
    ...en,
    text: 'The cat sat on the mat.',
    layer: 5,
    head: 11,
    query: 3, // sat -> cat
  },
  { ...zh, text: '我爱自然语言处理', layer: 0, head: 0, query: 8 }, // 理 -> 处
  { ...zh, text: '猫追老鼠', layer: 0, head: 4, query: 3 }, // 老 -> 鼠
  { ...zh, text: '小猫坐在垫子上，小狗坐在门口', layer: 0, head: 5, query: 9 }, // 小 -> 小
  { ...zh, text: '因为下雨，所以我们没去公园', layer: 2, head: 5, query: 11 }, // 去 -> 没
  { ...zh, text: '北京是中国的首都', layer: 1, head: 4, query: 3 }, // 是 -> 首
  { ...zh, text: '老师给学生们讲了一个故事', layer: 1, head: 4, query: 7 }, // 讲 -> 故
];

/** What a first visit shows. */
export function firstExample(language: 'en' | 'zh'): Example {
  return EXAMPLES.find((example) => example.language === language)!;
}
