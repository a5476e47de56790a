/** The controls of the mechanism: each changes what every head computes, says so, is in the link and can be undone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { look, open, outcome, retype, serveSite } from './harness/site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;
let page: TestPage<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
  page = await browser.open(server.url, { locale: 'en-US', reducedMotion: true });
  expect(await outcome(page)).toBe('ready');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  await page.native.mouse.move(0, 0); // a pointer that rests on the stage would aim
  await open(page, {
    text: 'The cat sat',
    model: 'minilm-en',
    layer: '2',
    head: '4',
    specials: '1',
  });
});

/** Rows of the head on the stage as it was computed, special tokens shown. */
const rows = () =>
  page.evaluate(async () => {
    await window.headlights!.ready;
    const run = window.headlights!.run!;
    const weights = await run.attention(2, 4);
    return Array.from({ length: run.queryLength }, (_, i) => [
      ...weights.slice(i * run.keyLength, (i + 1) * run.keyLength),
    ]);
  });

const said = () =>
  page.evaluate(() => document.querySelector('.changed')!.textContent!.replace(/\s+/g, ' ').trim());

/** Presses a button of the panel by its text, opening the panel first. */
async function press(label: string): Promise<void> {
  await openPanel();
  await page.evaluate(async (wanted: string) => {
    const panel = document.querySelector('hl-controls') as Element & {
      updateComplete: Promise<unknown>;
    };
    await panel.updateComplete;
    const buttons = [...panel.shadowRoot!.querySelectorAll('button')];
    buttons.find((button) => button.textContent!.trim() === wanted)!.click();
  }, label);
  await outcome(page);
}

async function openPanel(): Promise<void> {
  if (await page.evaluate(() => document.querySelector('hl-controls') === null))
    await page.click('.open-controls');
  await page.waitFor('the panel', () =>
    document.querySelector('hl-controls')?.shadowRoot?.querySelector('fieldset'),
  );
}

const isCausal = (weights: number[][]) =>
  weights.every((row, i) => row.every((weight, j) => (j <= i ? weight > 0 : weight === 0)));

describe('the mask', () => {
  it('is causal at a press, in all heads and in the link, and says that the model is not', async () => {
    expect(isCausal(await rows())).toBe(false);
    expect(await said()).toBe('');
    const before = (await look(page)).wall;
    await press('only back (causal)');
    expect(isCausal(await rows())).toBe(true);
    expect((await look(page)).wall).not.toBe(before);
    expect(await said()).toContain('mask causal, not what this model was trained with');
    await page.waitFor('the link', () => location.hash.includes('mask=causal'));
  });

  it('is a window of a radius', async () => {
    await open(page, { text: 'The cat sat', mask: 'window', radius: '1', model: 'minilm-en' });
    const weights = await rows();
    weights.forEach((row, i) => {
      row.forEach((weight, j) => {
        expect(weight > 0).toBe(Math.abs(i - j) <= 1);
      });
    });
    expect(await said()).toContain('window of ±1');
  });

  it('is drawn by keys, from what was there', async () => {
    await press('only back (causal)');
    await page.evaluate(() => {
      const grid = document
        .querySelector('hl-controls')!
        .shadowRoot!.querySelector('hl-mask-grid')!;
      grid.shadowRoot!.querySelector('canvas')!.focus();
    });
    await page.press('ArrowRight');
    await page.press('ArrowRight');
    await page.press(' ');
    await page.waitFor('the link', () => location.hash.includes('mask=drawn'));
    const weights = await rows();
    expect(weights[0]![2]).toBeGreaterThan(0); // opened
    expect(weights[0]![1]).toBe(0); // as causal had it
    expect(weights[1]![3]).toBe(0);
  });

  it('is drawn by dragging', async () => {
    await openPanel();
    const box = await page.evaluate(() => {
      const grid = document
        .querySelector('hl-controls')!
        .shadowRoot!.querySelector('hl-mask-grid')!;
      const canvas = grid.shadowRoot!.querySelector('canvas')!;
      canvas.scrollIntoView({ block: 'center' });
      const { left, top, width } = canvas.getBoundingClientRect();
      return { left, top, width };
    });
    const middle = (index: number) => (box.width * (index + 0.5)) / 5;
    const { mouse } = page.native;
    await mouse.move(box.left + middle(1), box.top + middle(3));
    await mouse.down();
    await mouse.move(box.left + middle(3), box.top + middle(3), { steps: 4 });
    await mouse.up();
    await page.waitFor('the link', () => location.hash.includes('mask=drawn'));
    const weights = await rows();
    expect(weights[3]!.map((weight) => weight > 0)).toEqual([true, false, false, false, true]);
    expect(weights[2]!.every((weight) => weight > 0)).toBe(true);
  });
});

