/**
 * Reads the `card.json` of a pack: what the model is, how exact, in which order its bytes come, and their check
 * sums. Fields that only the page shows (roles, notices) are not read here.
 */
import { HeadlightsError } from '../errors.ts';
import type { GgufHeader } from '../formats/gguf.ts';
import type { ModelSpec } from '../formats/spec.ts';
import type { AttentionError } from '../types.ts';
import { BLOCK_ROWS, type CheckSums } from './checks.ts';

export const WORDS = 'token_embd.weight';
export const POSITIONS = 'position_embd.weight';

interface TablePlace {
  offset: number;
  rowBytes: number;
  rows: number;
}

export interface Card {
  id: string | null;
  licence: string | null;
  files: ReadonlyMap<string, { bytes: number; sha256: string | null }>;
  architecture: Readonly<Record<string, unknown>>;
  attentionError: AttentionError | null;
  order: { headerBytes: number; layersEnd: number; positions: TablePlace; words: TablePlace };
  sums: CheckSums;
}

type Fields = Record<string, unknown>;

export function readCard(json: unknown, file: string): Card {
  const card = object(json, file, 'the file');
  const order = object(card.order, file, 'order');
  const sums = object(card.crc32, file, 'crc32');
  const blocks = object(sums.blocks, file, 'crc32.blocks');
  if (blocks.rows !== BLOCK_ROWS)
    throw bad(
      file,
      `check sums of blocks of ${String(blocks.rows)} rows, where ${BLOCK_ROWS} are expected`,
    );
  return {
    id: text(card.id),
    licence: text(card.licence),
    files: new Map(
      Object.entries(object(card.files, file, 'files')).map(([name, entry]) => {
        const { bytes, sha256 } = object(entry, file, `files.${name}`);
        return [name, { bytes: whole(bytes, file, `files.${name}.bytes`), sha256: text(sha256) }];
      }),
    ),
    architecture: object(card.architecture ?? {}, file, 'architecture'),
    attentionError: attentionError(card.attentionError, file),
    order: {
      headerBytes: whole(order.headerBytes, file, 'order.headerBytes'),
      layersEnd: whole(order.layersEnd, file, 'order.layersEnd'),
      positions: table(order.positions, file, 'order.positions'),
      words: table(order.words, file, 'order.words'),
    },
    sums: {
      header: sums.header === undefined ? null : checkSum(sums.header, file, 'crc32.header'),
      tensors: new Map(
        Object.entries(object(sums.tensors, file, 'crc32.tensors')).map(([name, sum]) => [
          name,
          checkSum(sum, file, `crc32.tensors.${name}`),
        ]),
      ),
      blocks: new Map([
        [WORDS, blockSums(blocks.words, file, 'crc32.blocks.words')],
        [POSITIONS, blockSums(blocks.positions, file, 'crc32.blocks.positions')],
      ]),
    },
  };
}

/** Throws `corrupt` when the card describes another file than the one whose header was read. */
export function checkCard(
  card: Card,
  cardName: string,
  spec: ModelSpec,
  header: GgufHeader,
  file: string,
): void {
  const expect = (what: string, onCard: unknown, inFile: unknown) => {
    if (onCard === undefined || onCard === inFile) return;
    throw new HeadlightsError(
      'corrupt',
      `${cardName} and ${file} do not belong together: ${what} is ${String(onCard)} on the card and ${String(inFile)} in the file.`,
      { file, card: cardName, what },
    );
  };
  for (const size of [
    'family',
    'layers',
    'heads',
    'width',
    'feedForward',
    'vocabulary',
    'maxTokens',
  ] as const)
    expect(size, card.architecture[size], spec[size]);
  const { words, positions, headerBytes, layersEnd } = card.order;
  expect('the length of the header', headerBytes, header.dataStart);
  expect('the place of the positions', positions.offset, header.tensors.get(POSITIONS)?.begin);
  expect('the place of the words', words.offset, header.tensors.get(WORDS)?.begin);
  expect('the end of the layers', layersEnd, Math.min(positions.offset, words.offset));
  for (const [name, sums] of card.sums.blocks) {
    const rows = header.tensors.get(name)?.shape[0] ?? 0;
    expect(`the number of blocks of ${name}`, sums.length, Math.ceil(rows / BLOCK_ROWS));
  }
  for (const name of header.tensors.keys())
    expect(
      `the check sum of ${name}`,
      card.sums.tensors.has(name) || card.sums.blocks.has(name),
      true,
    );
}

function attentionError(json: unknown, file: string): AttentionError | null {
  if (json === undefined || json === null) return null;
  const plane = object(json, file, 'attentionError')['model.gguf'];
  if (plane === undefined) return null;
  const { largest, p999, mean, sentences } = object(plane, file, 'attentionError');
  const numbers = { largest, p999, mean, sentences };
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value >= 0))
      throw bad(file, `${String(value)} for attentionError.${name}`);
  }
  return numbers as AttentionError;
}

function table(json: unknown, file: string, what: string): TablePlace {
  const { offset, rowBytes, rows } = object(json, file, what);
  return {
    offset: whole(offset, file, `${what}.offset`),
    rowBytes: whole(rowBytes, file, `${what}.rowBytes`),
    rows: whole(rows, file, `${what}.rows`),
  };
}

function object(value: unknown, file: string, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw bad(file, `no object for ${what}`);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function whole(value: unknown, file: string, what: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw bad(file, `${JSON.stringify(value ?? null)} for ${what}, where a whole number belongs`);
}

function checkSum(value: unknown, file: string, what: string): number {
  if (typeof value === 'string' && /^[0-9a-f]{8}$/.test(value)) return Number.parseInt(value, 16);
  throw bad(
    file,
    `${JSON.stringify(value ?? null)} for ${what}, where eight hexadecimal digits belong`,
  );
}

/** Base64 of little-endian 32-bit sums. */
function blockSums(value: unknown, file: string, what: string): Uint32Array {
  let binary: string;
  try {
    binary = atob(String(value));
  } catch {
    throw bad(file, `invalid base64 for ${what}`);
  }
  if (binary.length % 4 !== 0) throw bad(file, `${binary.length} bytes for ${what}`);
  const view = new DataView(Uint8Array.from(binary, (character) => character.charCodeAt(0)).buffer);
  return Uint32Array.from({ length: binary.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

function bad(file: string, what: string): HeadlightsError {
  return new HeadlightsError('corrupt', `${file} is damaged: it gives ${what}.`, { file });
}
