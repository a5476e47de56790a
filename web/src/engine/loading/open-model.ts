/**
 * From a named place to a model that is loading: finds out whether it is a pack, a GGUF file or a Hugging Face
 * folder, brings header and tokenizer, makes the model in wasm memory, and plans the streams that fill it.
 * When anything fails or is cancelled, nothing is left behind.
 */
import { HeadlightsError } from '../errors.ts';
import { type ModelSpec, mainType, type Placement } from '../formats/spec.ts';
import { cancelled } from '../signals.ts';
import { type Folder, parseJson, readAll } from '../sources/byte-source.ts';
import { Feed } from '../sources/feed.ts';
import { type ModelSource, openSource } from '../sources/resolve.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { LoadProgress, ModelInfo } from '../types.ts';
import { allocate, outOfMemory, writeBytes } from '../wasm/memory.ts';
import {
  CODES,
  ELEMENT_TYPES,
  TENSOR_ROLES,
  type WasmModel,
  type WasmModule,
} from '../wasm/module.ts';
import { type Card, readCard } from './card.ts';
import { Loading, type Part } from './loading.ts';
import { RowTable } from './row-table.ts';
import { TensorWriter } from './tensor-writer.ts';
import { loadTokenizer } from './tokenizer-file.ts';
import {
  type OpenedWeights,
  openGguf,
  openHuggingFace,
  type WeightsFile,
} from './weights-files.ts';

const JSON_LIMIT = 4 << 20;
const PACK_FILE = 'model.gguf';

export interface LoadListeners {
  onProgress: (progress: LoadProgress) => void;
  /** What should never happen has happened while nobody was waiting. */
  onFatal: (error: unknown) => void;
}

export interface OpenOptions extends LoadListeners {
  /** Also the part of the word table that no text has needed yet. */
  wholeTable: boolean;
  signal: AbortSignal;
}

export interface OpenedModel {
  spec: ModelSpec;
  info: ModelInfo;
  tokenizer: Tokenizer;
  model: WasmModel;
  loading: Loading;
}

interface Kind {
  card: { card: Card; name: string } | null;
  config: { json: unknown; name: string } | null;
  /** Bytes of the description. */
  bytes: number;
}

export async function openModel(
  module: WasmModule,
  source: ModelSource,
  options: OpenOptions,
): Promise<OpenedModel> {
  const folder = openSource(source);
  const stop = new AbortController();
  const feeds: Feed[] = [];
  const abandon = () => {
    stop.abort();
    for (const feed of feeds) feed.stop();
  };
  options.signal.addEventListener('abort', abandon, { once: true });
  let model: WasmModel | null = null;
  let loading: Loading | null = null;
  try {
    options.onProgress(beginning('header', 0, null));
    const kind = await recognise(folder, source, stop.signal);
    const card = kind.card?.card ?? null;
    const announced = card && announcedBytes(card, kind.bytes, options.wholeTable);
    options.onProgress(beginning('header', kind.bytes, announced));
    const onFeed = (feed: Feed) => feeds.push(feed);
    const tokenizing = loadTokenizer(folder, card, stop.signal);
    const opening =
      kind.config === null
        ? openGguf(folder, source.gguf ?? PACK_FILE, kind.card, onFeed)
        : openHuggingFace(folder, kind.config.json, kind.config.name, stop.signal, onFeed);
    tokenizing.catch(() => {}); // looked at below; what is wrong with the weights comes first
    const weights = await opening;
    const arrived = kind.bytes + headerBytes(weights);
    options.onProgress({
      ...beginning('tokenizer', arrived, announced),
      layers: weights.spec.layers,
    });
    const { tokenizer, bytes } = await tokenizing;
    if (options.signal.aborted) throw cancelled('Loading the model');
    checkVocabulary(tokenizer, weights.spec, folder);
    checkHeader(module, weights.files[0]!, card);
    model = createModel(module, weights.spec);
    loading = plan(module, model, weights, card, arrived + bytes, options);
    return {
      spec: weights.spec,
      info: describe(source, model, weights, card),
      tokenizer,
      model,
      loading,
    };
  } catch (error) {
    abandon();
    loading?.dispose();
    model?.delete();
    if (options.signal.aborted) throw cancelled('Loading the model');
    throw error;
  } finally {
    options.signal.removeEventListener('abort', abandon);
  }
}

function beginning(
  stage: 'header' | 'tokenizer',
  loaded: number,
  total: number | null,
): LoadProgress {
  return { loaded, total, stage, layersReady: 0, layers: 0, complete: false };
}

/** What a pack will take in all, known from its card before anything larger is asked for. */
function announcedBytes(card: Card, cardBytes: number, wholeTable: boolean): number | null {
  const weights = wholeTable ? card.files.get(PACK_FILE)?.bytes : card.order.layersEnd;
  const tokenizer = card.files.get('tokenizer.json.gz') ?? card.files.get('tokenizer.json');
  return weights === undefined || tokenizer === undefined
    ? null
    : cardBytes + weights + tokenizer.bytes;
}

function headerBytes(weights: OpenedWeights): number {
  return weights.files.reduce((sum, { header }) => sum + header.length, 0);
}

