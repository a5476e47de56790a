/** All Chinese texts, one file a part of the page. Typed by English, so that none can be missing. */

import type { en } from '../en/index.ts';
import { controls } from './controls.ts';
import { inside } from './inside.ts';
import { page } from './page.ts';
import { stage } from './stage.ts';

export const zh: Readonly<Record<keyof typeof en, string>> = {
  ...page,
  ...stage,
  ...inside,
  ...controls,
};
