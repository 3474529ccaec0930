import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SyncedDisk } from '../testing/synced-disk.ts';
import { DirectoryStore } from './directory-store.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

describe.skipIf(process.platform !== 'linux')('A DirectoryStore that survives power cuts', () => {
  let parent: string;
  let disk: SyncedDisk;
  let store: DirectoryStore;
  const kept = (key: string) => disk.read(parent, 'store', 'objects', ...`${key}@`.split('/'));

  beforeEach(() => {
    parent = testDirectory();
    disk = new SyncedDisk();
    store = new DirectoryStore({ root: join(parent, 'store'), durability: 'power' });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('reports an object only after its content, its name and all parent directories are on disk', async () => {
    const keys = ['top', 'a/b/c/1', 'a/b/c/2', 'a/b/c/3', 'a/x/4', 'a/b/5'];
    await Promise.all(
      keys.map(async (key) => {
        await store.put(key, `content of ${key}`, { ifAbsent: key.startsWith('a/b') });
        expect(kept(key)).toMatch(new RegExp(`^content of ${key}\\{`));
      }),
    );
    await store.put('top', 'replaced');
    expect(kept('top')).toMatch(/^replaced\{/);
  });

  it('reports an object as existing only after the put that created it is on disk', async () => {
    const put = async (text: string) => {
      const { created } = await store.put('a/1', text, { ifAbsent: true });
      return { created, kept: kept('a/1')?.slice(0, 3) };
    };
    const [first, second] = await Promise.all([put('one'), put('two')]);
    expect(first.created).not.toBe(second.created);
    expect(first.kept).toBe(first.created ? 'one' : 'two');
    expect(second.kept).toBe(first.kept);
  });

  it('syncs directories that another process created', async () => {
    await new DirectoryStore({ root: join(parent, 'store'), durability: 'process' }).put('a/b/1', 'x');
    expect(kept('a/b/1')).toBeUndefined();
    await store.put('a/b/2', 'x');
    expect(kept('a/b/2')).toMatch(/^x\{/);
  });

  it('reports a deletion only after it is on disk', async () => {
    await store.put('a/1', 'x');
    await store.delete('a/1');
    expect(kept('a/1')).toBeUndefined();
  });
});
