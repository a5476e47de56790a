/**
 * Opens the file or files that hold a model's weights, reads the headers, and says which tensor lies where.
 * The streams that the headers came from are handed on with their remaining bytes.
 */
import { HeadlightsError } from '../errors.ts';
import { Cursor } from '../formats/cursor.ts';
import {
  GGUF_HEADER_LIMIT,
  type GgufHeader,
  readGgufHeader,
  specFromGguf,
} from '../formats/gguf.ts';
import { specFromConfig } from '../formats/hf-config.ts';
import { parseSafetensorsHeader } from '../formats/safetensors.ts';
import {
  type ModelSpec,
  type Placement,
  placeTensors,
  type StoredTensor,
} from '../formats/spec.ts';
import { type Folder, readJson } from '../sources/byte-source.ts';
import { Feed } from '../sources/feed.ts';
import { ELEMENT_TYPES, type ElementTypeName } from '../wasm/module.ts';
import type { Card } from './card.ts';
import { checkCard } from './card.ts';

const CONFIG_LIMIT = 4 << 20;
const SAFETENSORS_HEADER_LIMIT = 100 << 20;

/** One file with its stream, standing at the first byte after the header. */
export interface WeightsFile {
  feed: Feed;
  /** In the order of their bytes. */
  placements: Placement[];
  /** Bytes of the header, for the check sum and for counting. */
  header: Uint8Array;
}

export interface OpenedWeights {
  spec: ModelSpec;
  container: 'gguf' | 'safetensors';
  files: WeightsFile[];
}

/** The first request of a pack reaches to the end of its layers, as its card says; else to the file's end. */
export async function openGguf(
  folder: Folder,
  name: string,
  card: { card: Card; name: string } | null,
  onFeed: (feed: Feed) => void,
): Promise<OpenedWeights> {
  const source = folder.file(name);
  const feed = new Feed(source, 0, card?.card.order.layersEnd ?? null);
  onFeed(feed);
  const cursor = new Cursor(feed, GGUF_HEADER_LIMIT);
  const header: GgufHeader = await readGgufHeader(cursor, null);
  checkSize(source.name, source.size, header, card?.card.files.get(name)?.bytes);
  const spec = specFromGguf(header, source.name);
  if (card !== null) checkCard(card.card, card.name, spec, header, source.name);
  const padding = header.dataStart - cursor.position;
  if (padding > 0) await cursor.bytes(padding, 'the padding after it');
  const placements = inOrder(placeTensors(spec, header.tensors, 'gguf', source.name));
  return { spec, container: 'gguf', files: [{ feed, placements, header: cursor.finish() }] };
}

/** The file's length against what its header and its card say, as soon as the host has told it. */
function checkSize(
  file: string,
  size: number | null,
  header: GgufHeader,
  onCard: number | undefined,
): void {
  if (size === null) return;
  let needed = onCard ?? 0;
  for (const { end } of header.tensors.values()) needed = Math.max(needed, end);
  if (size < needed) {
    throw new HeadlightsError(
      'truncated',
      `${file} has ${size} bytes, but ${needed} belong to it.`,
      { file, length: size, needed },
    );
  }
  if (onCard !== undefined && size > onCard) {
    throw new HeadlightsError(
      'corrupt',
      `${file} has ${size} bytes, but its card says ${onCard}.`,
      {
        file,
        length: size,
        needed: onCard,
      },
    );
  }
}

export async function openHuggingFace(
  folder: Folder,
  config: unknown,
  configName: string,
  signal: AbortSignal,
  onFeed: (feed: Feed) => void,
): Promise<OpenedWeights> {
  const spec = specFromConfig(config, configName);
  const stored = new Map<string, StoredTensor>();
  const opened: { feed: Feed; header: Uint8Array; names: Set<string> }[] = [];
  for (const name of await safetensorsFiles(folder, signal)) {
    const feed = new Feed(folder.file(name), 0, null);
    onFeed(feed);
    const { header, tensors } = await readSafetensorsHeader(feed);
    for (const [tensorName, tensor] of tensors) stored.set(tensorName, tensor);
    opened.push({ feed, header, names: new Set(tensors.keys()) });
    if (opened.length > 1) feed.stop(); // its turn comes later
  }
  const all = placeTensors(spec, stored, 'hf', folder.name || 'The folder');
  const files = opened.map(({ feed, header, names }) => ({
    feed,
    header,
    placements: inOrder(all.filter(({ name }) => names.has(name))),
  }));
  return { spec, container: 'safetensors', files };
}

/** One file, or the parts that an index lists. */
async function safetensorsFiles(folder: Folder, signal: AbortSignal): Promise<string[]> {
  const single = 'model.safetensors';
  const index = folder.file(`${single}.index.json`);
  let json: unknown;
  try {
    json = await readJson(index, CONFIG_LIMIT, { signal });
  } catch (error) {
    if (error instanceof HeadlightsError && error.code === 'not-found') return [single];
    throw error;
  }
  const map = (json as { weight_map?: unknown }).weight_map;
  const names = typeof map === 'object' && map !== null ? [...new Set(Object.values(map))] : [];
  if (names.length === 0 || !names.every((name) => /^[\w.-]+\.safetensors$/.test(String(name)))) {
    throw new HeadlightsError('corrupt', `${index.name} does not list the files of the weights.`, {
      file: index.name,
    });
  }
  return names as string[];
}

async function readSafetensorsHeader(
  feed: Feed,
): Promise<{ header: Uint8Array; tensors: Map<string, StoredTensor> }> {
  const cursor = new Cursor(feed, SAFETENSORS_HEADER_LIMIT);
  const length = await cursor.u64('the length of its header');
  await cursor.bytes(length, 'its list of tensors');
  const header = cursor.finish();
  const { name: file, size: fileSize } = feed.source;
  const tensors = new Map<string, StoredTensor>();
  for (const [name, entry] of parseSafetensorsHeader(header, file, fileSize).tensors) {
    const { dtype, shape, begin, end } = entry;
    tensors.set(name, { name, type: dtype as ElementTypeName, shape, begin, end });
  }
  return { header, tensors };
}

/** By their bytes; refuses types that cannot be computed with. */
function inOrder(placements: Placement[]): Placement[] {
  for (const { name, type } of placements) {
    if (!ELEMENT_TYPES.includes(type)) {
      throw new HeadlightsError(
        'unsupported',
        `${name} is stored as ${type}; F32, F16 and BF16 can be read.`,
        { tensor: name, type },
      );
    }
  }
  return placements.sort((a, b) => a.begin - b.begin);
}
