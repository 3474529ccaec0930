import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GenerationResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { freshDirectory, freshService } from './fresh-service.ts';

const DISK = '96m';
const MEBIBYTE = Buffer.alloc(2 ** 20);

const missing = whyNoDisk();
if (missing) console.warn(`skipped: ${missing}`);

/**
 * Returns the reason why a small disk cannot be mounted here; undefined if mounting works, or in CI, where this is a
 * failure.
 */
function whyNoDisk(): string | undefined {
  return process.getuid?.() === 0 || process.env['CI'] ? undefined : 'only root can mount a small disk';
}

describe.skipIf(missing)('The standalone service on a full disk', () => {
  it('rejects documents until there is space again, and loses none that it accepted', async () => {
    const data = await smallDisk();
    const service = await freshService({ data });
    const { live } = service;
    const template_id = (await live.createTemplate({ html: '<p>Number {{number}}</p>' })).id;
    const accept = (number: number) =>
      live.post('/v1/generate', { template_id, data: { number }, format: 'html', async: true });

    const before = await Promise.all(Array.from({ length: 20 }, (_, number) => accept(number)));
    const filler = path.join(data, 'filler');
    await fill(filler);
    const rejected = await eventually(async () => {
      const response = await accept(20);
      if (response.status === 202) before.push(response);
      return response.status !== 202 && response;
    });
    expect(rejected.status, rejected.text).toBe(503);
    expect(rejected.headers.get('retry-after')).not.toBeNull();

    await rm(filler);
    const after = await eventually(async () => {
      const response = await accept(before.length);
      return response.status === 202 && response;
    });
    for (const response of [...before, after]) {
      expect(response.status, response.text).toBe(202);
      const { id } = response.json<GenerationResponse>();
      expect(await live.finished(id)).toMatchObject({ status: 'completed' });
    }
  });
});

/** Mounts a small disk for the duration of the test. */
async function smallDisk(): Promise<string> {
  const directory = await freshDirectory();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'trifold-test', directory]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', directory]));
  return directory;
}

/** Writes until the disk is full. */
async function fill(file: string): Promise<void> {
  for (;;) {
    try {
      await writeFile(file, MEBIBYTE, { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      return;
    }
  }
}
