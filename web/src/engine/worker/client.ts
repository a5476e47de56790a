/**
 * The engine as its user holds it: checks arguments, numbers requests, turns signals into cancellations, and
 * starts a new host when one has died. It does not compute; a host does, in a worker or in this thread.
 */

import { boolean, integer, object } from '../compute/arguments.ts';
import { type CheckedAttention, checkAttention } from '../compute/attention.ts';
import { checkAdditions, checkDraws, checkMultiHead } from '../compute/multi-head.ts';
import { saveData } from '../environment.ts';
import { HeadlightsError } from '../errors.ts';
import { cancelled } from '../signals.ts';
import { resolveSource } from '../sources/resolve.ts';
import type {
  AdditionsInput,
  AttentionInput,
  AttentionOutput,
  AttentionSteps,
  Engine,
  HeadAdditions,
  LoadOptions,
  Model,
  MultiHeadInput,
  MultiHeadOutput,
  MultiHeadTimes,
  Variant,
} from '../types.ts';
import { ClientModel } from './client-model.ts';
import {
  buffersOf,
  type CallName,
  type Calls,
  type FromHost,
  fromPlain,
  type HostEvent,
} from './protocol.ts';
import { type ClientPort, type Line, openLine } from './spawn.ts';

/** Not part of the public library: what tests ask of an engine, found under this key. */
export const TESTING = Symbol.for('headlights.testing');

export interface TestingHooks {
  bytesInUse(): Promise<number>;
  /** Makes the compiled code trap; rejects with `crashed`. */
  trap(): Promise<never>;
}

export interface EngineSettings {
  variant: 'auto' | Variant;
  worker: 'auto' | boolean;
  /** Absolute, ends in a slash. */
  base: URL;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** What the error of a cancellation names, for example 'The run'. */
  what?: string;
  onEvent?: (event: HostEvent) => void;
  /** Called with an answer that comes after the caller has given up. */
  onLateAnswer?: (answer: unknown) => void;
}

interface Pending {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** Calls whose arrays are copies already, made by the checks: they are moved. */
const COPIED: ReadonlySet<CallName> = new Set([
  'attend',
  'attendSteps',
  'multiHead',
  'timeMultiHead',
  'headAdditions',
]);

/** One host and everything that was asked of it; a crash ends it for good. */
export class Connection {
  /** Set when the host has died or was closed. */
  ended: HeadlightsError | null = null;
  readonly thread: 'worker' | 'main';
  private readonly port: ClientPort;
  private readonly pending = new Map<number, Pending>();
  private readonly listeners = new Map<number, (event: HostEvent) => void>();
  private nextId = 1;

  constructor({ port, thread }: Line) {
    this.port = port;
    this.thread = thread;
    port.onMessage = (message) => this.receive(message);
    port.onCrash = (reason) => this.crash(reason);
    port.hold(false);
  }

  call<Name extends CallName>(
    name: Name,
    ask: Calls[Name]['ask'],
    options: CallOptions = {},
  ): Promise<Calls[Name]['answer']> {
    if (this.ended !== null) return Promise.reject(this.ended);
    const { signal, what = 'The request', onEvent, onLateAnswer } = options;
    if (signal?.aborted) return Promise.reject(cancelled(what));
    const id = this.nextId++;
    return new Promise<Calls[Name]['answer']>((resolve, reject) => {
      const onAbort = () => {
        this.port.post({ kind: 'cancel', id });
        this.listeners.delete(id);
        this.pending.set(id, { resolve: (answer) => onLateAnswer?.(answer), reject: () => {} });
        reject(cancelled(what));
      };
      const settled = () => signal?.removeEventListener('abort', onAbort);
      this.pending.set(id, {
        resolve: (answer) => {
          settled();
          if (name !== 'load') this.listeners.delete(id); // a load goes on in the background
          resolve(answer as Calls[Name]['answer']);
        },
        reject: (error) => {
          settled();
          this.listeners.delete(id);
          reject(error);
        },
      });
      if (onEvent !== undefined) this.listeners.set(id, onEvent);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.port.hold(true);
      try {
        this.port.post({ kind: 'call', id, name, ask }, COPIED.has(name) ? buffersOf(ask) : []);
      } catch (error) {
        this.answer(id)?.reject(error);
      }
    });
  }

  /** No more events for a listener of a load. */
  unlisten(listener: (event: HostEvent) => void): void {
    for (const [id, held] of this.listeners) {
      if (held === listener) this.listeners.delete(id);
    }
  }

  private receive(message: FromHost): void {
    switch (message.kind) {
      case 'done':
        this.answer(message.id)?.resolve(message.answer);
        return;
      case 'failed':
        this.answer(message.id)?.reject(fromPlain(message.error));
        return;
      case 'event':
        notify(this.listeners.get(message.id), message.event);
        return;
      case 'fatal':
        this.crash(message.reason);
        return;
      case 'hello':
        return;
    }
  }

  private answer(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (this.pending.size === 0) this.port.hold(false);
    return pending;
  }

