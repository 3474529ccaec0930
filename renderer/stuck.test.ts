import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRendererConfig } from './config.ts';
import { Renderer } from './renderer.ts';
import { testBinary } from './testing/browser/test-browser.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { suiteDirectory } from '@trifold/test-support/files/test-directory.ts';

const folder = suiteDirectory();
const broken = join(folder, 'broken');
let clock: FakeClock;
let renderer: Renderer;
let log: string;

/** Returns the test's browser, which fails to start once the file `broken` exists. */
async function fragileBrowser(): Promise<string> {
  const { executable, environment } = await testBinary();
  const variables = Object.entries(environment).map(([name, value]) => `export ${name}='${value}'`);
  const file = join(folder, 'browser');
  const lines = ['#!/bin/sh', ...variables, `[ -e '${broken}' ] && exit 1`, `exec '${executable}' "$@"`];
  writeFileSync(file, lines.join('\n'), { mode: 0o755 });
  return file;
}

beforeAll(async () => {
  clock = new FakeClock();
  log = '';
  const destination = { write: (line: string) => void (log += line) };
  const store = new DirectoryStore({ root: folder });
  renderer = new Renderer({
    queue: new InProcessQueue({ clock }),
    storeOf: () => store,
    clock,
    logger: createLogger({ level: 'warn', name: 'test', destination }),
    config: { ...loadRendererConfig({}), browsers: 1, browser: await fragileBrowser() },
  });
  await renderer.start();
});
afterAll(() => renderer.stop(0));

it('Renderer.stuck reports a browser that has been missing for more than two minutes, until it returns', async () => {
  clock.advance(24 * 3_600_000);
  // Waiting for work does not count as stuck, however long it takes.
  expect([renderer.ready, renderer.stuck()]).toEqual([true, undefined]);
  writeFileSync(broken, '');
  for (const pid of renderer.browserPids) process.kill(pid, 'SIGKILL');
  await eventually(() => expect(log).toContain('idle browser crashed'));
  expect(renderer.ready).toBe(false);
  clock.advance(119_000);
  expect(renderer.stuck()).toBeUndefined();
  clock.advance(2_000);
  expect(renderer.stuck()).toBe('a browser has been busy for 121 s');
  rmSync(broken);
  await clock.passUntil(10_000, () => expect(renderer.ready).toBe(true));
  await eventually(() => expect(renderer.stuck()).toBeUndefined());
});
