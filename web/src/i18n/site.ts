/** Adds the names of the site's pages; the navigation imports this. */

import { site as en } from './en/site.ts';
import { addTexts } from './index.ts';
import { site as zh } from './zh/site.ts';

addTexts({ en, zh });
