/** Chinese texts of the head wall, the stage, scales and roles. */

import type { stage as english } from '../en/stage.ts';

export const stage: Readonly<Record<keyof typeof english, string>> = {};
