/** The three browsers by name, for tests that say the same of each. */
import { launchChromium } from './chromium.ts';
import { launchFirefox } from './firefox.ts';
import type { TestBrowser } from './page.ts';
import { launchWebkit } from './webkit.ts';

export const LAUNCH: Readonly<Record<TestBrowser['name'], () => Promise<TestBrowser>>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
  webkit: launchWebkit,
};