/** A folder with card.json is a pack, else config.json makes it a Hugging Face folder. */
async function recognise(folder: Folder, source: ModelSource, signal: AbortSignal): Promise<Kind> {
  if (source.gguf !== null) return { card: null, config: null, bytes: 0 };
  const cardFile = folder.file('card.json');
  const card = await optional(readAll(cardFile, JSON_LIMIT, { signal }));
  if (card !== null) {
    const json = parseJson(card, cardFile.name);
    return {
      card: { card: readCard(json, cardFile.name), name: cardFile.name },
      config: null,
      bytes: card.length,
    };
  }
  if (source.kind === 'shipped') {
    throw new HeadlightsError(
      'not-found',
      `There is no model "${source.id}" (looked for ${source.folder}card.json).`,
      { id: source.id, url: `${source.folder}card.json` },
    );
  }
  const configFile = folder.file('config.json');
  const config = await optional(readAll(configFile, JSON_LIMIT, { signal }));
  if (config === null) {
    throw new HeadlightsError(
      'not-found',
      `${folder.name || 'The folder'} has neither card.json (a pack) nor config.json (a Hugging Face folder).`,
      { folder: folder.name },
    );
  }
  return {
    card: null,
    config: { json: parseJson(config, configFile.name), name: configFile.name },
    bytes: config.length,
  };
}

/** Null where the file is not there. */
async function optional(reading: Promise<Uint8Array>): Promise<Uint8Array | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HeadlightsError && error.code === 'not-found') return null;
    throw error;
  }
}

function checkVocabulary(tokenizer: Tokenizer, spec: ModelSpec, folder: Folder): void {
  if (tokenizer.vocabulary <= spec.vocabulary) return;
  throw new HeadlightsError(
    'corrupt',
    `tokenizer.json in ${folder.name || 'the files given'} has ${tokenizer.vocabulary} tokens, but the model has only ${spec.vocabulary} word rows; they do not belong together.`,
    { file: 'tokenizer.json', tokens: tokenizer.vocabulary, vocabulary: spec.vocabulary },
  );
}

function checkHeader(module: WasmModule, file: WeightsFile, card: Card | null): void {
  if (card === null || card.sums.header === null) return;
  const { name } = file.feed.source;
  const address = allocate(module, file.header.length, `the header of ${name}`);
  writeBytes(module, address, file.header);
  const sum = module.crc32(address, file.header.length) >>> 0;
  module.release(address);
  if (sum === card.sums.header) return;
  throw new HeadlightsError(
    'corrupt',
    `${name} is damaged: its header does not match the check sum on its card.`,
    { file: name },
  );
}

function createModel(module: WasmModule, spec: ModelSpec): WasmModel {
  const model = module.createModel(spec);
  if (model !== null) return model;
  const code = CODES[module.checkSpec(spec)];
  if (code === 'ok' || code === 'out-of-memory') throw outOfMemory(0, 'the model');
  throw new HeadlightsError('unsupported', 'A model of these sizes cannot be computed here.', {
    ...spec,
    reason: code,
  });
}

/** Allocates the two tables and says which bytes go where. */
function plan(
  module: WasmModule,
  model: WasmModel,
  weights: OpenedWeights,
  card: Card | null,
  beside: number,
  options: OpenOptions,
): Loading {
  const { spec, files } = weights;
  const placements = files.flatMap((file) => file.placements);
  const tables = new Map<string, RowTable>();
  const table = (role: Placement['role']) => {
    const file = files.find((candidate) =>
      candidate.placements.some((place) => place.role === role),
    )!;
    const place = file.placements.find((candidate) => candidate.role === role)!;
    const sums = card?.sums.blocks.get(place.name) ?? null;
    const rows = new RowTable(module, model, file.feed.source, place, sums);
    tables.set(place.name, rows);
    return rows;
  };
  const words = table('wordEmbedding');
  const positions = table('positionEmbedding');
  const parts = files.flatMap(({ feed, placements: own }): Part[] => {
    const writer = new TensorWriter(module, model, feed.source, own, tables, card?.sums ?? null);
    if (card === null) return [{ feed, writer, to: null, optional: false }];
    const { layersEnd } = card.order;
    const rest = new Feed(feed.source, layersEnd, null);
    return [
      { feed, writer, to: layersEnd, optional: false },
      { feed: rest, writer, to: null, optional: true },
    ];
  });
  const loading = new Loading(
    {
      spec,
      model,
      placements,
      parts,
      words,
      positions,
      onDemand: card !== null,
      wholeTable: options.wholeTable,
      total: totalBytes(parts, card, options.wholeTable),
      onProgress: options.onProgress,
      onFatal: options.onFatal,
    },
    beside,
  );
  return loading;
}

/** Of the streams from where they stand now. */
function totalBytes(parts: readonly Part[], card: Card | null, wholeTable: boolean): number | null {
  const [first] = parts;
  if (card !== null && first !== undefined) {
    const whole = wholeTable || first.feed.whole;
    const end = whole ? card.files.get(PACK_FILE)?.bytes : card.order.layersEnd;
    return end === undefined ? null : end - first.feed.position;
  }
  let total = 0;
  for (const { feed } of parts) {
    if (feed.source.size === null) return null;
    total += feed.source.size - feed.position;
  }
  return total;
}

function describe(
  source: ModelSource,
  model: WasmModel,
  { spec, container, files }: OpenedWeights,
  card: Card | null,
): ModelInfo {
  let memory = 0;
  for (const { role, layer, type } of files.flatMap((file) => file.placements)) {
    const index = TENSOR_ROLES.indexOf(role);
    memory +=
      model.byteLength(index, layer, ELEMENT_TYPES.indexOf(type)) ||
      model.byteLength(index, layer, ELEMENT_TYPES.indexOf('F32'));
  }
  return {
    id: card?.id ?? source.id,
    family: spec.family,
    layers: spec.layers,
    heads: spec.heads,
    kvHeads: spec.heads,
    headSize: spec.width / spec.heads,
    width: spec.width,
    vocabulary: spec.vocabulary,
    maxTokens: spec.maxTokens,
    format: `${container} ${mainType(files.flatMap((file) => file.placements))}`,
    licence: card?.licence ?? null,
    attentionError: card?.attentionError ?? null,
    memory,
  };
}
