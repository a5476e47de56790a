/** Adds the texts of the demos page; it imports this. */

import { demos as en } from './en/demos.ts';
import { addTexts } from './index.ts';
import { demos as zh } from './zh/demos.ts';

addTexts({ en, zh });
