/**
 * An engine of the library's types whose runs end when the test says so. Tokens are the words of the
 * text; weights are uniform, which is all that the session needs to know.
 */

import { type ErrorCode, HeadlightsError } from '../../web/src/engine/errors.ts';
import type {
  Engine,
  LoadOptions,
  LoadProgress,
  Model,
  Run,
  RunOptions,
  Token,
} from '../../web/src/engine/types.ts';
import { MODELS, type ModelId } from '../../web/src/state/models.ts';

export interface PendingRun {
  text: string;
  options: RunOptions;
  cancelled: boolean;
  finish(): void;
  fail(code: ErrorCode): void;
  layer(index: number): void;
}

export interface PendingLoad {
  id: string;
  options: LoadOptions;
  cancelled: boolean;
  progress(layersReady: number, complete?: boolean): void;
  finish(): void;
  fail(code: ErrorCode): void;
}

/** Matrices of the reader's own play no part in a session. */
async function notPart(): Promise<never> {
  throw new Error('not part of the fake');
}

export class FakeEngine implements Engine {
  readonly variant = 'baseline' as const;
  readonly thread = 'main' as const;
  runs: PendingRun[] = [];
  loads: PendingLoad[] = [];
  disposedRuns = 0;
  disposedModels = 0;
  disposed = false;
  paused = 0;
  resumed = 0;
  /** Loads end at once and so do runs, unless a test wants to hold them. */
  constructor(public hold: { loads?: boolean; runs?: boolean } = {}) {}

  get lastRun(): PendingRun {
    return this.runs.at(-1)!;
  }

  get lastLoad(): PendingLoad {
    return this.loads.at(-1)!;
  }

  loadModel(source: string | URL | readonly File[], options: LoadOptions = {}): Promise<Model> {
    const id = String(source) as ModelId;
    return new Promise((resolve, reject) => {
      const { layers } = MODELS[id];
      const pending: PendingLoad = {
        id,
        options,
        cancelled: false,
        progress: (layersReady, complete = false) => {
          const progress: LoadProgress = {
            loaded: layersReady * 1e6,
            total: layers * 1e6,
            stage: complete ? 'done' : 'layers',
            layersReady,
            layers,
            complete,
          };
          options.onProgress?.(progress);
        },
        finish: () => resolve(this.model(id)),
        fail: (code) => reject(new HeadlightsError(code, `load: ${code}`)),
      };
      options.signal?.addEventListener('abort', () => {
        pending.cancelled = true;
        reject(new HeadlightsError('cancelled', 'cancelled'));
      });
      this.loads.push(pending);
      if (!this.hold.loads) {
        pending.progress(layers, true);
        pending.finish();
      }
    });
  }

  readonly attention = notPart;
  readonly attentionSteps = notPart;
  readonly multiHead = notPart;
  readonly additions = notPart;
  readonly timeMultiHead = notPart;
  readonly gaussians = notPart;

  async dispose(): Promise<void> {
    this.disposed = true;
  }

  private model(id: ModelId): Model {
    const { layers, heads } = MODELS[id];
    const info = { id, layers, heads, maxTokens: 512 } as Model['info'];
    return {
      info,
      run: (input, options = {}) =>
        new Promise((resolve, reject) => {
          const text = String(input);
          const tokens = tokensOf(text);
          const pending: PendingRun = {
            text,
            options,
            cancelled: false,
            finish: () => resolve(this.run(tokens, layers, heads)),
            fail: (code) => reject(new HeadlightsError(code, `run: ${code}`)),
            layer: (index) => options.onLayer?.(index, uniform(heads, tokens.length), tokens),
          };
          options.signal?.addEventListener('abort', () => {
            pending.cancelled = true;
            reject(new HeadlightsError('cancelled', 'cancelled'));
          });
          this.runs.push(pending);
          if (!this.hold.runs) pending.finish();
        }),
      tokenize: async (text) => ({ tokens: tokensOf(text), truncated: null }),
      pauseLoading: async () => {
        this.paused += 1;
      },
      resumeLoading: async () => {
        this.paused -= 1;
        this.resumed += 1;
      },
      dispose: async () => {
        this.disposedModels += 1;
      },
    };
  }

  private run(tokens: Token[], layers: number, heads: number): Run {
    const T = tokens.length;
    return {
      tokens,
      layers,
      heads,
      queryLength: T,
      keyLength: T,
      truncated: null,
      attentions: async () => uniform(layers * heads, T),
      dispose: async () => {
        this.disposedRuns += 1;
      },
    } as Partial<Run> as Run;
  }
}

function uniform(maps: number, T: number): Float32Array {
  return new Float32Array(maps * T * T).fill(1 / T);
}

export function tokensOf(text: string): Token[] {
  const special = (name: string): Token => ({
    text: name,
    id: name === '[CLS]' ? 101 : 102,
    start: null,
    end: null,
    special: true,
    word: null,
    segment: 0,
  });
  const words = [...text.matchAll(/\S+/g)].map(
    (match, word): Token => ({
      text: match[0],
      id: 1000 + [...match[0]].reduce((sum, c) => (31 * sum + c.codePointAt(0)!) % 100_003, 7),
      start: match.index,
      end: match.index + match[0].length,
      special: false,
      word,
      segment: 0,
    }),
  );
  return [special('[CLS]'), ...words, special('[SEP]')];
}

/** Lets everything that is already promised happen. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 60; i += 1) await Promise.resolve();
}
