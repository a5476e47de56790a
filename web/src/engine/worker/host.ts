/**
 * Serves the protocol beside a LocalEngine: in a worker, or in the caller's thread over a direct line. Keeps
 * models and runs by number. Anything unexpected (a trap, a broken invariant) is `fatal`: the state of the
 * module is unknown then, so nothing more is answered.
 */

import { attend, attendSteps } from '../compute/attention.ts';
import { gaussians, headAdditions, multiHead, timeMultiHead } from '../compute/multi-head.ts';
import type { Pass } from '../compute/pass.ts';
import { HeadlightsError, knownError } from '../errors.ts';
import { LocalEngine, type LocalModel } from '../local-engine.ts';
import {
  buffersOf,
  type CallName,
  type Calls,
  type FromHost,
  type HostEvent,
  type Port,
  type ToHost,
  toPlain,
} from './protocol.ts';

/** Weights of a run that come along with its answer, in bytes: 12 heads × 6 layers up to 120 tokens. */
const ATTENTIONS_ALONG = 4 << 20;

interface Task {
  signal: AbortSignal;
  tell: (event: HostEvent) => void;
}

type Answers = {
  [Name in CallName]: (ask: Calls[Name]['ask'], task: Task) => Promise<Calls[Name]['answer']>;
};

export class Host {
  private engine: LocalEngine | null = null;
  private readonly models = new Map<number, LocalModel>();
  private readonly runs = new Map<number, { pass: Pass; model: LocalModel }>();
  private readonly tasks = new Map<number, AbortController>();
  private nextNumber = 1;
  private closed = false;

  constructor(private readonly port: Port<FromHost, ToHost>) {
    port.onMessage = (message) => this.receive(message);
  }

  private receive(message: ToHost): void {
    if (this.closed) return;
    if (message.kind === 'cancel') {
      this.tasks.get(message.id)?.abort();
      return;
    }
    void this.serve(message.id, message.name, message.ask);
  }

  private async serve(id: number, name: CallName, ask: unknown): Promise<void> {
    const controller = new AbortController();
    this.tasks.set(id, controller);
    const task: Task = {
      signal: controller.signal,
      tell: (event) => this.post({ kind: 'event', id, event }),
    };
    try {
      const answer = await (this.answers[name] as (ask: unknown, task: Task) => Promise<unknown>)(
        ask,
        task,
      );
      this.post({ kind: 'done', id, answer });
    } catch (error) {
      const known = knownError(error);
      if (known !== null) this.post({ kind: 'failed', id, error: toPlain(known) });
      else this.fail(error);
    } finally {
      this.tasks.delete(id);
    }
  }

  private post(message: FromHost): void {
    if (!this.closed) this.port.post(message, buffersOf(message));
  }

  private fail(error: unknown): void {
    if (this.closed) return;
    this.post({ kind: 'fatal', reason: String((error as Error)?.stack ?? error) });
    this.closed = true;
  }

  private readonly answers: Answers = {
    start: async ({ variant }) => {
      this.engine = await LocalEngine.start(variant);
      return { variant: this.engine.variant };
    },
    load: async (request, { signal, tell }) => {
      const model = await this.running.load(request, signal, {
        onProgress: (progress) => tell({ kind: 'progress', progress }),
        onFatal: (error) => this.fail(error),
      });
      const number = this.nextNumber++;
      this.models.set(number, model);
      return { model: number, info: model.info };
    },
    pause: async ({ model }) => {
      this.model(model).pauseLoading();
      return null;
    },
    resume: async ({ model }) => {
      this.model(model).resumeLoading();
      return null;
    },
    tokenize: async ({ model, text, pair }) => {
      const { tokens, truncated } = this.model(model).tokenize(text, pair);
      return { tokens, truncated };
    },
    run: async ({ model, input, interventions, layers }, { signal, tell }) => {
      const owner = this.model(model);
      const onLayer = layers
        ? (layer: number, weights: Float32Array, tokens: HostLayer['tokens']) =>
            tell({ kind: 'layer', layer, weights, tokens })
        : null;
      const { pass, tokens, truncated } = await owner.run(input, interventions, signal, onLayer);
      const number = this.nextNumber++;
      this.runs.set(number, { pass, model: owner });
      const along = pass.keepsWeights && pass.attentionBytes <= ATTENTIONS_ALONG;
      return { run: number, tokens, truncated, attentions: along ? pass.attentions() : null };
    },
    attentions: async ({ run }) => this.pass(run).attentions(),
    attention: async ({ run, layer, head }) => this.pass(run).attention(layer, head),
    attentionRows: async ({ run, layer, head, from, to }) =>
      this.pass(run).attentionRows(layer, head, from, to),
    head: async ({ run, layer, head }) => this.pass(run).head(layer, head),
    hidden: async ({ run, layer }) => this.pass(run).hidden(layer),
    steps: async ({ run, layer, head, query, key }) =>
      this.pass(run).steps(layer, head, query, key),
    additions: async ({ run, layer, token }) => this.pass(run).additions(layer, token),
    dropRun: async ({ run }) => {
      const held = this.runs.get(run);
      this.runs.delete(run);
      held?.model.dropPass(held.pass);
      return null;
    },
    dropModel: async ({ model }) => {
      this.models.get(model)?.dispose();
      this.models.delete(model);
      return null;
    },
    attend: async (input) => attend(this.running.module, input),
    attendSteps: async ({ input, ...place }) => attendSteps(this.running.module, input, place),
    multiHead: async (input) => multiHead(this.running.module, input),
    timeMultiHead: async ({ input, samples }) => timeMultiHead(this.running.module, input, samples),
    headAdditions: async (input) => headAdditions(this.running.module, input),
    gaussians: async ({ seed, count }) => gaussians(this.running.module, seed, count),
    bytesInUse: async () => this.running.module.bytesInUse(),
    trap: async () => {
      this.running.module.crc32(0xffff_fff0, 16);
      throw new Error('reading beyond the memory did not trap');
    },
  };

  private get running(): LocalEngine {
    if (this.engine === null) throw new Error('a call before start');
    return this.engine;
  }

  private model(number: number): LocalModel {
    const model = this.models.get(number);
    if (model === undefined) throw new HeadlightsError('disposed', 'The model has been disposed.');
    return model;
  }

  private pass(number: number): Pass {
    const run = this.runs.get(number);
    if (run === undefined) throw new HeadlightsError('disposed', 'The run has been disposed.');
    return run.pass;
  }

  /** Stops all loading; the memory goes with the module. */
  close(): void {
    this.closed = true;
    for (const task of this.tasks.values()) task.abort();
    for (const model of this.models.values()) {
      try {
        model.dispose();
      } catch {
        // the module has trapped before; its memory goes as a whole
      }
    }
    this.models.clear();
    this.runs.clear();
    this.engine = null;
    this.port.close();
  }
}

type HostLayer = Extract<HostEvent, { kind: 'layer' }>;