describe('a hidden token', () => {
  it('is looked at by nobody; Delete on the stage hides it and shows it again', async () => {
    await page.evaluate(() => {
      const beams = document.querySelector('hl-stage')!.shadowRoot!.querySelector('hl-beams')!;
      const token = [...beams.shadowRoot!.querySelectorAll<SVGElement | HTMLElement>('[tabindex]')];
      token
        .find((one) => one.textContent!.includes('cat') || one.ariaLabel?.includes('cat'))!
        .focus();
    });
    await page.press('Delete');
    await outcome(page);
    await page.waitFor('the link', () => location.hash.includes('off=2'));
    expect((await rows()).every((row) => row[2] === 0)).toBe(true);
    expect(await said()).toContain('one token hidden');
    await page.press('Delete');
    await outcome(page);
    expect((await rows()).every((row) => row[2]! > 0)).toBe(true);
  });

  it('is hidden by a double click on the stage as well', async () => {
    await page.native.evaluate(() => scrollTo(0, 0));
    const token = page.native.locator('hl-beams button[data-index="2"]');
    await token.dblclick();
    await outcome(page);
    await page.waitFor('the link', () => location.hash.includes('off=2'));
    expect((await rows()).every((row) => row[2] === 0)).toBe(true);
    await page.native.mouse.move(0, 0);
  });

  it('is named in the panel, where it comes back', async () => {
    await open(page, { text: 'The cat sat', off: '2,4', model: 'minilm-en' });
    await openPanel();
    const chips = () =>
      page.evaluate(() =>
        [...document.querySelector('hl-controls')!.shadowRoot!.querySelectorAll('.chip')].map(
          (chip) => chip.textContent!.trim(),
        ),
      );
    expect(await chips()).toEqual(['cat', '[SEP]']);
    await press('cat');
    expect(await chips()).toEqual(['[SEP]']);
    expect((await rows()).every((row) => row[2]! > 0 && row[4] === 0)).toBe(true);
  });
});

describe('temperature and positions', () => {
  it('change every row and say so', async () => {
    const before = await rows();
    await open(page, { text: 'The cat sat', temperature: '20', model: 'minilm-en' });
    const hot = await rows();
    hot.forEach((row) => {
      expect(Math.max(...row)).toBeLessThan(0.5); // nearly even over five tokens
    });
    expect(await said()).toContain('temperature 20');
    await open(page, { text: 'The cat sat', positions: '0', model: 'minilm-en' });
    expect(await rows()).not.toEqual(before);
    expect(await said()).toContain('no positions');
  });

  it.each([
    'temperature=0',
    'temperature=x',
    'radius=-1',
    'mask=odd',
    'cells=9',
    'off=a',
    'quad=c',
  ])('written wrongly (%s) fall back with a note', async (part) => {
    const [key, value] = part.split('=') as [string, string];
    await open(page, { text: 'The cat sat', model: 'minilm-en', [key]: value });
    expect((await look(page)).notes.join(' ')).toContain(key);
    expect(await said()).toBe('');
  });
});

