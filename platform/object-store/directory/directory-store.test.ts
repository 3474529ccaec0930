import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { processIdentity } from '../../process/process-identity.ts';
import { DirectoryStore } from './directory-store.ts';
import { storeError, writeAll } from './file-calls.ts';
import { describeObjectStore } from '../object-store-conformance.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const remove = (path: string) => rmSync(path, { recursive: true, force: true });

describeObjectStore('a directory', async () => {
  return { store: new DirectoryStore({ root: testDirectory() }), close: async () => undefined };
});

describe('DirectoryStore', () => {
  let root: string;
  let store: DirectoryStore;
  const objects = (...path: string[]) => join(root, 'objects', ...path);
  const drafts = () => readdirSync(join(root, 'drafts'));

  beforeEach(() => {
    root = testDirectory();
    store = new DirectoryStore({ root });
  });

  it('stores the content at the start of the file, so that other programs can open it', async () => {
    await store.put('documents/a/one', '%PDF-1.4 …', { metadata: { a: 'b' } });
    expect(readFileSync(objects('documents', 'a', 'one@')).toString()).toMatch(/^%PDF-1\.4 …\{/);
  });

  it('makes its files unreadable to other users', async () => {
    await store.put('a/b/c', 'secret');
    for (const path of ['a', 'a/b']) expect(statSync(objects(path)).mode & 0o777).toBe(0o700);
    expect(statSync(objects('a', 'b', 'c@')).mode & 0o077).toBe(0);
  });

  it('leaves no temporary files behind', async () => {
    await Promise.all([store.put('a', 'x'), store.put('b', 'x', { ifAbsent: true })]);
    await store.put('b', 'y', { ifAbsent: true });
    await eventually(() => expect(drafts()).toEqual([]));
  });

  it('removes empty directories', async () => {
    await store.put('documents/20261121T0305Z/acme/gen-1', 'x');
    await store.put('documents/20261121T0310Z/acme/gen-2', 'x');
    expect(await store.deletePrefix('documents/20261121T0305Z/')).toBe(1);
    expect(readdirSync(objects('documents'))).toEqual(['20261121T0310Z']);
    await store.delete('documents/20261121T0310Z/acme/gen-2');
    expect(readdirSync(objects())).toEqual([]);
    await store.put('documents/20261121T0310Z/acme/gen-3', 'x');
    expect((await store.read('documents/20261121T0310Z/acme/gen-3'))?.toString()).toBe('x');
  });

  it('never reads a whole directory, which can have hundreds of thousands of files', async () => {
    await store.put('index/20261121/acme/deleted/gen-1', '');
    const readdir = vi.spyOn(promises, 'readdir');
    syncBuiltinESMExports();
    try {
      expect((await store.list('index/', { delimiter: '/' })).prefixes).toEqual(['index/20261121/']);
      expect(await store.deletePrefix('index/20261121/')).toBe(1);
      expect(readdir).not.toHaveBeenCalled();
    } finally {
      readdir.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('recreates a directory that another program removed', async () => {
    await store.put('a/b/c', 'x');
    remove(objects('a'));
    expect(await store.read('a/b/c')).toBeUndefined();
    expect(await store.put('a/b/c', 'y', { ifAbsent: true })).toEqual({ created: true });
    expect((await store.read('a/b/c'))?.toString()).toBe('y');
  });

  it('removes only the temporary files of dead processes', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    const [, ownStart] = processIdentity().split('-');
    const former = `${process.pid}-${Number(ownStart) + 1}.1.1`;
    const dead = [`${child.pid}-12345.1.1`, `${child.pid}-0.1.1`, former, 'nonsense'];
    const living = `${processIdentity()}.99.1`;
    for (const name of [...dead, living]) writeFileSync(join(root, 'drafts', name), 'half an obj');
    const again = new DirectoryStore({ root });
    expect(drafts()).toEqual([living]);
    await expect(again.check()).resolves.toBeUndefined();
  });

  it('shows no trace of a put whose process was killed halfway', async () => {
    const script = `
      import { DirectoryStore } from ${JSON.stringify(join(import.meta.dirname, 'directory-store.ts'))};
      const store = new DirectoryStore({ root: ${JSON.stringify(root)} });
      process.stdout.write('go');
      for (let i = 0; ; i += 1) await store.put('killed/' + (i % 5), 'x'.repeat(3_000_000), { metadata: { i: String(i) } });
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await eventually(() => expect(existsSync(objects('killed', '2@'))).toBe(true), { timeoutMs: 20_000 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const after = new DirectoryStore({ root });
    expect(drafts()).toEqual([]);
    const { objects: left } = await after.list('killed/');
    expect(left.length).toBeGreaterThan(0);
    for (const { key, size } of left) {
      expect(size).toBe(3_000_000);
      expect((await after.read(key))?.length).toBe(3_000_000);
    }
  });

  describe('with foreign files', () => {
    it('does not follow a linked directory on reads or writes', async () => {
      const outside = testDirectory();
      writeFileSync(join(outside, 'secret@'), 'secret');
      mkdirSync(objects('a'));
      symlinkSync(outside, objects('a', 'link'));
      for (const attempt of [
        () => store.read('a/link/secret'),
        () => store.put('a/link/new', 'x'),
        () => store.delete('a/link/secret'),
        () => store.deletePrefix('a/link/'),
        () => store.list('a/link/'),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'corrupt', retryable: false });
      }
      expect(await store.list('')).toEqual({ objects: [], prefixes: [] });
      expect(await store.deletePrefix('a/')).toBe(0);
      expect(readdirSync(outside)).toEqual(['secret@']);
    });

    it('does not follow a linked file and replaces the link instead of its target', async () => {
      const outside = join(testDirectory(), 'target');
      await store.put('victim', 'real object');
      writeFileSync(outside, readFileSync(objects('victim@')));
      symlinkSync(outside, objects('link@'));
      await expect(store.read('link')).rejects.toMatchObject({ code: 'corrupt' });
      await expect(store.head('link')).rejects.toMatchObject({ code: 'corrupt' });
      expect(await store.put('link', 'x', { ifAbsent: true })).toEqual({ created: false });
      await store.put('link', 'own');
      expect(readFileSync(outside).toString()).toMatch(/^real object/);
      expect((await store.read('link'))?.toString()).toBe('own');
    });

    it('works if the root itself is a link', async () => {
      const link = `${root}-link`;
      symlinkSync(root, link);
      const linked = new DirectoryStore({ root: link });
      await linked.put('a/b', 'x');
      expect((await store.read('a/b'))?.toString()).toBe('x');
      rmSync(link);
    });

    it('skips foreign files when listing and deleting', async () => {
      await store.put('a/b', 'x');
      writeFileSync(objects('a', 'README'), 'not an object');
      expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['a/b']);
      expect(await store.deletePrefix('a/')).toBe(1);
      expect(readFileSync(objects('a', 'README')).toString()).toBe('not an object');
    });
  });

  describe('with damaged files', () => {
    const damaged = { name: 'ObjectStoreError', code: 'corrupt', retryable: false };
    const path = () => objects('a', 'b@');

    beforeEach(() => store.put('a/b', 'x'.repeat(1000), { metadata: { pages: '2' } }));

    const expectCorrupt = async () => {
      await expect(store.read('a/b')).rejects.toMatchObject(damaged);
      await expect(store.head('a/b')).rejects.toMatchObject(damaged);
      await expect(store.get('a/b')).rejects.toMatchObject(damaged);
    };

    it.each([1, 24, 60, 500, 1090, 5000])('reports a file that lost %i bytes, or all', async (bytes) => {
      truncateSync(path(), Math.max(0, statSync(path()).size - bytes));
      await expectCorrupt();
    });

    it.each([-1, -5, -10, -20, -30])('reports a trailer with a changed byte at %i', async (offset) => {
      const file = readFileSync(path());
      const at = file.length + offset;
      file.writeUInt8((file.at(at) ?? 0) ^ 0x55, at);
      writeFileSync(path(), file);
      await expectCorrupt();
    });

    it('reports a file with extra bytes', async () => {
      writeFileSync(path(), Buffer.concat([readFileSync(path()), Buffer.from('x')]));
      await expectCorrupt();
    });

    it('recovers with a new put', async () => {
      truncateSync(path(), 10);
      await store.put('a/b', 'new');
      expect((await store.read('a/b'))?.toString()).toBe('new');
    });
  });

  it('distinguishes a full disk from other failures', () => {
    const failure = (code: string) => storeError('put a', Object.assign(new Error(code), { code }));
    expect(failure('ENOSPC')).toMatchObject({ code: 'no_space', retryable: true });
    expect(failure('EDQUOT')).toMatchObject({ code: 'no_space', retryable: true });
    expect(failure('EIO')).toMatchObject({ code: 'unavailable', retryable: true });
  });

  it.skipIf(!existsSync('/dev/full'))('reports a disk that becomes full during a write', async () => {
    const fd = openSync('/dev/full', 'w');
    const failure = await writeAll(fd, [Buffer.from('x')]).catch((error: unknown) =>
      storeError('put a', error),
    );
    expect(failure).toMatchObject({ code: 'no_space' });
  });

  it('is not ready if free space is below its minimum', async () => {
    await expect(store.check()).resolves.toBeUndefined();
    const { bavail, bsize } = statfsSync(root);
    const full = new DirectoryStore({ root, minFreeBytes: bavail * bsize * 2 });
    await expect(full.check()).rejects.toMatchObject({ code: 'no_space', retryable: true });
  });

  it('explains that its directory is missing', async () => {
    remove(root);
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    await expect(store.put('a', 'x')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('explains that its root is a file', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(() => new DirectoryStore({ root: file })).toThrow(/cannot use the directory/);
  });

  it.skipIf(process.getuid?.() === 0)('is not ready when its directory is not writable', async () => {
    chmodSync(join(root, 'drafts'), 0o500);
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
    chmodSync(join(root, 'drafts'), 0o700);
  });

  it('leaves no file descriptors open', async () => {
    /** Only descriptors of the store's files: the process may open and close others at any time. */
    const descriptors = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
        } catch {
          return false;
        }
      }).length;
    await store.put('warm', 'x');
    const before = descriptors();
    for (let round = 0; round < 50; round += 1) {
      await store.put(`a/${round}`, 'x'.repeat(100_000));
      await store.read(`a/${round}`);
      await store.head(`a/${round}`);
      const object = await store.get(`a/${round}`);
      if (object) await buffer(object.body);
      await store.read('missing');
    }
    await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before));
  });
});
