/**
 * The built explorer page in a browser: where it lies, and what nearly every test of it asks. Functions
 * passed to `evaluate` run in the page and so use nothing from here.
 */
import { fileURLToPath } from 'node:url';
import { serve } from '../../../tools/serve.mjs';
import type {} from '../../../web/src/pages/console.ts';
import type { TestPage } from './page.ts';

/** The built site; SITE names another build of it. */
export const SITE =
  process.env.SITE ?? fileURLToPath(new URL('../../../web/dist', import.meta.url));

export const serveSite = (options: Omit<Parameters<typeof serve>[0], 'root'> = {}) =>
  serve({ root: SITE, ...options });

/** What `ready` says: 'ready', or the code and message of the error that is shown. */
export async function outcome(page: TestPage, timeout = 60_000): Promise<string> {
  await page.waitFor('the page starts', () => window.headlights !== undefined, 20_000);
  return page.evaluate(
    (limit: number) =>
      Promise.race([
        window.headlights!.ready.then(
          () => 'ready',
          (error) => `${error.code ?? error.name}: ${error.message}`,
        ),
        new Promise<string>((done) => setTimeout(() => done('still waiting'), limit)),
      ]),
    timeout,
  );
}

let opened = 0;

/** Opens a state by its link, in the page that is there, and waits for its picture. */
export async function open(page: TestPage, link: Record<string, string>): Promise<string> {
  // A key that means nothing makes each link a new one, even while the address is being rewritten.
  const fragment = Object.entries({ ...link, opened: String(++opened) })
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
  await page.evaluate((hash: string) => {
    location.hash = hash;
  }, fragment);
  return outcome(page);
}

/** Replaces the text as a reader would: all of it selected, then typed over. */
export async function retype(page: TestPage, text: string): Promise<void> {
  await page.click('textarea');
  await page.press('Control+a');
  if (text === '') await page.press('Backspace');
  else await page.type(text);
}

export interface Seen {
  /** What the text field holds, and what is drawn over it. */
  text: string;
  drawn: string;
  /** The typed characters of each mark. */
  marks: string[];
  notes: string[];
  hint: string;
  progress: string;
  layersDrawn: number;
  tokens: number | null;
  /** Changes whenever a pixel of the wall does. */
  wall: string;
}

/** What a reader sees of sentence, notes and wall. */
export function look(page: TestPage): Promise<Seen> {
  return page.evaluate(() => {
    const root = (selector: string) => document.querySelector(selector)?.shadowRoot ?? null;
    const sentence = root('hl-sentence');
    const sheet = sentence?.querySelector('.sheet');
    const canvas = root('hl-head-wall')?.querySelector('canvas');
    let hash = 0;
    if (canvas && canvas.width > 0) {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      for (const value of data) hash = (Math.imul(hash, 31) + value) | 0;
    }
    const wall = document.querySelector('hl-head-wall') as unknown as {
      picture: { layersReady: number } | null;
    } | null;
    return {
      text: sentence?.querySelector('textarea')?.value ?? '',
      drawn: sheet?.textContent?.replace(/\u200b$/, '') ?? '',
      marks: [...(sheet?.querySelectorAll('.mark') ?? [])].map((mark) => mark.textContent ?? ''),
      notes: [...(root('hl-notes')?.querySelectorAll('.text') ?? [])].map(
        (note) => note.textContent ?? '',
      ),
      hint: document.querySelector('.hint')?.textContent?.trim() ?? '',
      progress: root('hl-load-progress')?.textContent?.replace(/\s+/g, ' ').trim() ?? '',
      layersDrawn: wall?.picture?.layersReady ?? 0,
      tokens: window.headlights?.run?.tokens.length ?? null,
      wall: String(hash),
    };
  });
}
