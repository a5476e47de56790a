/** What a newcomer does first: clicks words, presses heads, reads what is said, and is not misled or left alone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { PageOptions, TestBrowser, TestPage } from './harness/page.ts';
import { look, open, outcome, retype, serveSite } from './harness/site.ts';

const CAT = { text: 'The cat sat on the mat', layer: '3', head: '1', model: 'minilm-en' };

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

const query = (of = page) => of.evaluate(() => window.headlights!.state.query);
const state = (of = page) => of.evaluate(() => window.headlights!.state);

/** Where a word of the sentence is. */
async function wordAt(word: string, of = page): Promise<{ x: number; y: number }> {
  const mark = of.native.locator('hl-sentence .mark', { hasText: word }).first();
  await mark.waitFor();
  const box = (await mark.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const field = (of = page) =>
  of.evaluate(() => {
    const { selectionStart, selectionEnd, value } = document
      .querySelector('hl-sentence')!
      .shadowRoot!.querySelector('textarea')!;
    return { selected: value.slice(selectionStart, selectionEnd), at: selectionStart };
  });

const hint = async () => (await look(page)).hint.replace(/\s+/g, ' ');

describe('a mouse in the sentence', () => {
  it('pins the word that it clicks, puts the cursor there, and releases it at the second click', async () => {
    await open(page, CAT);
    const { x, y } = await wordAt('sat');
    await page.native.mouse.click(x, y);
    expect(await query()).toBe(3);
    const { at } = await field();
    expect(at).toBeGreaterThanOrEqual(8);
    expect(at).toBeLessThanOrEqual(11);
    await page.native.waitForTimeout(600); // not a double-click
    await page.native.mouse.click(x, y);
    expect(await query()).toBeNull();
  });

  it('edits as in any text field: what is typed at the click goes there, and the pin stays', async () => {
    await open(page, CAT);
    const { x, y } = await wordAt('mat');
    await page.native.mouse.click(x, y);
    expect(await query()).toBe(6);
    await page.press('End');
    await page.type(' now');
    await outcome(page);
    expect((await look(page)).text).toBe('The cat sat on the mat now');
    expect(await query()).toBe(6);
  });

  it('selects by dragging without pinning', async () => {
    await open(page, CAT);
    const from = await wordAt('cat');
    const to = await wordAt('on');
    await page.native.mouse.move(from.x, from.y);
    await page.native.mouse.down();
    await page.native.mouse.move(to.x, to.y, { steps: 4 });
    await page.native.mouse.up();
    expect((await field()).selected).toContain('sat');
    expect(await query()).toBeNull();
  });

  it('selects a word by a double-click, and pins nothing by it', async () => {
    await open(page, CAT);
    const { x, y } = await wordAt('cat');
    await page.native.mouse.dblclick(x, y);
    expect((await field()).selected.trim()).toBe('cat');
    expect(await query()).toBeNull();
  });

  it('pins nothing beside the words', async () => {
    await open(page, CAT);
    const box = (await page.native.locator('hl-sentence textarea').boundingBox())!;
    await page.native.mouse.click(box.x + box.width - 12, box.y + box.height / 2);
    expect(await query()).toBeNull();
  });
});

describe('the line under the sentence', () => {
  it('says what a click does now', async () => {
    await open(page, CAT);
    await page.native.mouse.move(5, 5);
    await page.waitFor('nothing is aimed at', () =>
      document.querySelector('.hint')!.textContent!.includes('Point at a word'),
    );
    const { x, y } = await wordAt('sat');
    await page.native.mouse.move(x, y);
    expect(await hint()).toBe('Click “sat” to pin it.');
    await page.native.mouse.click(x, y);
    expect(await hint()).toContain('Click it again to release it.');
    const cat = await wordAt('cat');
    await page.native.mouse.move(cat.x, cat.y);
    expect(await hint()).toContain('Click “cat” to pin it instead of “sat”.');
    await page.native.mouse.move(5, 5);
    expect(await hint()).toContain('“sat” is pinned.');
    expect(await hint()).not.toContain('Point at');
  });

  it('speaks of taps to fingers', async () => {
    const phone = await browser.open(`${server.url}#text=The%20cat%20sat`, {
      width: 390,
      mobile: true,
    });
    expect(await outcome(phone)).toBe('ready');
    const said = (await look(phone)).hint;
    expect(said).toContain('Tap a word');
    expect(said).not.toContain('Point');
    await phone.close();
  });
});

describe('a head pressed on a phone', () => {
  const PHONE: PageOptions = { width: 390, height: 844, mobile: true };
  const stageTop = (of: TestPage) =>
    of.evaluate(() => document.querySelector('hl-stage')!.getBoundingClientRect().top);

  it.each([
    ['with movement', {}],
    ['for those who prefer no movement', { reducedMotion: true }],
  ])('brings the stage into sight, %s, and the way back is one tap', async (_, options) => {
    const phone = await browser.open(`${server.url}#text=The%20cat`, { ...PHONE, ...options });
    expect(await outcome(phone)).toBe('ready');
    expect(await stageTop(phone)).toBeGreaterThan(844 / 2);
    await phone.native.locator('hl-head-wall [data-index="30"]').tap();
    await phone.waitFor('the stage', () => {
      const { top } = document.querySelector('hl-stage')!.getBoundingClientRect();
      return top >= 0 && top < innerHeight / 3;
    });
    expect(await state(phone)).toMatchObject({ layer: 2, head: 6 });
    await phone.native.locator('.to-heads').tap();
    await phone.waitFor('the wall', () => {
      const { top } = document.querySelector('#heads')!.getBoundingClientRect();
      return top >= 0 && top < innerHeight / 3;
    });
    await phone.close();
  });

  it('leaves the page where it is when keys choose the head', async () => {
    const phone = await browser.open(`${server.url}#text=The%20cat`, PHONE);
    expect(await outcome(phone)).toBe('ready');
    await phone.evaluate(() => {
      const wall = document.querySelector('hl-head-wall')!.shadowRoot!;
      wall.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')!.focus();
    });
    const before = await phone.evaluate(() => scrollY);
    await phone.press('ArrowRight');
    await phone.press('Enter');
    await phone.native.waitForTimeout(500);
    expect(await phone.evaluate(() => scrollY)).toBe(before);
    await phone.close();
  });
});

describe('attention to hidden tokens', () => {
  const STUDENTS = 'The students who passed the exam thanked their teacher.';
  const said = () =>
    page.evaluate(() => {
      const share = document
        .querySelector('hl-stage')!
        .shadowRoot!.querySelector('hl-hidden-share');
      return share ? share.shadowRoot!.textContent!.replace(/\s+/g, ' ').trim() : null;
    });

  it('is said with its amount where the head is named, and shown at one click', async () => {
    await open(page, { text: STUDENTS, layer: '3', head: '1', query: '4', model: 'minilm-en' });
    expect(await said()).toContain('“passed” gives 77% of its attention to [CLS] and [SEP]');
    await page.native.locator('hl-hidden-share button').click();
    await outcome(page);
    expect(await state()).toMatchObject({ specials: true });
    expect(await said()).toBeNull();
    await page.click('input[name="specials"]');
  });

  it('takes its share of the light: beams are as wide as what is left', async () => {
    await open(page, { text: STUDENTS, layer: '3', head: '1', query: '4', model: 'minilm-en' });
    const beams = page.native.locator('hl-beams');
    expect(await beams.locator('.hidden-end').textContent()).toContain('77%');
    expect(await beams.locator('path.hidden-beam').count()).toBe(1);
    await open(page, { text: STUDENTS, layer: '3', head: '1', query: '8', model: 'minilm-en' });
    expect(await beams.locator('path.hidden-beam').count()).toBe(0); // 2%
  });

  it('is never contradicted: what is usual for [CLS] is only said where the picture agrees', async () => {
    const notes = () => page.native.locator('hl-stage .note').allTextContents();
    await open(page, { text: STUDENTS, layer: '3', head: '1', query: '8', model: 'minilm-en' });
    expect((await notes()).join()).not.toContain('38–51%');
    await open(page, { text: STUDENTS, layer: '3', head: '1', query: '4', model: 'minilm-en' });
    expect((await notes()).join()).toContain('38–51%');
  });
});

describe('notes', () => {
  const heads = () =>
    page.evaluate(() => document.querySelector('#heads')!.getBoundingClientRect().top + scrollY);

  it('come and go while typing without moving the heads', async () => {
    await open(page, { text: 'The cat', layer: '3', head: '1' });
    const before = await heads();
    await retype(page, '猫追老鼠');
    await outcome(page);
    expect((await look(page)).notes.join()).toContain('Chinese');
    expect(await heads()).toBe(before);
    await page.press('Control+a');
    await page.press('Backspace');
    await outcome(page);
    expect((await look(page)).notes).toEqual([]);
    expect(await heads()).toBe(before);
  });

  it('stand two at most, the others one click away', async () => {
    await open(page, { text: 'A 🦄', model: 'bge-zh', view: 'none', sort: 'none', theme: 'none' });
    expect((await look(page)).notes).toHaveLength(2);
    await page.click('.more button');
    expect((await look(page)).notes.length).toBeGreaterThan(3);
    await open(page, { text: 'The cat' });
    expect((await look(page)).notes).toEqual([]);
  });
});

describe('a model that does not come', () => {
  it('is named at the wall and on the stage, with the way to try again', async () => {
    const broken = await browser.open('about:blank');
    await broken.native.route('**/model.gguf', (route) => route.fulfill({ status: 404 }));
    await broken.goto(server.url);
    expect(await outcome(broken)).toContain('not-found');
    const told = () =>
      broken.evaluate(() =>
        ['hl-head-wall .status', 'hl-stage .empty'].map((path) => {
          const [host, inner] = path.split(' ');
          return document.querySelector(host!)!.shadowRoot!.querySelector(inner!)!.textContent!;
        }),
      );
    for (const text of await told()) {
      expect(text).not.toContain('loading');
      expect(text).toContain('A file of the model is not there');
      expect(text).toContain('Retry');
    }
    await broken.native.unroute('**/model.gguf');
    await broken.native.locator('hl-head-wall .status button').click();
    expect(await outcome(broken)).toBe('ready');
    const [wall] = await told().catch(() => ['']);
    expect(wall).not.toContain('Retry');
    await broken.close();
  });
});

describe('the Tab key', () => {
  it('goes from region to region: seven stops from the text to the views of the stage', async () => {
    await open(page, CAT);
    await page.native.locator('hl-sentence textarea').focus();
    const stops: string[] = [];
    for (let stop = 0; stop < 40; stop += 1) {
      await page.press('Tab');
      const at = await page.evaluate(() => {
        let element = document.activeElement!;
        while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return `${element.getAttribute('role') ?? element.localName} ${element.textContent!.trim().slice(0, 24)}`;
      });
      stops.push(at);
      if (at.startsWith('tab ')) break;
    }
    expect(stops.at(-1)).toContain('tab Beams');
    // Tokens, second text, examples, order, heads, roles, and the views.
    expect(stops.length, stops.join('\n')).toBeLessThanOrEqual(7);
  });

  it('leaves the other orders of the wall to the arrow keys', async () => {
    await open(page, CAT);
    await page.native.locator('hl-head-wall .bar button[aria-pressed="true"]').focus();
    await page.press('ArrowRight');
    await page.press('Enter');
    expect(await state()).toMatchObject({ sort: 'role' });
    const stops = await page.native.locator('hl-head-wall .bar button[tabindex="0"]').count();
    expect(stops).toBe(1);
  });
});

describe('in forced colours', () => {
  it('what is chosen looks chosen', async () => {
    const plain = await browser.open('about:blank');
    await plain.native.emulateMedia({ forcedColors: 'active' });
    await plain.goto(`${server.url}#text=The%20cat`);
    expect(await outcome(plain)).toBe('ready');
    const looks = await plain.evaluate(() => {
      const look = (host: string, selector: string) => {
        const found = document.querySelector(host)!.shadowRoot!.querySelector(selector)!;
        const style = getComputedStyle(found);
        return [style.backgroundColor, style.outlineStyle, style.outlineWidth].join(' ');
      };
      return [
        [
          look('hl-stage', '[role="tab"][aria-selected="true"]'),
          look('hl-stage', '[role="tab"][aria-selected="false"]'),
        ],
        [look('hl-stage', '[aria-pressed="true"]'), look('hl-stage', '[aria-pressed="false"]')],
        [
          look('hl-head-wall', '.bar [aria-pressed="true"]'),
          look('hl-head-wall', '.bar [aria-pressed="false"]'),
        ],
        [
          look('hl-model-picker', '[aria-checked="true"]'),
          look('hl-model-picker', '[aria-checked="false"]'),
        ],
        [
          look('hl-head-wall', '.roles [aria-pressed="true"]'),
          look('hl-head-wall', '.roles [aria-pressed="false"]'),
        ],
        [
          look('hl-head-wall', '[aria-selected="true"]'),
          look('hl-head-wall', '.cell[aria-selected="false"]'),
        ],
      ];
    });
    for (const [chosen, other] of looks) expect(chosen).not.toBe(other);
    await plain.close();
  });
});

describe('beside a stage that is taller than the window', () => {
  it('the wall stays in sight', async () => {
    const wide = await browser.open(`${server.url}#text=The%20cat%20sat&also=0.1,1.2,2.3`, {
      width: 1440,
      height: 800,
    });
    expect(await outcome(wide)).toBe('ready');
    const places = await wide.evaluate(() => {
      const stage = document.querySelector('.stage')!.getBoundingClientRect();
      scrollTo(0, stage.bottom + scrollY - innerHeight);
      const wall = document.querySelector('hl-head-wall')!.getBoundingClientRect();
      return { top: wall.top, scrolled: scrollY };
    });
    expect(places.scrolled).toBeGreaterThan(400);
    expect(places.top).toBeGreaterThanOrEqual(0);
    await wide.close();
  });
});

describe('a text of 700 words', () => {
  const LONG = Array.from({ length: 700 }, (_, i) => ['the', 'cat', 'saw', 'a', 'dog'][i % 5]).join(
    ' ',
  );
  const words = () => page.native.locator('hl-beams [data-index]').count();

  it('shows a window of its lines around the lit word, and all of them at a click', async () => {
    await open(page, { text: LONG, layer: '3', head: '1', query: '300', model: 'minilm-en' });
    const stage = await page.native.locator('hl-beams').boundingBox();
    expect(stage!.height).toBeLessThan(800);
    expect(await page.native.locator('hl-beams [data-index="299"]').count()).toBe(1);
    const few = await words();
    expect(await page.native.locator('hl-beams .lines').textContent()).toContain('Lines');
    await page.native.locator('hl-beams .lines .link').last().click();
    expect(await words()).toBe(510);
    await page.native.locator('hl-beams .lines .link').last().click();
    expect(await words()).toBe(few);
  });

  it('is walked through with the arrow keys, past the end of the window', async () => {
    await open(page, { text: LONG, layer: '3', head: '1', query: '300', model: 'minilm-en' });
    const last = page.native.locator('hl-beams [data-index]').last();
    const index = Number(await last.getAttribute('data-index'));
    await last.focus();
    await page.press('ArrowRight');
    await page.native.waitForTimeout(100);
    const at = await page.evaluate(() => {
      const beams = document.querySelector('hl-stage')!.shadowRoot!.querySelector('hl-beams')!;
      return beams.shadowRoot!.activeElement?.getAttribute('data-index');
    });
    expect(at).toBe(String(index + 1));
  });

  it('fits its matrix into the window, with cells that can be enlarged until names show', async () => {
    await open(page, { text: LONG, layer: '3', head: '1', view: 'matrix', model: 'minilm-en' });
    const matrix = page.native.locator('hl-matrix');
    expect((await matrix.locator('.scroll').boundingBox())!.height).toBeLessThan(800);
    await matrix.getByLabel('Larger').click();
    await matrix.getByLabel('Larger').click();
    expect((await matrix.locator('.scroll').boundingBox())!.height).toBeLessThan(800);
  });
});
