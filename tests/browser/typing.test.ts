/** Typing in the explorer: every keystroke is seen, nothing is lost, input methods are left alone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import { pause, type TestBrowser, type TestPage } from './harness/page.ts';
import { look, open, outcome, retype, serveSite } from './harness/site.ts';

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;
let page: TestPage<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
  page = await browser.open(server.url);
  expect(await outcome(page)).toBe('ready');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('the first visit', () => {
  it('shows an example with every head drawn, and says what the page is', async () => {
    const seen = await look(page);
    expect(seen.text).toBe("The animal didn't cross the street because it was too tired.");
    expect(seen.drawn).toBe(seen.text);
    expect(seen.layersDrawn).toBe(6);
    expect(seen.notes).toEqual([]);
    expect(await page.evaluate(() => document.querySelector('h1')?.textContent)).toContain(
      'every attention head',
    );
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  });

  it('asks nothing of any other origin, and nothing is blocked or logged', async () => {
    const { origin } = new URL(server.url);
    expect(page.requests.length).toBeGreaterThan(5);
    expect(page.requests.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    expect(page.errors).toEqual([]);
  });

  it('runs in a worker and offers its objects to the console', async () => {
    const facts = await page.evaluate(async () => {
      const { engine, model, run, state } = window.headlights!;
      const weights = await run!.attention(state.layer as number, state.head as number);
      const row = weights.slice(0, run!.keyLength);
      return {
        thread: engine!.thread,
        model: model!.info.id,
        tokens: run!.tokens.length,
        state: [state.model, state.layer, state.head],
        sum: row.reduce((a, b) => a + b, 0),
      };
    });
    expect(facts).toMatchObject({
      thread: 'worker',
      model: 'minilm-en',
      tokens: 16,
      state: ['minilm-en', 3, 1],
    });
    expect(facts.sum).toBeCloseTo(1, 5);
  });
});

describe('typing', () => {
  beforeEach(async () => {
    await open(page, { text: 'A dog', model: 'minilm-en' });
  });

  it('changes the wall and the marks with every keystroke, and measures it', async () => {
    await page.evaluate(() => performance.clearMeasures('headlights:keystroke'));
    await page.click('textarea');
    await page.press('End');
    const walls = new Set([(await look(page)).wall]);
    for (const letter of ' ran') {
      await page.type(letter);
      await outcome(page);
      const seen = await look(page);
      expect(seen.drawn).toBe(seen.text);
      walls.add(seen.wall);
    }
    // A space after a word adds no token; each letter does.
    expect(walls.size).toBe(4);
    expect((await look(page)).marks).toEqual(['A', 'dog', 'ran']);
    const measured = await page.evaluate(() =>
      performance
        .getEntriesByName('headlights:keystroke')
        .map((entry) => [entry.startTime > 0, entry.duration > 0]),
    );
    expect(measured).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [true, true],
    ]);
  });

  it('keeps the caret where it is while it types inside the text', async () => {
    await page.click('textarea');
    await page.press('Home');
    await page.press('ArrowRight');
    await page.type(' big');
    await outcome(page);
    expect((await look(page)).text).toBe('A big dog');
  });

  it('marks the pieces of a word under the characters as they were typed', async () => {
    await retype(page, "Naïve cats didn't");
    await outcome(page);
    const seen = await look(page);
    expect(seen.marks.join('')).toBe("Naïvecatsdidn't");
    expect(seen.marks.slice(0, 2)).toEqual(['Naïve', 'cats']);
    expect(seen.marks.slice(2)).toEqual(['didn', "'", 't']);
  });

  it('puts the marks exactly under the letters of the text field', async () => {
    await open(page, { text: 'The quick brown fox jumps over the lazy dog. '.repeat(6) });
    const off = await page.evaluate(() => {
      const root = document.querySelector('hl-sentence')!.shadowRoot!;
      const [area, sheet] = [root.querySelector('textarea')!, root.querySelector('.sheet')!];
      const [a, b] = [getComputedStyle(area), getComputedStyle(sheet)];
      const same = [
        'fontFamily',
        'fontSize',
        'lineHeight',
        'letterSpacing',
        'paddingLeft',
      ] as const;
      return {
        styles: same.filter((name) => a[name] !== b[name]),
        // The sheet's height decides; a textarea that broke its lines elsewhere would overflow.
        overflow: area.scrollHeight - area.clientHeight,
        width: area.clientWidth - sheet.clientWidth,
      };
    });
    expect(off).toEqual({ styles: [], overflow: 0, width: 0 });
  });

  it('takes pasted HTML as text', async () => {
    await page.native.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => {
      const html = new Blob(['<b>bold</b> <img src=x onerror="window.hurt = true">'], {
        type: 'text/html',
      });
      const plain = new Blob(['<b>bold</b> words'], { type: 'text/plain' });
      return navigator.clipboard.write([
        new ClipboardItem({ 'text/html': html, 'text/plain': plain }),
      ]);
    });
    await retype(page, 'x');
    await page.press('Control+a');
    await page.press('Control+v');
    await outcome(page);
    const seen = await look(page);
    expect(seen.text).toBe('<b>bold</b> words');
    expect(seen.drawn).toBe(seen.text);
    const inside = await page.evaluate(() => [
      document.querySelector('hl-sentence')!.shadowRoot!.querySelectorAll('b, img').length,
      'hurt' in window,
    ]);
    expect(inside).toEqual([0, false]);
  });

  it('writes the link a moment later, and the link brings the text back', async () => {
    await retype(page, 'Links keep 1+1 & more');
    await outcome(page);
    await page.waitFor('the link', () => location.hash.includes('Links'));
    const hash = await page.evaluate(() => location.hash);
    expect(hash).toContain('text=Links%20keep%201%2B1%20%26%20more');
    await page.goto(`${server.url}?again${hash}`);
    await outcome(page);
    expect((await look(page)).text).toBe('Links keep 1+1 & more');
  });
});

describe('input methods', () => {
  it('are not disturbed, and the heads follow when they commit', async () => {
    await open(page, { text: '我爱', model: 'bge-zh' });
    await page.click('textarea');
    await page.press('End');
    const devtools = await page.native.context().newCDPSession(page.native);
    const compose = (text: string) =>
      devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    const before = (await look(page)).wall;
    for (const text of ['z', 'zi', 'zi r', 'zi ran']) {
      await compose(text);
      await pause(60);
      const seen = await look(page);
      expect(seen.text).toBe(`我爱${text}`);
      expect(seen.wall).toBe(before);
      expect(await page.evaluate(() => window.headlights!.run!.tokens.length)).toBe(4);
    }
    await devtools.send('Input.insertText', { text: '自然' });
    await page.waitFor('the committed text', () => window.headlights!.run?.tokens.length === 6);
    const after = await look(page);
    expect([after.text, after.marks.join('')]).toEqual(['我爱自然', '我爱自然']);
    expect(after.wall).not.toBe(before);
    expect(await page.evaluate(() => window.headlights!.state.model)).toBe('bge-zh');
  });
});

describe('models', () => {
  it('Chinese text is given to the Chinese model until the reader chooses', async () => {
    await open(page, { text: 'The cat' });
    expect(await page.evaluate(() => window.headlights!.state.model)).toBe('minilm-en');
    await retype(page, '猫追老鼠');
    expect(await outcome(page)).toBe('ready');
    expect(await page.evaluate(() => window.headlights!.model!.info.id)).toBe('bge-zh');
    expect((await look(page)).notes.join()).toContain('Chinese');
    await page.click("[data-id='minilm-en']");
    expect(await outcome(page)).toBe('ready');
    await retype(page, '小猫坐在垫子上');
    expect(await outcome(page)).toBe('ready');
    expect(await page.evaluate(() => window.headlights!.model!.info.id)).toBe('minilm-en');
    expect((await look(page)).notes.join()).toContain('This looks like Chinese');
  });

  it('a piece that is not in the vocabulary is shown as typed, with the reason', async () => {
    await open(page, { text: '我用 GPU', model: 'bge-zh' });
    const seen = await look(page);
    expect(seen.marks).toEqual(['我', '用', 'GPU']);
    expect(seen.notes.join()).toContain('“GPU”');
    expect(seen.notes.join()).toContain('capital Latin letters');
  });

  it('an example brings its own text, model and head', async () => {
    await open(page, { text: 'x' });
    await page.click('.line button[aria-expanded]');
    await page.click(".all button[lang='zh-Hans']");
    expect(await outcome(page)).toBe('ready');
    expect(await page.evaluate(() => window.headlights!.state)).toMatchObject({
      text: '我爱自然语言处理',
      model: 'bge-zh',
      layer: 0,
      head: 0,
      query: 8,
    });
  });
});

describe('links', () => {
  it('ready is a new promise for every change, and waits for the new picture', async () => {
    await open(page, { text: 'one' });
    const [different, tokens] = await page.evaluate(async () => {
      const before = window.headlights!.ready;
      location.hash = 'text=one%20two%20three&layer=2&head=5&view=matrix';
      const after = window.headlights!.ready;
      await after;
      return [before !== after, window.headlights!.run!.tokens.length];
    });
    expect([different, tokens]).toEqual([true, 5]);
    expect(await page.evaluate(() => window.headlights!.state)).toMatchObject({
      layer: 2,
      head: 5,
      view: 'matrix',
    });
  });

  it('a value that cannot be read falls back and is said', async () => {
    await open(page, { text: 'ok', view: '3d', later: '1' });
    expect(await page.evaluate(() => window.headlights!.state.view)).toBe('beams');
    const { notes } = await look(page);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('view');
  });
});

describe('what is typed stays', () => {
  it('through a reload, even one that comes before the link is written', async () => {
    const own = await browser.open(server.url);
    await outcome(own);
    await retype(own, 'Do not lose me');
    await own.native.reload();
    await outcome(own);
    expect((await look(own)).text).toBe('Do not lose me');
    await own.close();
  });

  it('through a change of the language', async () => {
    await open(page, { text: 'Stay here' });
    await page.click("button[lang='zh-Hans']");
    await page.waitFor('Chinese', () => document.documentElement.lang === 'zh-Hans');
    const seen = await look(page);
    expect(seen.text).toBe('Stay here');
    expect(await page.evaluate(() => document.querySelector('h1')?.textContent)).toContain(
      '注意力头',
    );
    expect(await page.evaluate(() => window.headlights!.state.lang)).toBe('zh');
    await page.click("button[lang='en']");
  });

  it('through a crash of the tab', async () => {
    const own = await browser.open(server.url);
    await outcome(own);
    await retype(own, 'Crash proof');
    await outcome(own);
    await own.waitFor('the link', () => location.hash.includes('Crash'));
    const url = await own.evaluate(() => location.href);
    const crashed = new Promise((done) => own.native.once('crash', done));
    await own.native.goto('chrome://crash').catch(() => {});
    await crashed;
    const again = await own.native.context().newPage();
    await again.goto(url.replace(/#.*/, ''));
    await again.waitForFunction(() => window.headlights?.run);
    const text = await again.evaluate(() => window.headlights!.state.text);
    expect(text).toBe('Crash proof');
    await own.close();
  });
});
