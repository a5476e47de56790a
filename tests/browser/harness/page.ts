/**
 * What a browser test may do with a page, the same in three browsers. Selectors search open shadow roots too; clicks
 * and keys are real input events. Not for what only one browser can do: `native` is that browser's own handle.
 */

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  /** First of `navigator.languages`. */
  readonly locale?: string;
  readonly reducedMotion?: boolean;
  /** A phone: touch, no hover, two pixels a CSS pixel. */
  readonly mobile?: boolean;
}

export interface TestPage<Native = unknown> {
  readonly native: Native;
  /** Console errors, uncaught errors and blocked content, as far as the browser reports them. */
  readonly errors: string[];
  /** Addresses of all requests so far (empty where the browser does not report them). */
  readonly requests: string[];
  goto(url: string): Promise<void>;
  /** Runs a function in the page; arguments and result travel as JSON. It may be async. */
  evaluate<Result, Args extends unknown[]>(
    run: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  /** Waits until the function gives a true value; fails with `what` otherwise. */
  waitFor(what: string, run: () => unknown, timeout?: number): Promise<void>;
  click(selector: string): Promise<void>;
  hover(selector: string): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** One key by its name: 'Enter', 'ArrowRight', 'Escape', 'Tab', 'Backspace'; or 'Control+a'. */
  press(key: string): Promise<void>;
  /** A PNG of the visible part. */
  screenshot(): Promise<Buffer>;
  /** Of the page, not of the window. WebKit's window is never narrower than about 450 pixels. */
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

export interface TestBrowser<Native = unknown> {
  readonly name: 'chromium' | 'firefox' | 'webkit';
  open(url: string, options?: PageOptions): Promise<TestPage<Native>>;
  close(): Promise<void>;
}

/**
 * Where a real pointer must go: the middle of the first element that matches in the page or in an open shadow root,
 * scrolled into view. Runs in the page, so it must not use anything from outside.
 */
export function middleOf(selector: string): { x: number; y: number } | null {
  const find = (root: Document | ShadowRoot): Element | null => {
    const own = root.querySelector(selector);
    if (own) return own;
    for (const host of root.querySelectorAll('*')) {
      const inner = host.shadowRoot && find(host.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  const element = find(document);
  if (!element) return null;
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** `middleOf` as a step of a test: waits for the element and fails with its selector. */
export async function aim(
  page: Pick<TestPage, 'evaluate'>,
  selector: string,
  timeout = 10_000,
): Promise<{ x: number; y: number }> {
  const end = Date.now() + timeout;
  for (;;) {
    const point = await page.evaluate(middleOf, selector);
    if (point) return point;
    if (Date.now() > end) throw new Error(`no element matches ${selector}`);
    await pause(50);
  }
}

/** Asks again and again until the answer is true. */
export async function poll(
  what: string,
  ask: () => Promise<unknown>,
  timeout = 30_000,
): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`waited ${timeout} ms in vain: ${what}`);
    await pause(50);
  }
}

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export const DEFAULTS = { width: 1280, height: 800 } as const;
