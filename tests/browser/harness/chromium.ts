/** Chromium through playwright-core, with the system's browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { aim, DEFAULTS, type PageOptions, poll, type TestBrowser, type TestPage } from './page.ts';
import { findProgram } from './programs.ts';

/** No sandbox (tests run as root), no GPU, and nothing that calls home. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `flags` are added, for example `--js-flags=--no-wasm-simd`. */
export async function launchChromium({
  flags = [] as readonly string[],
} = {}): Promise<TestBrowser<Page>> {
  const profile = mkdtempSync(join(tmpdir(), 'headlights-chromium-'));
  const browser = await chromium.launch({
    executablePath: findProgram('CHROMIUM'),
    args: [...FLAGS, ...flags],
    env: { ...process.env, HOME: profile, XDG_CONFIG_HOME: profile },
  });
  return {
    name: 'chromium',
    async open(url, options: PageOptions = {}) {
      const { width, height } = { ...DEFAULTS, ...options };
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: options.colorScheme ?? 'light',
        locale: options.locale ?? 'en-US',
        reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
        ...(options.mobile ? { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } : {}),
      });
      const native = await context.newPage();
      const page = wrap(native);
      await page.goto(url);
      return page;
    },
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function wrap(native: Page): TestPage<Page> {
  const errors: string[] = [];
  const requests: string[] = [];
  native.on('pageerror', (error) => errors.push(String(error)));
  native.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  native.on('request', (request) => requests.push(request.url()));
  const page: TestPage<Page> = {
    native,
    errors,
    requests,
    goto: async (url) => void (await native.goto(url)),
    // Playwright passes one argument only, so the list is written into the expression.
    evaluate: (run, ...args) => native.evaluate(`(${run})(...${JSON.stringify(args)})`),
    waitFor: (what, run, timeout) => poll(what, () => page.evaluate(run), timeout),
    async click(selector) {
      const { x, y } = await aim(page, selector);
      await native.mouse.click(x, y);
    },
    async hover(selector) {
      const { x, y } = await aim(page, selector);
      await native.mouse.move(x, y);
    },
    type: (text) => native.keyboard.type(text),
    press: (key) => native.keyboard.press(key),
    screenshot: () => native.screenshot(),
    resize: (width, height) => native.setViewportSize({ width, height }),
    close: () => native.context().close(),
  };
  return page;
}
