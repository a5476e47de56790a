/**
 * WebKitGTK through WebKitWebDriver, in plain WebDriver over HTTP, on a virtual screen of its own. It runs baseline
 * WebAssembly SIMD and refuses relaxed SIMD, so it is the honest test of the fallback. One page at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { aim, DEFAULTS, pause, poll, type TestBrowser, type TestPage } from './page.ts';
import { findMiniBrowser, findProgram } from './programs.ts';

/** WebDriver's codes of keys that are not characters. */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\ue003',
  Tab: '\ue004',
  Enter: '\ue007',
  Shift: '\ue008',
  Control: '\ue009',
  Alt: '\ue00a',
  Escape: '\ue00c',
  Space: ' ',
  PageUp: '\ue00e',
  PageDown: '\ue00f',
  End: '\ue010',
  Home: '\ue011',
  ArrowLeft: '\ue012',
  ArrowUp: '\ue013',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
  Delete: '\ue017',
};

/** Sends one WebDriver command to the session. */
export type Command = <Result>(method: string, path: string, body?: unknown) => Promise<Result>;

export async function launchWebkit(): Promise<TestBrowser<Command>> {
  const screen = await startScreen();
  const port = await freePort();
  const driver = spawn(findProgram('WEBKIT_DRIVER'), [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${screen.number}`,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const base = `http://127.0.0.1:${port}`;
  const stop = async () => {
    await Promise.all([ended(driver), ended(screen.process)]);
  };
  try {
    await poll('WebKitWebDriver answers', () => answers(`${base}/status`), 20_000);
    const { sessionId } = await send<{ sessionId: string }>(`${base}/session`, 'POST', {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
        },
      },
    });
    const command: Command = (method, path, body) =>
      send(`${base}/session/${sessionId}${path}`, method, body);
    return {
      name: 'webkit',
      async open(url, options = {}) {
        const { width, height } = { ...DEFAULTS, ...options };
        const page = wrap(command);
        await page.resize(width, height);
        await page.goto(url);
        return page;
      },
      async close() {
        await command('DELETE', '').catch(() => undefined);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function wrap(command: Command): TestPage<Command> {
  const page: TestPage<Command> = {
    native: command,
    errors: [],
    requests: [],
    goto: (url) => command('POST', '/url', { url }),
    async evaluate(run, ...args) {
      // The page's policy forbids eval, so the function's text is part of the script itself.
      const script = `
        const [args, done] = arguments;
        Promise.resolve().then(() => (${run})(...args)).then(
          (value) => done({ value: value === undefined ? null : value }),
          (error) => done({ error: String(error?.stack || error) + ' ' + error }));`;
      const answer = await command<{ value: never; error?: string }>('POST', '/execute/async', {
        script,
        args: [args],
      });
      if (answer.error) throw new Error(answer.error);
      return answer.value;
    },
    waitFor: (what, run, timeout) => poll(what, () => page.evaluate(run), timeout),
    async click(selector) {
      await pointer(command, await aim(page, selector), [
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]);
    },
    async hover(selector) {
      await pointer(command, await aim(page, selector), []);
    },
    type: (text) =>
      keys(
        command,
        [...text].map((key) => [key]),
      ),
    press: (key) => keys(command, [key.split('+').map((name) => KEYS[name] ?? name)]),
    screenshot: async () => Buffer.from(await command<string>('GET', '/screenshot'), 'base64'),
    async resize(width, height) {
      // The window has a frame and a bar, so the difference is measured and added.
      await command('POST', '/window/rect', { width, height });
      const inner = await page.evaluate(() => [innerWidth, innerHeight] as const);
      const [addX, addY] = [width - inner[0], height - inner[1]];
      if (addX || addY)
        await command('POST', '/window/rect', { width: width + addX, height: height + addY });
    },
    close: () => command('POST', '/url', { url: 'about:blank' }),
  };
  return page;
}

function pointer(command: Command, { x, y }: { x: number; y: number }, then: object[]) {
  const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 };
  return command<void>('POST', '/actions', {
    actions: [{ type: 'pointer', id: 'mouse', actions: [move, ...then] }],
  });
}

/** Each chord goes down in order and up in reverse. */
function keys(command: Command, chords: string[][]) {
  const actions = chords.flatMap((chord) => [
    ...chord.map((value) => ({ type: 'keyDown', value })),
    ...[...chord].reverse().map((value) => ({ type: 'keyUp', value })),
  ]);
  return command<void>('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
}

async function send<Result>(url: string, method: string, body?: unknown): Promise<Result> {
  const response = await fetch(url, {
    method,
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  });
  const { value } = (await response.json()) as {
    value: Result & { error?: string; message?: string };
  };
  if (!response.ok) throw new Error(`WebDriver: ${value.error}: ${value.message}`);
  return value;
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** A virtual screen with a number that Xvfb chooses itself. */
async function startScreen(): Promise<{ process: ChildProcess; number: string }> {
  const process = spawn(
    findProgram('XVFB'),
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const number = await new Promise<string>((ready, fail) => {
    process.stdio[3]?.once('data', (data: Buffer) => ready(data.toString().trim()));
    process.once('error', fail);
    process.once('exit', (code) => fail(new Error(`Xvfb ended with ${code}`)));
  });
  return { process, number };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill();
  await Promise.race([gone, pause(5000)]);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

const freePort = () =>
  new Promise<number>((ready, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => ready(port));
    });
  });