  private crash(reason: string): void {
    this.end(
      new HeadlightsError(
        'crashed',
        'The computation stopped unexpectedly and was restarted; what was running is lost. Run it again.',
        { reason },
      ),
    );
  }

  /** Rejects everything that is waiting, and everything that will still be asked. */
  end(error: HeadlightsError): void {
    if (this.ended !== null) return;
    this.ended = error;
    this.port.close();
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
    this.listeners.clear();
  }
}

/** A listener's own error is the page's to see, and must not disturb the engine. */
function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch (error) {
    if (typeof reportError === 'function') reportError(error);
    else console.error(error);
  }
}

export class EngineClient implements Engine {
  readonly variant: Variant;
  private disposed = false;
  private connecting: Promise<Connection> | null = null;

  private constructor(
    private readonly settings: EngineSettings,
    private connection: Connection,
    variant: Variant,
  ) {
    this.variant = variant;
  }

  static async start(settings: EngineSettings): Promise<EngineClient> {
    const { connection, variant } = await connect(settings);
    return new EngineClient(settings, connection, variant);
  }

  get thread(): 'worker' | 'main' {
    return this.connection.thread;
  }

  /** The host that lives now; a new one where the last has crashed. */
  async live(): Promise<Connection> {
    this.check();
    if (this.connection.ended === null) return this.connection;
    this.connecting ??= connect({ ...this.settings, variant: this.variant })
      .then(({ connection }) => {
        if (this.disposed) connection.end(disposedError());
        this.connection = connection;
        return connection;
      })
      .finally(() => {
        this.connecting = null;
      });
    return this.connecting;
  }

  async loadModel(
    source: string | URL | readonly File[],
    options: LoadOptions = {},
  ): Promise<Model> {
    this.check();
    const { stream, wholeTable, signal, onProgress } = checkLoadOptions(options);
    const request = {
      source: resolveSource(source, this.settings.base),
      stream,
      wholeTable: wholeTable && !saveData(),
    };
    return ClientModel.load(this, request, onProgress, signal);
  }

  async attention(input: AttentionInput): Promise<AttentionOutput> {
    this.check();
    const checked: CheckedAttention = checkAttention(input);
    const connection = await this.live();
    return connection.call('attend', checked);
  }

  async attentionSteps(
    input: AttentionInput,
    head: number,
    query: number,
    key: number,
  ): Promise<AttentionSteps> {
    this.check();
    const checked = checkAttention(input);
    const place = {
      head: integer(head, 'head', 0, checked.heads - 1),
      query: integer(query, 'query', 0, checked.queryLength - 1),
      key: integer(key, 'key', 0, checked.keyLength - 1),
    };
    return (await this.live()).call('attendSteps', { input: checked, ...place });
  }

  async multiHead(input: MultiHeadInput): Promise<MultiHeadOutput> {
    this.check();
    const checked = checkMultiHead(input);
    return (await this.live()).call('multiHead', checked);
  }

  async additions(input: AdditionsInput): Promise<HeadAdditions> {
    this.check();
    const checked = checkAdditions(input);
    return (await this.live()).call('headAdditions', checked);
  }

  async timeMultiHead(input: MultiHeadInput, samples = 15): Promise<MultiHeadTimes> {
    this.check();
    const ask = { input: checkMultiHead(input), samples: integer(samples, 'samples', 1, 1000) };
    return (await this.live()).call('timeMultiHead', ask);
  }

  async gaussians(seed: number, count: number): Promise<Float64Array> {
    this.check();
    const ask = checkDraws(seed, count);
    return (await this.live()).call('gaussians', ask);
  }

  private check(): void {
    if (this.disposed) throw disposedError();
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    this.connection.end(disposedError());
  }

  get [TESTING](): TestingHooks {
    return {
      bytesInUse: async () => (await this.live()).call('bytesInUse', null),
      trap: async () => (await this.live()).call('trap', null),
    };
  }
}

async function connect(
  settings: EngineSettings,
): Promise<{ connection: Connection; variant: Variant }> {
  const connection = new Connection(await openLine(settings.worker));
  try {
    const { variant } = await connection.call('start', { variant: settings.variant });
    return { connection, variant };
  } catch (error) {
    connection.end(disposedError());
    throw error;
  }
}

function disposedError(): HeadlightsError {
  return new HeadlightsError('disposed', 'The engine has been disposed.');
}

function checkLoadOptions(options: LoadOptions) {
  object(options, 'The second argument of loadModel');
  const { onProgress, signal, quantise } = options;
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new HeadlightsError('bad-argument', 'onProgress must be a function.');
  checkSignal(signal);
  if (quantise !== undefined && quantise !== false) {
    throw new HeadlightsError(
      quantise === true || quantise === 'ask' ? 'unsupported' : 'bad-argument',
      'Quantising a model while it is loaded comes in a later version; leave quantise out.',
      { argument: 'quantise' },
    );
  }
  return {
    onProgress,
    signal,
    stream: boolean(options.stream, 'stream', false),
    wholeTable: boolean(options.wholeTable, 'wholeTable', true),
  };
}

export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new HeadlightsError('bad-argument', 'signal must be an AbortSignal.', {
    argument: 'signal',
  });
}
