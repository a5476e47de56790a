/** A throw-away folder with a few files, for tests of the tools. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes the files below a new folder and returns it; it goes when the test ends. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const root = mkdtempSync(join(tmpdir(), 'headlights-test-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
