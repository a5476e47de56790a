/** A run as its user holds it: asks the host for copies, or cuts them from what came along with the run. */
import { integer } from '../compute/arguments.ts';
import { HeadlightsError } from '../errors.ts';
import type {
  AttentionSteps,
  HeadAdditions,
  HeadData,
  ModelInfo,
  Run,
  Token,
  Truncation,
} from '../types.ts';
import type { Connection } from './client.ts';
import type { RunAnswer } from './protocol.ts';

/** Gives the memory of runs back that nobody holds any more and nobody disposed. */
const forgotten = new FinalizationRegistry<{ connection: Connection; run: number }>(
  ({ connection, run }) => {
    if (connection.ended === null) connection.call('dropRun', { run }).catch(() => {});
  },
);

export class ClientRun implements Run {
  readonly tokens: Token[];
  readonly layers: number;
  readonly heads: number;
  readonly queryLength: number;
  readonly keyLength: number;
  readonly truncated: Truncation | null;
  private readonly run: number;
  private disposed = false;
  /** All weights, where they were few enough to come along. */
  private all: Float32Array | null;

  constructor(
    private readonly connection: Connection,
    info: ModelInfo,
    answer: RunAnswer,
  ) {
    this.tokens = answer.tokens;
    this.layers = info.layers;
    this.heads = info.heads;
    this.queryLength = answer.tokens.length;
    this.keyLength = answer.tokens.length;
    this.truncated = answer.truncated;
    this.run = answer.run;
    this.all = answer.attentions;
    forgotten.register(this, { connection, run: answer.run }, this);
  }

  async attentions(): Promise<Float32Array> {
    this.check();
    return this.all?.slice() ?? this.connection.call('attentions', { run: this.run });
  }

  async attention(layer: number, head: number): Promise<Float32Array> {
    this.check();
    const one = this.one(layer, head);
    if (this.all === null) return this.connection.call('attention', one);
    const cells = this.queryLength * this.keyLength;
    const start = (layer * this.heads + head) * cells;
    return this.all.slice(start, start + cells);
  }

  async attentionRows(
    layer: number,
    head: number,
    from: number,
    to: number,
  ): Promise<Float32Array> {
    this.check();
    const one = this.one(layer, head);
    integer(from, 'from', 0, this.queryLength);
    integer(to, 'to', from, this.queryLength);
    return this.connection.call('attentionRows', { ...one, from, to });
  }

  async head(layer: number, head: number): Promise<HeadData> {
    this.check();
    return this.connection.call('head', this.one(layer, head));
  }

  async hidden(layer: number): Promise<Float32Array> {
    this.check();
    integer(layer, 'layer', 0, this.layers);
    return this.connection.call('hidden', { run: this.run, layer });
  }

  async steps(layer: number, head: number, query: number, key: number): Promise<AttentionSteps> {
    this.check();
    const one = this.one(layer, head);
    integer(query, 'query', 0, this.queryLength - 1);
    integer(key, 'key', 0, this.keyLength - 1);
    return this.connection.call('steps', { ...one, query, key });
  }

  async additions(layer: number, token: number): Promise<HeadAdditions> {
    this.check();
    integer(layer, 'layer', 0, this.layers - 1);
    integer(token, 'token', 0, this.queryLength - 1);
    return this.connection.call('additions', { run: this.run, layer, token });
  }

  private one(layer: number, head: number): { run: number; layer: number; head: number } {
    integer(layer, 'layer', 0, this.layers - 1);
    integer(head, 'head', 0, this.heads - 1);
    return { run: this.run, layer, head };
  }

  private check(): void {
    if (this.disposed) throw new HeadlightsError('disposed', 'The run has been disposed.');
  }

  async dispose(): Promise<void> {
    if (this.disposed) return;
    this.disposed = true;
    this.all = null;
    forgotten.unregister(this);
    if (this.connection.ended !== null) return;
    await this.connection.call('dropRun', { run: this.run }).catch(() => {});
  }
}
