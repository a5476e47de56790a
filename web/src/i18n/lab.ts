/** Adds the texts of the lab; it imports this. */

import { lab as en } from './en/lab.ts';
import { addTexts } from './index.ts';
import { lab as zh } from './zh/lab.ts';

addTexts({ en, zh });
