/** Adds the texts of the calculator; its page imports this. */

import { calculator as en } from './en/calculator.ts';
import { addTexts } from './index.ts';
import { calculator as zh } from './zh/calculator.ts';

addTexts({ en, zh });
