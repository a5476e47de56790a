// `npm run models`: rebuilds the packs in web/public/models from the pinned packages, byte for byte.
//
//   node tools/models/build.mjs [id ...]                both packs, or those named
//   node tools/models/build.mjs --check [id ...]        rebuilds elsewhere and compares with the packs
//   node tools/models/build.mjs --sentences <file> id   measures over another list of sentences,
//                                                       and leaves the pack under .cache/models/trial

import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fetchOriginal, fingerprint, models } from './fetch-originals.mjs';
import { cache, fail, here, python, root, run, sha256 } from './system.mjs';

const packs = path.join(root, 'web/public/models');
const golden = (id) => path.join(root, 'tests/golden', id);

function options() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { check: { type: 'boolean' }, sentences: { type: 'string' } },
    });
    const unknown = positionals.find((id) => !(id in models));
    if (unknown) {
      throw new Error(
        `There is no model "${unknown}"; there are ${Object.keys(models).join(', ')}.`,
      );
    }
    if (values.sentences && (positionals.length !== 1 || values.check)) {
      throw new Error('--sentences goes with exactly one model id, and not with --check.');
    }
    if (values.sentences && !existsSync(values.sentences)) {
      throw new Error(`There is no file ${values.sentences}.`);
    }
    return { ...values, ids: positionals.length ? positionals : Object.keys(models) };
  } catch (error) {
    return fail(error.message);
  }
}

function pack(id, output, sentences) {
  const args = [path.join(here, 'pack.py'), id, fetchOriginal(id), output, '--golden', golden(id)];
  run(python(), sentences ? [...args, '--sentences', sentences] : args, {
    what: `Packing ${id}`,
    env: { PYTHONDONTWRITEBYTECODE: '1' },
  });
}

const list = (folder) => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** Names of the files that are not the same in both folders. */
function differences(left, right) {
  const names = new Set([...list(left), ...list(right)]);
  return [...names].filter((name) => {
    const files = [path.join(left, name), path.join(right, name)];
    return !files.every(existsSync) || sha256(files[0]) !== sha256(files[1]);
  });
}

function check(ids) {
  const scratch = mkdtempSync(path.join(cache, 'check-'));
  let wrong = 0;
  for (const id of ids) {
    pack(id, path.join(scratch, id));
    const files = differences(path.join(packs, id), path.join(scratch, id));
    wrong += files.length;
    console.log(files.length ? `${id}: NOT the same: ${files.join(', ')}` : `${id}: the same`);
  }
  rmSync(scratch, { recursive: true });
  process.exitCode = wrong ? 1 : 0;
}

/** Everything that a pack is made from, and the files it became, as one text. */
function state(id) {
  const recipe = readdirSync(here).filter((file) => /\.(py|json|txt)$/.test(file));
  const inputs = [
    ...recipe.sort().map((file) => path.join(here, file)),
    ...list(golden(id)).map((file) => path.join(golden(id), file)),
  ];
  const output = path.join(packs, id);
  const made = list(output).map((file) => `${file} ${sha256(path.join(output, file))}`);
  return fingerprint(inputs, made);
}

function build(id) {
  const stamp = path.join(cache, `${id}.made-from`);
  fetchOriginal(id);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state(id)) {
    console.log(`${id}: up to date`);
    return;
  }
  const scratch = mkdtempSync(path.join(cache, 'new-'));
  pack(id, scratch);
  rmSync(path.join(packs, id), { recursive: true, force: true });
  cpSync(scratch, path.join(packs, id), { recursive: true });
  rmSync(scratch, { recursive: true });
  writeFileSync(stamp, state(id));
}

const { ids, check: checkOnly, sentences } = options();
if (sentences) {
  pack(ids[0], path.join(cache, 'trial', ids[0]), path.resolve(sentences));
} else if (checkOnly) {
  for (const id of ids) {
    fetchOriginal(id);
  }
  check(ids);
} else {
  ids.forEach(build);
}
