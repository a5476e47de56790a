/** The start page for keyboard and screen reader: no violation that axe finds, every token reachable. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './harness/chromium.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';
import { open, outcome, serveSite } from './harness/site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let server: Awaited<ReturnType<typeof serveSite>>;
let browser: TestBrowser<Page>;

beforeAll(async () => {
  server = await serveSite();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function violations(page: TestPage<Page>): Promise<string[]> {
  // Through the debugger, as an extension would: the page's policy stays as it is.
  await page.native.evaluate(AXE);
  const results = (await page.native.evaluate('axe.run()')) as AxeResults;
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`,
  );
}

describe('axe finds nothing', () => {
  it.each([
    ['light, English, wide', { colorScheme: 'light', locale: 'en-US', width: 1440 }],
    ['dark, English, wide', { colorScheme: 'dark', locale: 'en-US', width: 1440 }],
    ['light, Chinese, phone', { colorScheme: 'light', locale: 'zh-CN', width: 390, mobile: true }],
    ['dark, Chinese, phone', { colorScheme: 'dark', locale: 'zh-CN', width: 390, mobile: true }],
  ] as const)('%s', async (_name, options) => {
    const page = await browser.open(server.url, options);
    expect(await outcome(page)).toBe('ready');
    expect(await violations(page)).toEqual([]);
    for (const view of ['matrix', 'columns', 'token']) {
      await open(page, { text: 'The cat sat on the mat', view, specials: '1' });
      expect(await violations(page), view).toEqual([]);
    }
    await page.close();
  });

  it('with notes, two texts and all examples on screen', async () => {
    const page = await browser.open(`${server.url}#text=A%20B&pair=C&model=bge-zh&view=none`);
    expect(await outcome(page)).toBe('ready');
    await page.click('.line button[aria-expanded]');
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});

describe('the keyboard', () => {
  it('reaches every token, aims, pins and releases', async () => {
    const page = await browser.open(`${server.url}#text=The%20cat%20sat&layer=3&head=1`);
    await outcome(page);
    await page.click('textarea');
    await page.press('Tab');
    const focused = () =>
      page.evaluate(() => {
        const mark = document.querySelector('hl-sentence')!.shadowRoot!.activeElement!;
        return [mark.textContent, mark.getAttribute('aria-pressed')];
      });
    expect(await focused()).toEqual(['The', 'false']);
    await page.press('ArrowRight');
    await page.press('ArrowRight');
    expect(await focused()).toEqual(['sat', 'false']);
    await page.press('Enter');
    expect(await page.evaluate(() => window.headlights!.state.query)).toBe(3);
    expect(await focused()).toEqual(['sat', 'true']);
    await page.press('Escape');
    expect(await page.evaluate(() => window.headlights!.state.query)).toBeNull();
    await page.close();
  });

  it('skips to the heads without changing the link', async () => {
    const page = await browser.open(`${server.url}#text=The%20cat`);
    await outcome(page);
    const hash = await page.evaluate(() => location.hash);
    await page.press('Tab');
    await page.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('heads');
    expect(await page.evaluate(() => location.hash)).toBe(hash);
    await page.close();
  });

  it('chooses a head and a view', async () => {
    const page = await browser.open(`${server.url}#text=The%20cat&layer=3&head=1`);
    await outcome(page);
    await page.evaluate(() => {
      const wall = document.querySelector('hl-head-wall')!.shadowRoot!;
      wall.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')!.focus();
    });
    await page.press('ArrowDown');
    await page.press('Enter');
    const { layer, head } = await page.evaluate(() => window.headlights!.state);
    expect([layer, head]).not.toEqual([3, 1]);
    await page.close();
  });
});

describe('the page', () => {
  it('does not move for those who prefer that, and has no sideways scroll on a phone', async () => {
    const page = await browser.open(server.url, { width: 390, mobile: true, reducedMotion: true });
    await outcome(page);
    const facts = await page.evaluate(() => [
      document.documentElement.scrollWidth <= innerWidth,
      document.getAnimations().length,
    ]);
    expect(facts).toEqual([true, 0]);
    await page.close();
  });

  it('lets a finger pin the word that it taps', async () => {
    const page = await browser.open(`${server.url}#text=The%20cat%20sat%20on%20the%20mat`, {
      width: 390,
      mobile: true,
    });
    expect(await outcome(page)).toBe('ready');
    await page.native.locator('hl-sentence .mark').nth(2).waitFor();
    const box = (await page.native.locator('hl-sentence .mark').nth(2).boundingBox())!;
    await page.native.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitFor('the tapped word is pinned', () => window.headlights!.state.query === 3);
    await page.close();
  });

  it('puts the cursor into a second text that is added', async () => {
    const page = await browser.open(`${server.url}#text=The%20cat%20sat`, { width: 1440 });
    expect(await outcome(page)).toBe('ready');
    await page.native.getByText('Add a second text').click();
    await page.type('It slept');
    await page.waitFor('the second text is there', () => {
      return window.headlights!.state.pair === 'It slept';
    });
    await page.close();
  });

  it('jumps less than a reader notices while it starts', async () => {
    const page = await browser.open('about:blank', { width: 1440 });
    await page.native.addInitScript(() => {
      const jumps: number[] = [];
      Object.assign(window, { jumps });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          jumps.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(server.url);
    expect(await outcome(page)).toBe('ready');
    const total = await page.evaluate(() =>
      (window as unknown as { jumps: number[] }).jumps.reduce((a, b) => a + b, 0),
    );
    expect(total).toBeLessThan(0.1);
    await page.close();
  });
});
