import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makeDirectory } from './make-directory.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

let root: string;

beforeEach(() => void (root = testDirectory()));

it('creates missing parents with the same mode', async () => {
  await makeDirectory(join(root, 'a/b/c'), 0o700);
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
});

it('accepts an existing directory, even behind a link', async () => {
  symlinkSync(root, join(root, 'link'));
  await makeDirectory(join(root, 'link'), 0o700);
  await makeDirectory(join(root, 'link/below'), 0o700);
  expect(statSync(join(root, 'below')).isDirectory()).toBe(true);
});

it('fails if a file has the same path', async () => {
  writeFileSync(join(root, 'file'), '');
  await expect(makeDirectory(join(root, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeDirectory(join(root, 'file/a/b'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it.runIf(process.platform === 'linux')(
  'fails without hanging if the directory cannot be created',
  async () => {
    await expect(makeDirectory('/proc/trifold/a/b', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

it('fails without hanging behind a broken link', async () => {
  symlinkSync(join(root, 'nowhere', 'at', 'all'), join(root, 'link'));
  await expect(makeDirectory(join(root, 'link/a'), 0o700)).rejects.toThrow();
});
