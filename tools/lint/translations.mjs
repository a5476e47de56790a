// English and Chinese have the same keys with the same parameters, every key that the code names exists,
// and no text is left over.
import { basename } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { lineAt, sourceFiles } from './lib/source-files.mjs';
import { walk } from './lib/syntax.mjs';

export const name = 'translations';

const LANGUAGES = ['en', 'zh'];
const FOLDER = 'web/src/i18n';

export async function check(root = ROOT) {
  const texts = Object.fromEntries(
    await Promise.all(
      LANGUAGES.map(async (language) => [language, await readTexts(root, language)]),
    ),
  );
  return [
    ...compare(texts.en, texts.zh, 'zh'),
    ...compare(texts.zh, texts.en, 'en'),
    ...(await compareWithCode(root, texts.en)),
  ];
}

/** key -> { path, line, text, file } of all files of one language. */
async function readTexts(root, language) {
  const found = new Map();
  for (const { path, text } of sourceFiles(root, [`${FOLDER}/${language}`], ['.ts'])) {
    if (basename(path) === 'index.ts') continue;
    await walk(path, text, (node) => {
      if (node.type !== 'Property') return;
      const key = node.key.value ?? node.key.name;
      const value = textOf(node.value);
      found.set(key, { path, line: lineAt(text, node.start), text: value });
    });
  }
  return found;
}

/** A string, also one joined with +, or a template without expressions; else null. */
function textOf(node) {
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'TemplateLiteral' && node.quasis.length === 1)
    return node.quasis[0].value.cooked;
  if (node.type === 'BinaryExpression') {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return null;
}

const parametersOf = (text) =>
  [...new Set([...(text ?? '').matchAll(/\{(\w+)/g)].map((match) => match[1]))].sort().join(', ');

function compare(own, other, language) {
  const faults = [];
  for (const [key, { path, line, text }] of own) {
    const at = `${path}:${line}`;
    if (text === null) faults.push(`${at}: '${key}' is not a plain text`);
    else if (text.trim() === '') faults.push(`${at}: '${key}' is empty`);
    const counterpart = other.get(key);
    if (!counterpart) faults.push(`${at}: '${key}' is missing in ${language}`);
    else if (language === 'zh' && parametersOf(text) !== parametersOf(counterpart.text))
      faults.push(
        `${counterpart.path}:${counterpart.line}: '${key}' has the parameters {${parametersOf(counterpart.text)}}, English has {${parametersOf(text)}}`,
      );
  }
  return faults;
}

async function compareWithCode(root, texts) {
  const faults = [];
  const named = new Set();
  const starts = [];
  for (const { path, text } of sourceFiles(root, ['web/src'], ['.ts'])) {
    if (path.startsWith(`${FOLDER}/en/`) || path.startsWith(`${FOLDER}/zh/`)) continue;
    await walk(path, text, (node) => {
      if (node.type === 'Literal' && typeof node.value === 'string') named.add(node.value);
      if (node.type === 'TemplateLiteral' && node.quasis.length > 1)
        starts.push(node.quasis.map((part) => part.value.cooked));
      const argument =
        node.type === 'CallExpression' && node.callee.name === 't' && node.arguments[0];
      if (argument?.type === 'Literal' && !texts.has(argument.value))
        faults.push(`${path}:${lineAt(text, node.start)}: there is no text '${argument.value}'`);
    });
  }
  for (const [key, { path, line }] of texts)
    if (!named.has(key) && !starts.some((parts) => fits(key, parts)))
      faults.push(`${path}:${line}: '${key}' is used nowhere`);
  return faults;
}

/** Whether a template with these fixed parts can make the key; its first part must say something. */
function fits(key, parts) {
  if (parts[0].length < 2) return false;
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+');
  return new RegExp(`^${pattern}$`).test(key);
}
