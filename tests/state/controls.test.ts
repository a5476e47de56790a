/** The controls of the mechanism: what they make the library do, how a link says a drawn mask, undo and redo. */
import { describe, expect, test } from 'vitest';
import {
  type Controls,
  controlsKey,
  DEFAULT_CONTROLS,
  interventionsOf,
  isPlain,
  needsLength,
  openCells,
  packCells,
  unpackCells,
} from '../../web/src/state/controls.ts';
import { ControlHistory } from '../../web/src/state/history.ts';
import { defaultState } from '../../web/src/state/page-state.ts';
import { apply, controlsNow, createStore } from '../../web/src/state/store.ts';

const controls = (change: Partial<Controls>): Controls => ({ ...DEFAULT_CONTROLS, ...change });

describe('interventions', () => {
  test('of untouched controls are none', () => {
    expect(interventionsOf(DEFAULT_CONTROLS, 5)).toEqual({});
    expect(isPlain(DEFAULT_CONTROLS)).toBe(true);
  });

  test('say pattern, hidden tokens, temperature and positions', () => {
    expect(interventionsOf(controls({ mask: 'causal' }), 3)).toEqual({ pattern: 'causal' });
    expect(interventionsOf(controls({ mask: 'window', radius: 4 }), 3)).toEqual({
      pattern: { window: 4 },
    });
    expect(interventionsOf(controls({ off: [1, 9] }), 3)).toEqual({
      keyMask: Uint8Array.of(1, 0, 1),
    });
    expect(interventionsOf(controls({ temperature: 0.5, positions: false }), 3)).toEqual({
      temperature: 0.5,
      positions: false,
    });
  });

  test('of tokens wait for the number of tokens, others do not', () => {
    expect(needsLength(controls({ mask: 'causal', temperature: 2 }))).toBe(false);
    expect(needsLength(controls({ off: [0] }))).toBe(true);
    expect(needsLength(controls({ mask: 'drawn' }))).toBe(true);
  });

  test('a radius without a window, or a drawing that is not used, changes nothing', () => {
    expect(controlsKey(controls({ radius: 7 }))).toBe(controlsKey(DEFAULT_CONTROLS));
    expect(controlsKey(controls({ cells: '2.AQ' }))).toBe(controlsKey(DEFAULT_CONTROLS));
    expect(controlsKey(controls({ mask: 'causal' }))).not.toBe(controlsKey(DEFAULT_CONTROLS));
  });
});

describe('a drawn mask', () => {
  test('comes back from its text', () => {
    for (const tokens of [1, 2, 7, 8, 9, 64]) {
      const open = Uint8Array.from({ length: tokens * tokens }, (_, i) => (i % 3 === 0 ? 0 : 1));
      const text = packCells(open, tokens);
      expect(text).toMatch(/^\d+\.[\w-]+$/);
      expect(unpackCells(text)).toEqual({ open, tokens });
    }
  });

  test('with every place open is no text at all', () => {
    expect(packCells(new Uint8Array(9).fill(1), 3)).toBe('');
    expect([...openCells('', 2)]).toEqual([1, 1, 1, 1]);
  });

  test.each(['x', '0.AA', '3.', '3.A', '65.AA', '2.AAAA', '2.!!', '-1.AA'])(
    'is not read from %s',
    (text) => {
      expect(unpackCells(text)).toBeNull();
    },
  );

  test('fits a longer and a shorter text: new places are open', () => {
    const text = packCells(Uint8Array.of(0, 1, 1, 0), 2);
    expect([...openCells(text, 3)]).toEqual([0, 1, 1, 1, 0, 1, 1, 1, 1]);
    expect([...openCells(text, 1)]).toEqual([0]);
  });
});

describe('undo and redo', () => {
  function setUp() {
    const store = createStore(defaultState('a', 'minilm-en'));
    let time = 0;
    const history = new ControlHistory(store, () => time);
    return {
      store,
      history,
      pass: (milliseconds: number) => {
        time += milliseconds;
      },
      key: () => controlsKey(controlsNow(store)),
    };
  }

  test('go back and forth through all changes', () => {
    const { store, history, pass, key } = setUp();
    const seen = [key()];
    const changes: Partial<Controls>[] = [{ mask: 'causal' }, { off: [2] }, { temperature: 2 }];
    for (const change of changes) {
      apply(store, change);
      pass(1000);
      seen.push(key());
    }
    expect(history.canRedo).toBe(false);
    for (let at = 2; at >= 0; at--) {
      history.undo();
      expect(key()).toBe(seen[at]);
    }
    expect(history.canUndo).toBe(false);
    history.undo(); // nothing more
    for (let at = 1; at <= 3; at++) {
      history.redo();
      expect(key()).toBe(seen[at]);
    }
    expect(history.canRedo).toBe(false);
  });

  test('a new change forgets what was undone', () => {
    const { store, history, pass, key } = setUp();
    apply(store, { mask: 'causal' });
    pass(1000);
    history.undo();
    apply(store, { temperature: 3 });
    expect(history.canRedo).toBe(false);
    history.undo();
    expect(key()).toBe(controlsKey(DEFAULT_CONTROLS));
  });

  test('a slider that is pulled is one change', () => {
    const { store, history, pass, key } = setUp();
    for (const temperature of [1.1, 1.2, 1.3]) {
      apply(store, { temperature });
      pass(50);
    }
    history.undo();
    expect(key()).toBe(controlsKey(DEFAULT_CONTROLS));
  });

  test('texts and heads are not among the changes', () => {
    const { store, history } = setUp();
    apply(store, { text: 'b', layer: 2 });
    expect(history.canUndo).toBe(false);
  });
});
