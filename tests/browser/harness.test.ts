/** The harness itself: it reaches shadow roots with real input, evaluates under the strict policy, and reports errors. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../tools/serve.mjs';
import { LAUNCH } from './harness/launch.ts';
import type { TestBrowser, TestPage } from './harness/page.ts';

declare const probe: { input: HTMLInputElement; seen: HTMLOutputElement };

const root = fileURLToPath(new URL('pages', import.meta.url));

describe.each(['chromium', 'firefox', 'webkit'] as const)('%s', (name) => {
  let server: Awaited<ReturnType<typeof serve>>;
  let browser: TestBrowser;
  let page: TestPage;
  beforeAll(async () => {
    server = await serve({ root });
    browser = await LAUNCH[name]();
    page = await browser.open(`${server.url}harness.html`, { width: 700, height: 500 });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('has the size that was asked for', async () => {
    expect(await page.evaluate(() => [innerWidth, innerHeight])).toEqual([700, 500]);
    await page.resize(600, 550);
    expect(await page.evaluate(() => [innerWidth, innerHeight])).toEqual([600, 550]);
  });

  it('clicks, hovers and types inside a shadow root with real events', async () => {
    await page.hover('hl-probe');
    await page.click('button');
    await page.click('input');
    await page.type('héllo 世界');
    await page.press('ArrowLeft');
    const seen = await page.evaluate(() => [probe.input.value, probe.seen.textContent]);
    expect(seen).toEqual(['héllo 世界', 'entered clicked ArrowLeft ']);
  });

  it('passes arguments, waits for promises and reports what a function throws', async () => {
    expect(await page.evaluate(async (a: number, b: number[]) => a + b.length, 1, [1, 2])).toBe(3);
    const failing = page.evaluate(() => {
      throw new Error('as expected');
    });
    await expect(failing).rejects.toThrow('as expected');
  });

  it('fails when what is waited for does not come', async () => {
    await expect(page.waitFor('never', () => false, 200)).rejects.toThrow('never');
  });

  it('takes a PNG', async () => {
    const png = await page.screenshot();
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.length).toBeGreaterThan(300);
  });

  it('loads the page under the strict policy', async () => {
    const policy = await page.evaluate(async () =>
      (await fetch(location.href)).headers.get('content-security-policy'),
    );
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    const blocked = await page.evaluate(
      () =>
        new Promise((done) => {
          document.addEventListener('securitypolicyviolation', () => done(true), { once: true });
          const script = document.createElement('script');
          script.textContent = 'window.inlineRan = true';
          document.head.append(script);
          setTimeout(() => done(false), 1000);
        }),
    );
    expect(blocked).toBe(true);
  });
});