describe('undo and redo', () => {
  it('go through the changes, by buttons and by keys', async () => {
    await press('only back (causal)');
    await press('near by (window)');
    await press('Undo');
    expect(await said()).toContain('causal');
    await press('Undo');
    expect(await said()).toBe('');
    await press('Redo');
    expect(await said()).toContain('causal');
    await page.click('.open-controls'); // not a text field
    await page.press('Control+z');
    await outcome(page);
    expect(await said()).toBe('');
    await page.press('Control+y');
    await outcome(page);
    expect(await said()).toContain('causal');
    await page.click('.changed button');
    await outcome(page);
    expect(await said()).toBe('');
    expect(isCausal(await rows())).toBe(false);
  });

  it('leave the text field’s own undo alone', async () => {
    await press('only back (causal)');
    await page.click('textarea');
    await page.press('Control+z');
    expect(await said()).toContain('causal');
  });
});

describe('the text', () => {
  it('may be typed on under any mask', async () => {
    await open(page, {
      text: 'The cat sat',
      mask: 'drawn',
      cells: '2.Ag',
      off: '9',
      model: 'minilm-en',
    });
    await retype(page, 'Birds sing in the old tree every morning');
    expect(await outcome(page)).toBe('ready');
    const weights = await rows();
    expect(weights[0]![1]).toBe(0); // the drawn place
    expect(weights.every((row) => row[9] === 0)).toBe(true); // the hidden token that is there now
    await retype(page, 'ok');
    expect(await outcome(page)).toBe('ready');
    expect(page.errors).toEqual([]);
  });
});

describe('an example', () => {
  it('shows the model as it is, whatever was changed before', async () => {
    await open(page, { text: 'The cat sat', mask: 'causal', temperature: '2', model: 'minilm-en' });
    expect(await said()).toContain('causal');
    await page.evaluate(() => {
      document.querySelector('hl-examples')!.shadowRoot!.querySelector('button')!.click();
    });
    await outcome(page);
    expect(await said()).toBe('');
  });
});

describe('two texts', () => {
  it('are shown by quadrants', async () => {
    await open(page, {
      text: 'The cat',
      pair: 'It slept',
      quad: 'ab',
      model: 'minilm-en',
      specials: '1',
    });
    const seen = await page.evaluate(() => {
      const stage = document.querySelector('hl-stage') as unknown as {
        picture: {
          tokens: { segment: 0 | 1 }[];
          weights(choice: { layer: number; head: number }): Float32Array;
        };
      };
      const { tokens } = stage.picture;
      const weights = stage.picture.weights({ layer: 1, head: 3 });
      const n = tokens.length;
      return tokens.flatMap((from, i) =>
        tokens.map((to, j) => ({
          from: from.segment,
          to: to.segment,
          weight: weights[i * n + j]!,
        })),
      );
    });
    for (const { from, to, weight } of seen) expect(weight > 0).toBe(from === 0 && to === 1);
    expect(await said()).toContain('only A → B');
  });
});

describe('axe finds nothing in the panel', () => {
  it.each([
    ['light', 'en-US', 1440, false],
    ['dark', 'zh-CN', 390, true],
  ] as const)('%s, %s', async (colorScheme, locale, width, mobile) => {
    const fragment = '#text=a%20b&pair=c&mask=window&off=1&temperature=2&model=minilm-en';
    const own = await browser.open(`${server.url}${fragment}`, {
      colorScheme,
      locale,
      width,
      mobile,
    });
    expect(await outcome(own)).toBe('ready');
    await own.waitFor('the panel', () =>
      document.querySelector('hl-controls')?.shadowRoot?.querySelector('fieldset'),
    );
    await own.native.evaluate(AXE);
    const { violations } = (await own.native.evaluate('axe.run()')) as AxeResults;
    expect(
      violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
      ),
    ).toEqual([]);
    expect(own.errors).toEqual([]);
    await own.close();
  });
});
