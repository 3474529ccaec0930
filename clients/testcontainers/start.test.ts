import { readdir } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { startCommand } from './start.ts';

it('startCommand leaves no data behind if the process cannot be started', async () => {
  const folder = testDirectory();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(startCommand('trifold', { env: { NAME: 'null\0byte' } })).rejects.toThrow('null bytes');
  expect(await readdir(folder)).toEqual([]);
});
