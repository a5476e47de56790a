/** All English texts, one file a part of the page. */

import { inside } from './inside.ts';
import { page } from './page.ts';
import { stage } from './stage.ts';

export const en = { ...page, ...stage, ...inside } as const;
