/** The session: the picture is of the newest text or is called older, whatever happens on the way. */

import { effect } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { counterpart } from '../../web/src/draw/roles.ts';
import { decodeLink } from '../../web/src/state/link.ts';
import { MODELS } from '../../web/src/state/models.ts';
import { defaultState, type PageState } from '../../web/src/state/page-state.ts';
import { Session, type SessionOptions } from '../../web/src/state/session.ts';
import { completeState } from '../../web/src/state/start.ts';
import {
  apply,
  createStore,
  isCurrent,
  type Shown,
  type Store,
} from '../../web/src/state/store.ts';
import { FakeEngine, settle } from './fake-engine.ts';

interface Setup {
  store: Store;
  session: Session;
  engines: FakeEngine[];
  shown: Shown[];
}

let open: Session[] = [];

async function setUp(
  hold: { loads?: boolean; runs?: boolean } = {},
  state: Partial<PageState> = {},
  options: Partial<SessionOptions> = {},
): Promise<Setup> {
  const store = createStore({ ...defaultState('one two', 'minilm-en'), ...state });
  const engines: FakeEngine[] = [];
  const shown: Shown[] = [];
  const session = new Session(store, {
    createEngine: async () => {
      const engine = new FakeEngine(hold);
      engines.push(engine);
      return engine;
    },
    ...options,
  });
  open.push(session);
  effect(() => {
    if (store.shown.value) shown.push(store.shown.value);
  });
  session.start();
  await settle();
  return { store, session, engines, shown };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(async () => {
  for (const session of open) await session.dispose();
  open = [];
  vi.useRealTimers();
});

describe('runs', () => {
  test('the first text is run and shown, and ready resolves', async () => {
    const { session, shown, store } = await setUp();
    await expect(session.ready).resolves.toBeUndefined();
    expect(shown.at(-1)?.text).toBe('one two');
    expect(shown.at(-1)?.layersReady).toBe(6);
    expect(isCurrent(store)).toBe(true);
    expect(session.run?.tokens).toHaveLength(4);
  });

  test('a newer text cancels the older run, whose result is never shown', async () => {
    const { session, engines, shown } = await setUp({ runs: true });
    const [engine] = engines;
    session.input('text', 'three');
    await settle();
    session.input('text', 'four');
    await settle();
    expect(engine!.runs.map((run) => [run.text, run.cancelled])).toEqual([
      ['one two', true],
      ['three', true],
      ['four', false],
    ]);
    for (const run of engine!.runs) run.finish();
    await settle();
    expect(shown.map((s) => s.text)).toEqual(['four']);
  });

  test('with the model there, the run is asked for inside the input event', async () => {
    const { session, engines } = await setUp();
    session.input('text', 'now');
    expect(engines[0]!.lastRun.text).toBe('now');
  });

  test('a run that ends although it was cancelled is disposed, not shown', async () => {
    const { session, engines, shown } = await setUp({ runs: true });
    const first = engines[0]!.lastRun;
    // This engine ignores the signal.
    first.finish();
    session.input('text', 'newer');
    await settle();
    engines[0]!.lastRun.finish();
    await settle();
    expect(shown.map((s) => s.text)).toEqual(['newer']);
    expect(engines[0]!.disposedRuns).toBe(1);
  });

  test('the run that left the screen is disposed', async () => {
    const { session, engines } = await setUp();
    session.input('text', 'a');
    await settle();
    session.input('text', 'b');
    await settle();
    expect(engines[0]!.disposedRuns).toBe(2);
  });

  test('a picture older than the text is called late after a moment, and no longer once drawn', async () => {
    const { session, store, engines } = await setUp();
    engines[0]!.hold.runs = true;
    session.input('text', 'slow');
    await settle();
    expect(store.late.value).toBe(false);
    vi.advanceTimersByTime(200);
    expect(store.late.value).toBe(true);
    engines[0]!.lastRun.finish();
    await settle();
    expect(store.late.value).toBe(false);
    expect(isCurrent(store)).toBe(true);
  });

  test('a text typed and taken back needs no new run', async () => {
    const { session, store, engines } = await setUp();
    engines[0]!.hold.runs = true;
    session.input('text', 'one two!');
    await settle();
    session.input('text', 'one two');
    await settle();
    expect(engines[0]!.runs).toHaveLength(2);
    expect(engines[0]!.runs[1]!.cancelled).toBe(true);
    expect(isCurrent(store)).toBe(true);
    await expect(session.ready).resolves.toBeUndefined();
  });

  test('a keystroke is measured from its event to the end of the drawing', async () => {
    performance.clearMeasures('headlights:keystroke');
    let painted = 0;
    const { session } = await setUp(
      {},
      {},
      {
        painted: async () => {
          painted += 1;
        },
      },
    );
    session.input('text', 'timed', performance.now());
    await settle();
    const measures = performance.getEntriesByName('headlights:keystroke');
    expect(measures).toHaveLength(1);
    expect(painted).toBeGreaterThan(0);
    session.open({ text: 'not typed' }, false);
    await settle();
    expect(performance.getEntriesByName('headlights:keystroke')).toHaveLength(1);
  });

  test('a failing run says so, keeps the text, and marks the old picture', async () => {
    const { session, store, engines } = await setUp();
    engines[0]!.hold.runs = true;
    session.input('text', 'breaks');
    await settle();
    engines[0]!.lastRun.fail('network');
    await settle();
    expect(store.failure.value?.code).toBe('network');
    expect(store.late.value).toBe(true);
    expect(store.text.value).toBe('breaks');
    await expect(session.ready).rejects.toMatchObject({ code: 'network' });
    engines[0]!.hold.runs = false;
    session.retry();
    await settle();
    expect(store.failure.value).toBeNull();
    expect(store.late.value).toBe(false);
    await expect(session.ready).resolves.toBeUndefined();
  });
});

describe('input methods', () => {
  test('nothing runs while composing; the committed text does', async () => {
    const { session, store, engines } = await setUp({}, {}, {});
    store.composing.value = true;
    session.input('text', 'one two wo');
    session.input('text', 'one two wo ai');
    await settle();
    expect(engines[0]!.runs).toHaveLength(1);
    session.input('text', 'one two 我爱自然');
    store.composing.value = false;
    await settle();
    const [, second] = engines[0]!.runs;
    expect(second?.text).toBe('one two 我爱自然');
    expect(isCurrent(store)).toBe(true);
  });

  test('letters of a composition do not change the model', async () => {
    const { session, store } = await setUp({}, { text: '我爱', model: 'bge-zh' });
    store.composing.value = true;
    session.input('text', '我爱 zi ran yu yan chu li');
    await settle();
    expect(store.model.value).toBe('bge-zh');
    session.input('text', '我爱自然语言处理');
    store.composing.value = false;
    await settle();
    expect(store.model.value).toBe('bge-zh');
    expect(store.shown.value?.text).toBe('我爱自然语言处理');
  });
});

describe('models', () => {
  test('Chinese text is given to the Chinese model, and a note says so', async () => {
    const { session, store, engines } = await setUp({}, { layer: 5, head: 11 });
    session.input('text', '猫追老鼠');
    await settle();
    expect(store.model.value).toBe('bge-zh');
    expect(store.layer.value).toBe(0);
    expect(store.head.value).toBe(0);
    expect(store.notes.value.map((note) => note.id)).toContain('model');
    expect(engines[0]!.runs.at(-1)?.text).toBe('猫追老鼠');
    expect(store.shown.value?.model).toBe('bge-zh');
  });

  test.each([
    ['', 'an emptied text'],
    ['12345', 'a text in no writing'],
  ])('the note about the switched model does not stay over %j: %s', async (text) => {
    const { session, store } = await setUp();
    session.input('text', '猫追老鼠');
    await settle();
    expect(store.notes.value.map((note) => note.id)).toEqual(['model']);
    session.input('text', text);
    await settle();
    expect(store.notes.value).toEqual([]);
  });

  test('notes about a link or an older text are gone when another is opened', async () => {
    const { session, store } = await setUp();
    store.notes.value = [{ id: 'link-view', kind: 'warning', text: () => 'old' }];
    session.open({ text: 'newer' }, false);
    expect(store.notes.value).toEqual([]);
  });

  test('a switch goes to the head with the same role, else to one worth seeing', async () => {
    const { session, store } = await setUp({}, { layer: 2, head: 9 }, { counterpart });
    session.choose('bge-zh');
    expect([store.layer.value, store.head.value]).toEqual([0, 5]); // the same character elsewhere
    session.choose('minilm-en');
    expect([store.layer.value, store.head.value]).toEqual([2, 9]);
    apply(store, { layer: 4, head: 4, also: [{ layer: 0, head: 0 }] });
    session.choose('bge-zh');
    expect({ layer: store.layer.value, head: store.head.value }).toEqual(
      MODELS['bge-zh'].firstHead,
    );
    expect(store.also.value).toEqual([]);
  });

  test('choosing the model that is there already changes no head', async () => {
    const { session, store } = await setUp({}, { layer: 4, head: 4 }, { counterpart });
    session.choose('minilm-en');
    expect([store.layer.value, store.head.value]).toEqual([4, 4]);
  });

  test('a mean stays a mean in the other model', async () => {
    const { session, store } = await setUp({}, { layer: 'mean', head: 'mean' }, { counterpart });
    session.choose('bge-zh');
    expect([store.layer.value, store.head.value]).toEqual(['mean', 'mean']);
  });

  test('a head that a link names is kept, whichever model its text suggests', async () => {
    const { state } = completeState(await decodeLink('#text=猫追老鼠&layer=2&head=6'), 'en');
    const { session, store } = await setUp({}, {}, { counterpart });
    session.open(state, false);
    await settle();
    expect(store.model.value).toBe('bge-zh');
    expect([store.layer.value, store.head.value]).toEqual([2, 6]);
  });

  test('an example comes with its model, and no note when nobody had chosen another', async () => {
    const { session, store } = await setUp();
    session.openExample({ text: '猫追老鼠', model: 'bge-zh', layer: 0, head: 7, query: 2 });
    await settle();
    expect(store.shown.value).toMatchObject({ model: 'bge-zh', text: '猫追老鼠' });
    expect([store.layer.value, store.head.value]).toEqual([0, 7]);
    expect(store.notes.value).toEqual([]);
  });

  test('an example in another model than the chosen one says so and offers the way back', async () => {
    const { session, store } = await setUp();
    session.choose('minilm-en');
    session.openExample({ text: '猫追老鼠', model: 'bge-zh', layer: 0, head: 7, query: 2 });
    await settle();
    expect(store.model.value).toBe('bge-zh');
    const [note] = store.notes.value;
    expect(note?.text()).toContain('BGE');
    note!.actions![0]!.run();
    await settle();
    expect(store.model.value).toBe('minilm-en');
    expect(store.shown.value).toMatchObject({ model: 'minilm-en', text: '猫追老鼠' });
    expect(store.notes.value).toEqual([]);
  });

  test('the model that the reader chose stays, whatever is typed', async () => {
    const { session, store } = await setUp();
    session.choose('minilm-en');
    session.input('text', '猫追老鼠');
    await settle();
    expect(store.model.value).toBe('minilm-en');
    expect(store.shown.value?.text).toBe('猫追老鼠');
  });

  test('going back to a loaded model loads nothing', async () => {
    const { session, engines } = await setUp();
    session.choose('bge-zh');
    await settle();
    session.choose('minilm-en');
    await settle();
    expect(engines[0]!.loads.map((load) => load.id)).toEqual(['minilm-en', 'bge-zh']);
  });

  test('the picture of one model is not taken for that of another', async () => {
    const { session, store, engines } = await setUp();
    engines[0]!.hold.loads = true;
    session.choose('bge-zh');
    await settle();
    expect(isCurrent(store)).toBe(false);
    vi.advanceTimersByTime(200);
    expect(store.late.value).toBe(true);
  });

  test('heads are shown as their layers arrive', async () => {
    const { session, engines, shown, store } = await setUp({ loads: true, runs: true });
    const engine = engines[0]!;
    engine.lastLoad.progress(0);
    engine.lastLoad.finish();
    await settle();
    expect(store.load.value.phase).toBe('loading');
    engine.lastRun.layer(0);
    engine.lastRun.layer(1);
    expect(shown.map((s) => [s.layersReady, s.run])).toEqual([
      [1, null],
      [2, null],
    ]);
    let ready = false;
    void session.ready.then(() => {
      ready = true;
    });
    await settle();
    expect(ready).toBe(false);
    for (const layer of [2, 3, 4, 5]) engine.lastRun.layer(layer);
    engine.lastLoad.progress(6);
    engine.lastRun.finish();
    await settle();
    expect(ready).toBe(true);
    expect(shown.at(-1)?.run).not.toBeNull();
    expect(store.load.value.phase).toBe('ready');
  });

  test('with Save-Data nothing is loaded before the reader agrees', async () => {
    const { session, store, engines } = await setUp({}, {}, { saveData: true });
    expect(store.load.value.phase).toBe('asking');
    expect(engines).toHaveLength(0);
    session.input('text', 'still waiting');
    await settle();
    expect(engines).toHaveLength(0);
    session.allow();
    await settle();
    expect(engines[0]!.loads).toHaveLength(1);
    expect(engines[0]!.loads[0]!.options.wholeTable).toBe(false);
    expect(store.shown.value?.text).toBe('still waiting');
  });

  test('a model that cannot be loaded gives its error; retry loads it again', async () => {
    const { session, store, engines } = await setUp({ loads: true });
    engines[0]!.lastLoad.fail('not-found');
    await settle();
    expect(store.failure.value?.code).toBe('not-found');
    expect(store.load.value.phase).toBe('failed');
    await expect(session.ready).rejects.toMatchObject({ code: 'not-found' });
    engines[0]!.hold.loads = false;
    session.retry();
    await settle();
    expect(store.failure.value).toBeNull();
    expect(store.shown.value?.text).toBe('one two');
    await expect(session.ready).resolves.toBeUndefined();
  });

  async function breakOff(code: 'network' | 'corrupt') {
    const setup = await setUp({ loads: true, runs: true });
    const engine = setup.engines[0]!;
    engine.lastLoad.progress(0);
    engine.lastLoad.finish();
    await settle();
    engine.lastRun.layer(0);
    engine.lastRun.fail(code);
    await settle();
    expect(setup.store.failure.value?.code).toBe(code);
    expect(setup.store.load.value.phase).toBe('failed');
    engine.hold = {};
    return { ...setup, engine };
  }

  test('a connection lost half-way is taken up again on retry, with what has arrived', async () => {
    const { session, store, engine } = await breakOff('network');
    session.retry();
    await settle();
    expect([engine.loads.length, engine.resumed]).toEqual([1, 1]);
    expect(store.shown.value?.run).not.toBeNull();
    expect(store.failure.value).toBeNull();
  });

  test('when the browser is online again, the load goes on by itself', async () => {
    const { session, store, engine } = await breakOff('network');
    session.reconnect();
    await settle();
    expect(engine.resumed).toBe(1);
    expect(isCurrent(store)).toBe(true);
  });

  test('a broken file is loaded anew on retry', async () => {
    const { session, store, engine } = await breakOff('corrupt');
    session.retry();
    await settle();
    expect([engine.loads.length, engine.disposedModels]).toEqual([2, 1]);
    expect(store.shown.value?.run).not.toBeNull();
  });

  test('a load of which nothing is heard is called stalled until something arrives', async () => {
    const { store, engines } = await setUp({ loads: true, runs: true });
    engines[0]!.lastLoad.progress(1);
    engines[0]!.lastLoad.finish();
    await settle();
    expect(store.load.value.stalled).toBe(false);
    vi.advanceTimersByTime(9000);
    expect(store.load.value.stalled).toBe(true);
    engines[0]!.lastLoad.progress(2);
    expect(store.load.value.stalled).toBe(false);
    engines[0]!.lastLoad.progress(6, true);
    vi.advanceTimersByTime(9000);
    expect(store.load.value.stalled).toBe(false);
  });

  test('cancel stops the load; retry starts it again', async () => {
    const { session, store, engines } = await setUp({ loads: true });
    session.cancelLoading();
    await settle();
    expect(engines[0]!.lastLoad.cancelled).toBe(true);
    expect(store.load.value.phase).toBe('cancelled');
    expect(store.failure.value).toBeNull();
    engines[0]!.hold.loads = false;
    session.retry();
    await settle();
    expect(store.load.value.phase).toBe('ready');
    expect(isCurrent(store)).toBe(true);
  });

  test('pause and resume reach the model', async () => {
    const { session, store, engines } = await setUp({ loads: true, runs: true });
    engines[0]!.lastLoad.progress(1);
    engines[0]!.lastLoad.finish();
    await settle();
    expect(store.load.value.pausable).toBe(true);
    await session.pause();
    expect([store.load.value.phase, engines[0]!.paused]).toEqual(['paused', 1]);
    await session.resume();
    expect([store.load.value.phase, engines[0]!.paused]).toEqual(['loading', 0]);
  });

  test('texts wait for the whole word table when the reader wants that', async () => {
    const { session, store, engines } = await setUp({ loads: true });
    session.setWholeFirst(true);
    engines[0]!.lastLoad.progress(6, false);
    engines[0]!.lastLoad.finish();
    await settle();
    expect(engines[0]!.runs).toHaveLength(0);
    engines[0]!.lastLoad.progress(6, true);
    await settle();
    expect(engines[0]!.runs).toHaveLength(1);
    expect(isCurrent(store)).toBe(true);
  });
});

describe('crashes', () => {
  test('a crash starts a new engine, runs the same text again and is told', async () => {
    const { session, store, engines } = await setUp();
    engines[0]!.hold.runs = true;
    session.input('text', 'boom');
    await settle();
    engines[0]!.lastRun.fail('crashed');
    await settle();
    expect(engines).toHaveLength(2);
    expect(engines[0]!.disposed).toBe(true);
    expect(store.notes.value.map((note) => note.id)).toContain('restarted');
    // The hold is shared with the new engine's options, so end its run by hand.
    engines[1]!.lastRun.finish();
    await settle();
    expect(store.shown.value?.text).toBe('boom');
    expect(store.failure.value).toBeNull();
  });

  test('a text that crashes twice is not tried a third time by itself', async () => {
    const { session, store, engines } = await setUp({ runs: true });
    engines[0]!.lastRun.fail('crashed');
    await settle();
    engines[1]!.lastRun.fail('crashed');
    await settle();
    expect(engines).toHaveLength(2);
    expect(store.failure.value?.code).toBe('crashed');
    await expect(session.ready).rejects.toMatchObject({ code: 'crashed' });
    session.retry();
    await settle();
    expect(engines).toHaveLength(3);
    engines[2]!.lastRun.finish();
    await settle();
    expect(store.failure.value).toBeNull();
    expect(isCurrent(store)).toBe(true);
  });

  test('an engine that cannot start gives its error, and retry tries again', async () => {
    let tries = 0;
    const { session, store } = await setUp(
      {},
      {},
      {
        createEngine: async () => {
          tries += 1;
          if (tries === 1) throw Object.assign(new Error('no simd'), { code: 'no-simd' });
          return new FakeEngine();
        },
      },
    );
    expect(store.failure.value?.code).toBe('no-simd');
    session.retry();
    await settle();
    expect(store.failure.value).toBeNull();
    expect(isCurrent(store)).toBe(true);
  });
});

describe('pins and ready', () => {
  test('a pinned token stays pinned while text before it changes', async () => {
    const { session, store } = await setUp({}, { text: 'a cat sat', query: 3 });
    session.input('text', 'a black cat sat');
    await settle();
    expect(store.query.value).toBe(4);
    session.input('text', 'cat sat');
    await settle();
    expect(store.query.value).toBe(2);
  });

  test('a pin of a link means a token of its text, or nothing', async () => {
    const { session, store } = await setUp();
    session.open({ text: 'x y z', query: 3 }, false);
    await settle();
    expect(store.query.value).toBe(3);
    session.open({ text: 'x', query: 17 }, false);
    await settle();
    expect(store.query.value).toBeNull();
  });

  test('a pinned word stays pinned in another model’s reading of the text', async () => {
    const { session, store } = await setUp({}, { text: 'x y z', query: 3 });
    session.choose('bge-zh');
    await settle();
    expect(store.query.value).toBe(3);
  });

  test('every change of the state has its own promise, and older ones follow the newest', async () => {
    const { session, store, engines } = await setUp();
    engines[0]!.hold.runs = true;
    const first = session.ready;
    session.input('text', 'p');
    const second = session.ready;
    session.input('text', 'q');
    const third = session.ready;
    expect(new Set([first, second, third]).size).toBe(3);
    await settle();
    engines[0]!.lastRun.finish();
    await Promise.all([second, third]);
    expect(store.shown.value?.text).toBe('q');
    store.view.value = 'matrix';
    expect(session.ready).not.toBe(third);
    await expect(session.ready).resolves.toBeUndefined();
  });
});
