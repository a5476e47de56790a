/** Firefox through puppeteer-core (WebDriver BiDi), with the system's browser. */
import puppeteer, { type KeyInput, type Page } from 'puppeteer-core';
import { aim, DEFAULTS, type PageOptions, poll, type TestBrowser, type TestPage } from './page.ts';
import { findProgram } from './programs.ts';

/** Nothing that calls home, no first-run pages. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
};

export async function launchFirefox(
  options: { preferences?: Record<string, unknown> } = {},
): Promise<TestBrowser<Page>> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findProgram('FIREFOX'),
    headless: true,
    extraPrefsFirefox: { ...PREFERENCES, ...options.preferences },
  });
  return {
    name: 'firefox',
    async open(url, pageOptions: PageOptions = {}) {
      const { width, height } = { ...DEFAULTS, ...pageOptions };
      const native = await browser.newPage();
      await native.setViewport({ width, height });
      const page = wrap(native);
      await page.goto(url);
      return page;
    },
    close: () => browser.close(),
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
    evaluate: async (run, ...args) => (await native.evaluate(run as never, ...args)) as never,
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
    async press(key) {
      const keys = key.split('+') as KeyInput[];
      for (const one of keys) await native.keyboard.down(one);
      for (const one of keys.reverse()) await native.keyboard.up(one);
    },
    screenshot: async () => Buffer.from(await native.screenshot()),
    resize: (width, height) => native.setViewport({ width, height }),
    close: () => native.close(),
  };
  return page;
}
