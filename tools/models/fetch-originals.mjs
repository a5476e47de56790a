// Fetches the pinned packages that hold the original fp32 weights, checks them, and unpacks each to
// a Hugging Face folder .cache/models/<id>-hf. `node tools/models/fetch-originals.mjs` does just
// that (for `npm run test:exact`); build.mjs goes on from there. The second time takes seconds.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cache, fail, here, maven, python, run, sha256 } from './system.mjs';

export const models = JSON.parse(readFileSync(path.join(here, 'models.json'), 'utf8'));

/** One hash over the contents of files and strings; changes if any of them does. */
export function fingerprint(files, strings = []) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${path.basename(file)}\n`).update(readFileSync(file));
  }
  for (const text of strings) {
    hash.update(`${text}\n`);
  }
  return hash.digest('hex');
}

function download(description, target) {
  const { ecosystem, name, version, file, megabytes } = description;
  const interpreter = python();
  const scratch = path.join(cache, 'download');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  console.log(`Fetching ${name} ${version} from ${ecosystem} (${megabytes} MB).`);
  let fetched;
  if (ecosystem === 'PyPI') {
    const args = ['-m', 'pip', 'download', '-q', '--disable-pip-version-check', '--no-deps'];
    run(interpreter, [...args, '--dest', scratch, `${name}==${version}`], {
      what: `Fetching ${name}`,
    });
    fetched = path.join(scratch, file);
  } else {
    maven();
    const artifact = `-Dartifact=${name}:${version}`;
    const repository = `-Dmaven.repo.local=${scratch}`; // so that nothing is left in the user's own
    const quiet = ['-q', '-B', '-Dstyle.color=never'];
    run('mvn', [...quiet, 'dependency:get', artifact, '-Dtransitive=false', repository], {
      what: `Fetching ${name}`,
    });
    const [group, id] = name.split(':');
    fetched = path.join(scratch, ...group.split('.'), id, version, file);
  }
  if (!existsSync(fetched)) {
    fail(`${name} ${version} arrived without ${file}.`);
  }
  renameSync(fetched, target);
  rmSync(scratch, { recursive: true });
}

/** The package file of a model in the cache, fetched if it is not there, its sha256 checked. */
function packageFile({ package: description }) {
  const target = path.join(cache, 'packages', description.file);
  mkdirSync(path.dirname(target), { recursive: true });
  if (!existsSync(target) || sha256(target) !== description.sha256) {
    download(description, target);
  }
  const found = sha256(target);
  if (found !== description.sha256) {
    rmSync(target);
    fail(`${description.file} has sha256 ${found}, expected ${description.sha256}.`);
  }
  return target;
}

/** The fp32 Hugging Face folder of a model, built if it is missing or its recipe changed. */
export function fetchOriginal(id) {
  const folder = path.join(cache, `${id}-hf`);
  const stamp = path.join(folder, '.made-from');
  const recipe = ['originals.py', 'bge_onnx.py', 'requirements.txt'];
  const wanted = fingerprint(
    recipe.map((file) => path.join(here, file)),
    [JSON.stringify(models[id])],
  );
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    return folder;
  }
  const source = packageFile(models[id]);
  rmSync(folder, { recursive: true, force: true });
  run(python(), [path.join(here, 'originals.py'), id, source, folder], {
    what: `Unpacking ${id}`,
    env: { PYTHONDONTWRITEBYTECODE: '1' },
  });
  writeFileSync(stamp, wanted);
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const id of Object.keys(models)) {
    const folder = fetchOriginal(id);
    const files = readdirSync(folder).filter((file) => !file.startsWith('.'));
    console.log(`${id}: ${path.relative(process.cwd(), folder)} (${files.join(', ')})`);
  }
}
