// Steps of `npm run models`: convert the pinned originals into the shipped packs.
import { run } from '../lib/exec.mjs';
import { toolEnv } from '../lib/tool-env.mjs';

export const modelSteps = () => [
  ['build the model packs', () => run('node', ['tools/models/build.mjs'], { env: toolEnv() })],
];
