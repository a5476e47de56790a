/** Chinese names of the site’s pages. */

import type { site as english } from '../en/site.ts';

export const site: Readonly<Record<keyof typeof english, string>> = {
  'site.pages': '页面',
  'site.explorer': '探索',
  'site.lab': '自己的数',
  'site.demos': '演示',
  'site.calculator': '计算器',
};
