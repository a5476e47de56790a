/** All English texts, one file a part of the page. */

import { controls } from './controls.ts';
import { inside } from './inside.ts';
import { page } from './page.ts';
import { stage } from './stage.ts';

export const en = { ...page, ...stage, ...inside, ...controls } as const;
