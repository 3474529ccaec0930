import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a directory that is removed after the current test. Call it in the test or in `beforeEach`. */
export function testDirectory(): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'trifold-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
