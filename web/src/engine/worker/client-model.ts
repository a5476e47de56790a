/**
 * A model as its user holds it. After a crash of the engine it loads itself again from the same place as soon
 * as it is used; its earlier runs are lost.
 */
import { badArgument, object } from '../compute/arguments.ts';
import { checkInterventions } from '../compute/interventions.ts';
import { copyIds } from '../compute/token-ids.ts';
import { HeadlightsError } from '../errors.ts';
import type { LoadRequest, Text } from '../local-engine.ts';
import type {
  LoadProgress,
  Model,
  ModelInfo,
  Run,
  RunInput,
  RunOptions,
  Token,
  Truncation,
} from '../types.ts';
import { type Connection, checkSignal, type EngineClient } from './client.ts';
import { ClientRun } from './client-run.ts';
import type { HostEvent } from './protocol.ts';

interface Place {
  connection: Connection;
  model: number;
  info: ModelInfo;
  listener: (event: HostEvent) => void;
}

type ProgressListener = (progress: LoadProgress) => void;

export class ClientModel implements Model {
  private disposed = false;
  private reloading: Promise<Place> | null = null;

  private constructor(
    private readonly engine: EngineClient,
    private readonly request: LoadRequest,
    private readonly onProgress: ProgressListener | undefined,
    private place: Place,
  ) {}

  static async load(
    engine: EngineClient,
    request: LoadRequest,
    onProgress: ProgressListener | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ClientModel> {
    return new ClientModel(
      engine,
      request,
      onProgress,
      await bring(engine, request, onProgress, signal),
    );
  }

  get info(): ModelInfo {
    return this.place.info;
  }

  /** Where the model is now; brought there again when the engine has crashed since. */
  private async live(): Promise<Place> {
    this.check();
    const connection = await this.engine.live();
    this.check();
    if (this.place.connection === connection) return this.place;
    this.reloading ??= bring(this.engine, this.request, this.onProgress, undefined)
      .then((place) => {
        this.place = place;
        if (this.disposed) drop(place);
        return place;
      })
      .finally(() => {
        this.reloading = null;
      });
    const place = await this.reloading;
    this.check();
    return place;
  }

  async run(input: RunInput, options: RunOptions = {}): Promise<Run> {
    this.check();
    object(options, 'The second argument of run');
    const { signal, onLayer, pair } = options;
    checkSignal(signal);
    if (onLayer !== undefined && typeof onLayer !== 'function')
      throw badArgument('onLayer', onLayer, 'a function');
    const { layers, heads } = this.info;
    const ask = {
      input: copyInput(input, pair),
      interventions: checkInterventions(options.interventions, layers, heads),
      layers: onLayer !== undefined,
    };
    const { connection, model, info } = await this.live();
    const answer = await connection.call(
      'run',
      { model, ...ask },
      {
        signal,
        what: 'The run',
        onEvent: (event: HostEvent) => {
          if (event.kind === 'layer') onLayer?.(event.layer, event.weights, event.tokens);
        },
        onLateAnswer: (late) => {
          connection.call('dropRun', { run: (late as { run: number }).run }).catch(() => {});
        },
      },
    );
    return new ClientRun(connection, info, answer);
  }

  async tokenize(
    text: string,
    pair?: string,
  ): Promise<{ tokens: Token[]; truncated: Truncation | null }> {
    this.check();
    const checked = checkText(text, pair);
    const { connection, model } = await this.live();
    return connection.call('tokenize', { model, ...checked });
  }

  async pauseLoading(): Promise<void> {
    const { connection, model } = await this.live();
    await connection.call('pause', { model });
  }

  async resumeLoading(): Promise<void> {
    const { connection, model } = await this.live();
    await connection.call('resume', { model });
  }

  private check(): void {
    if (this.disposed) throw new HeadlightsError('disposed', 'The model has been disposed.');
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    await drop(this.place);
  }
}

/** Loads the model into the host that lives now. */
async function bring(
  engine: EngineClient,
  request: LoadRequest,
  onProgress: ProgressListener | undefined,
  signal: AbortSignal | undefined,
): Promise<Place> {
  const connection = await engine.live();
  const listener = (event: HostEvent) => {
    if (event.kind === 'progress') onProgress?.(event.progress);
  };
  const answer = await connection.call('load', request, {
    signal,
    what: 'Loading the model',
    onEvent: listener,
    onLateAnswer: (late) => {
      connection.call('dropModel', { model: (late as { model: number }).model }).catch(() => {});
    },
  });
  return { connection, listener, ...answer };
}

/** A host that is gone has dropped everything itself. */
async function drop({ connection, model, listener }: Place): Promise<void> {
  connection.unlisten(listener);
  if (connection.ended !== null) return;
  await connection.call('dropModel', { model }).catch(() => {});
}

function copyInput(input: RunInput, pair: unknown): Text {
  if (typeof input === 'string') return checkText(input, pair);
  if (typeof input !== 'object' || input === null || !('ids' in input))
    throw badArgument('The first argument of run', input, 'a text or { ids }');
  if (pair !== undefined)
    throw new HeadlightsError('bad-argument', 'pair goes with a text, not with ids.', {
      argument: 'pair',
    });
  return copyIds(input);
}

function checkText(text: unknown, pair: unknown): { text: string; pair: string | null } {
  if (typeof text !== 'string') throw badArgument('The text', text, 'a string');
  if (pair !== undefined && pair !== null && typeof pair !== 'string')
    throw badArgument('pair', pair, 'a string');
  return { text, pair: (pair as string | undefined) ?? null };
}
