/**
 * The engine in this thread: one WebAssembly module, the models loaded into it, and their runs. It trusts its
 * arguments (the client checks them) and knows nothing of workers; worker/host.ts speaks to it.
 */
import { type CheckedInterventions, fitInterventions } from './compute/interventions.ts';
import { LONGEST_MAP, Pass } from './compute/pass.ts';
import { checkIds, type TokenIds } from './compute/token-ids.ts';
import { HeadlightsError } from './errors.ts';
import { type LoadListeners, type OpenedModel, openModel } from './loading/open-model.ts';
import { nextTask } from './next-task.ts';
import { Queue } from './queue.ts';
import { throwIfAborted } from './signals.ts';
import type { ModelSource } from './sources/resolve.ts';
import type { Encoding } from './tokens/tokenizer.ts';
import type { ModelInfo, Token, Truncation, Variant } from './types.ts';
import { loadModule } from './wasm/load.ts';
import type { WasmModule } from './wasm/module.ts';

export interface LoadRequest {
  source: ModelSource;
  /** Answer when header and tokenizer are there; else when every layer is. */
  stream: boolean;
  wholeTable: boolean;
}

export type Text = { text: string; pair: string | null } | TokenIds;

export interface LocalRun {
  pass: Pass;
  tokens: Token[];
  truncated: Truncation | null;
}

export class LocalEngine {
  private constructor(
    readonly module: WasmModule,
    readonly variant: Variant,
  ) {}

  static async start(variant: 'auto' | Variant): Promise<LocalEngine> {
    const loaded = await loadModule(variant);
    return new LocalEngine(loaded.module, loaded.variant);
  }

  async load(
    request: LoadRequest,
    signal: AbortSignal,
    listeners: LoadListeners,
  ): Promise<LocalModel> {
    const { source, wholeTable, stream } = request;
    const opened = await openModel(this.module, source, { wholeTable, signal, ...listeners });
    const model = new LocalModel(this.module, opened);
    const { loading } = opened;
    try {
      loading.start();
      if (!stream) await loading.waitFor(() => loading.layersComplete, signal, 'Loading the model');
      return model;
    } catch (error) {
      model.dispose();
      throw error;
    }
  }
}

export class LocalModel {
  private readonly queue = new Queue();
  private disposed = false;
  /** The model itself and each of its runs; its memory is given back when all are disposed. */
  private users = 1;
  /** The newest pass: a change of gains alone computes again from the first layer that it touches. */
  private newest: Pass | null = null;

  constructor(
    private readonly module: WasmModule,
    private readonly opened: OpenedModel,
  ) {}

  get info(): ModelInfo {
    return this.opened.info;
  }

  tokenize(text: string, pair: string | null): Encoding {
    this.check();
    return this.opened.tokenizer.encode(text, pair, this.opened.spec.maxTokens);
  }

  private encode(input: Text): Encoding {
    if ('text' in input) return this.tokenize(input.text, input.pair);
    const { spec, tokenizer } = this.opened;
    checkIds(input, spec);
    return tokenizer.fromIds(input.ids, input.typeIds ?? undefined);
  }

  /** `onLayer` gets each layer's weights and all tokens as soon as they can be had. */
  async run(
    input: Text,
    interventions: CheckedInterventions,
    signal: AbortSignal,
    onLayer: ((layer: number, weights: Float32Array, tokens: Token[]) => void) | null,
  ): Promise<LocalRun> {
    this.check();
    const { tokens, ids, typeIds, truncated } = this.encode(input);
    const fitted = fitInterventions(interventions, ids.length);
    const { loading, model, spec } = this.opened;
    loading.start();
    const rows = loading.rows(ids, signal); // asked for at once, even while another run computes
    rows.catch(() => {});
    const task = async (): Promise<LocalRun> => {
      await rows;
      await loading.waitFor(() => loading.embeddingsReady, signal, 'The run');
      this.check();
      const pass = new Pass(this.module, model, spec, ids, typeIds, fitted);
      this.users += 1;
      try {
        const listener = onLayer !== null && ids.length <= LONGEST_MAP ? onLayer : null;
        const reused = this.newest === null ? 0 : pass.reuse(this.newest);
        for (let layer = 0; layer < reused; layer++) {
          listener?.(layer, pass.weightsOfLayer(layer), tokens);
        }
        if (reused === 0) pass.begin();
        for (let layer = reused; layer < spec.layers; layer++) {
          await this.computeLayer(
            pass,
            layer,
            signal,
            listener && ((weights) => listener(layer, weights, tokens)),
          );
          await nextTask();
          throwIfAborted(signal, 'The run');
          this.check();
        }
        this.newest = pass;
        return { pass, tokens, truncated };
      } catch (error) {
        this.dropPass(pass);
        throw error;
      }
    };
    return this.queue.enter(task, signal, 'The run');
  }

  /** With a listener the weights come as soon as query and key are there, before the rest of the layer. */
  private async computeLayer(
    pass: Pass,
    layer: number,
    signal: AbortSignal,
    listener: ((weights: Float32Array) => void) | null,
  ): Promise<void> {
    const { loading, model } = this.opened;
    const arrived = (all: boolean) =>
      loading.waitFor(() => model.layerReady(layer, all), signal, 'The run');
    let told = false;
    if (listener !== null && !model.layerReady(layer, /*all=*/ true)) {
      await arrived(/*all=*/ false);
      this.check();
      pass.layerWeights(layer);
      listener(pass.weightsOfLayer(layer));
      told = true;
    }
    await arrived(/*all=*/ true);
    this.check();
    // Beyond its weights the last layer is computed when somebody asks for it: pictures of attention never do.
    if (layer === this.opened.spec.layers - 1) pass.layerWeights(layer);
    else pass.layer(layer);
    if (listener !== null && !told) listener(pass.weightsOfLayer(layer));
  }

  /** Disposes a run of this model. */
  dropPass(pass: Pass): void {
    if (this.newest === pass) this.newest = null;
    pass.dispose();
    this.leave();
  }

  pauseLoading(): void {
    this.check();
    this.opened.loading.pause();
  }

  resumeLoading(): void {
    this.check();
    this.opened.loading.resume();
  }

  private check(): void {
    if (this.disposed) throw new HeadlightsError('disposed', 'The model has been disposed.');
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.opened.loading.dispose();
    this.leave();
  }

  private leave(): void {
    this.users -= 1;
    if (this.users === 0) this.opened.model.delete();
  }
}
