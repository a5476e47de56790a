/**
 * What client and host say to each other. Every request has a number and exactly one answer, `done` or
 * `failed`; `event`s of a request may come before its answer, those of a load also after it. After `fatal`
 * nothing comes any more and the host must be replaced.
 */
import type { CheckedAttention } from '../compute/attention.ts';
import type { CheckedInterventions } from '../compute/interventions.ts';
import type { CheckedAdditions, CheckedMultiHead } from '../compute/multi-head.ts';
import { type ErrorCode, HeadlightsError } from '../errors.ts';
import type { LoadRequest, Text } from '../local-engine.ts';
import type {
  AttentionOutput,
  AttentionSteps,
  HeadAdditions,
  HeadData,
  LoadProgress,
  ModelInfo,
  MultiHeadOutput,
  MultiHeadTimes,
  Token,
  Truncation,
  Variant,
} from '../types.ts';

/** Runs and models by the numbers that the host gave them. */
interface OneHead {
  run: number;
  layer: number;
  head: number;
}

/** Each call: what is asked, and what is answered. */
export interface Calls {
  start: { ask: { variant: 'auto' | Variant }; answer: { variant: Variant } };
  load: { ask: LoadRequest; answer: { model: number; info: ModelInfo } };
  pause: { ask: { model: number }; answer: null };
  resume: { ask: { model: number }; answer: null };
  tokenize: {
    ask: { model: number; text: string; pair: string | null };
    answer: { tokens: Token[]; truncated: Truncation | null };
  };
  run: {
    ask: { model: number; input: Text; interventions: CheckedInterventions; layers: boolean };
    answer: RunAnswer;
  };
  attentions: { ask: { run: number }; answer: Float32Array };
  attention: { ask: OneHead; answer: Float32Array };
  attentionRows: { ask: OneHead & { from: number; to: number }; answer: Float32Array };
  head: { ask: OneHead; answer: HeadData };
  hidden: { ask: { run: number; layer: number }; answer: Float32Array };
  steps: { ask: OneHead & { query: number; key: number }; answer: AttentionSteps };
  additions: { ask: { run: number; layer: number; token: number }; answer: HeadAdditions };
  dropRun: { ask: { run: number }; answer: null };
  dropModel: { ask: { model: number }; answer: null };
  attend: { ask: CheckedAttention; answer: AttentionOutput };
  attendSteps: {
    ask: { input: CheckedAttention; head: number; query: number; key: number };
    answer: AttentionSteps;
  };
  multiHead: { ask: CheckedMultiHead; answer: MultiHeadOutput };
  timeMultiHead: { ask: { input: CheckedMultiHead; samples: number }; answer: MultiHeadTimes };
  headAdditions: { ask: CheckedAdditions; answer: HeadAdditions };
  gaussians: { ask: { seed: number; count: number }; answer: Float64Array };
  /** For tests: bytes that models, runs and matrices hold now. */
  bytesInUse: { ask: null; answer: number };
  /** For tests: a real trap, by reading beyond the end of wasm memory. Answered by `fatal`. */
  trap: { ask: null; answer: never };
}

export type CallName = keyof Calls;

export interface RunAnswer {
  run: number;
  tokens: Token[];
  truncated: Truncation | null;
  /** All weights [L*H*T*T] where they are few enough to come along. */
  attentions: Float32Array | null;
}

/** `progress` of a load, `layer` of a run that asked for layers. */
export type HostEvent =
  | { kind: 'progress'; progress: LoadProgress }
  | { kind: 'layer'; layer: number; weights: Float32Array; tokens: Token[] };

export type ToHost =
  | { kind: 'call'; id: number; name: CallName; ask: unknown }
  | { kind: 'cancel'; id: number };

export type FromHost =
  | { kind: 'hello' } // the host listens; nothing may be sent before
  | { kind: 'done'; id: number; answer: unknown }
  | { kind: 'failed'; id: number; error: PlainError }
  | { kind: 'event'; id: number; event: HostEvent }
  | { kind: 'fatal'; reason: string };

/** An error without its class, which messages do not keep. */
export interface PlainError {
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
}

export function toPlain(error: HeadlightsError): PlainError {
  return { code: error.code, message: error.message, details: { ...error.details } };
}

export function fromPlain({ code, message, details }: PlainError): HeadlightsError {
  return new HeadlightsError(code, message, details);
}

/** One end of the line. */
export interface Port<Out, In> {
  post(message: Out, transfer?: Transferable[]): void;
  /** Set once, by whoever owns this end. */
  onMessage: (message: In) => void;
  close(): void;
}

/** The buffers of all typed arrays in a message, each once, to be moved instead of copied. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const look = (part: unknown): void => {
    if (ArrayBuffer.isView(part)) found.add(part.buffer as ArrayBuffer);
    else if (typeof part === 'object' && part !== null && !Array.isArray(part)) {
      if (!(part instanceof Blob)) Object.values(part).forEach(look);
    }
  };
  look(value);
  return [...found];
}
