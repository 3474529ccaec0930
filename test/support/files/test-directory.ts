import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Creates a directory that is removed after the current test. Call this in the test or in `beforeEach`. */
export function testDirectory(): string {
  return directoryUntil(onTestFinished);
}

/** Creates a directory that is removed after the tests in the file or `describe` block that calls it. */
export function suiteDirectory(): string {
  return directoryUntil(afterAll);
}

function directoryUntil(end: (remove: () => void) => void): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'trifold-test-'));
  end(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}
