import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runsWith } from './runs-with.ts';

describe('runsWith', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trifold-runs-with-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true });
  });

  async function script(...lines: string[]): Promise<string> {
    const file = join(directory, 'browser');
    await writeFile(file, ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o700 });
    return file;
  }

  it('returns true only for a program that prints a version and succeeds', async () => {
    expect(await runsWith(await script('echo Chromium 150.0.1'), {})).toBe(true);
    expect(await runsWith(await script('echo "install me first"'), {})).toBe(false);
    expect(await runsWith(await script('echo Chromium 150.0.1', 'exit 1'), {})).toBe(false);
    expect(await runsWith(join(directory, 'nothing'), {})).toBe(false);
  });

  it('returns false for a snap, even behind the script that Ubuntu installs', async () => {
    expect(await runsWith(await script('echo Chromium 150.0.1 snap'), {})).toBe(false);
    const stub = 'echo "Command requires the chromium snap 150.0.1" >&2';
    expect(await runsWith(await script(stub, 'exit 1'), {})).toBe(false);
  });

  it('runs the program with the given environment, without settings and secrets of the service', async () => {
    vi.stubEnv('TRIFOLD_LIVE_KEY', 'secret');
    const file = await script('[ -z "$TRIFOLD_LIVE_KEY" ] || exit 1', 'echo "Chromium $WANTED"');
    expect(await runsWith(file, { WANTED: '150.0.1' })).toBe(true);
  });
});
