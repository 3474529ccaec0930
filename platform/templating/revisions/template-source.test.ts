import { beforeEach, expect, it } from 'vitest';
import { DirectoryStore } from '../../object-store/directory/directory-store.ts';
import { keepSource, readSource, TemplateSourceError } from './template-source.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const NOON = new Date('2026-11-21T12:00:00Z');
const LARGE = { html: `<p>${'x'.repeat(70_000)}</p>`, css: 'p {}' };
let root: string;
let store: DirectoryStore;
beforeEach(async () => {
  root = testDirectory();
  store = new DirectoryStore({ root });
});

it('stores a large source under the current day and reads it on any day', async () => {
  const members = await keepSource(store, 'acme', LARGE, NOON);
  expect(members.sourceRef?.key).toBe(`sources/20261121/acme/${members.sourceRef?.sha256}`);
  const again = await keepSource(store, 'acme', LARGE, new Date('2026-11-22T00:00:00Z'));
  expect(again.sourceRef?.key).toBe(`sources/20261122/acme/${members.sourceRef?.sha256}`);
  for (const spec of [members, again]) expect(await readSource(store, 'acme', spec)).toEqual(LARGE);
});

it('does not follow a reference into another account or to an object that is not a source', async () => {
  const { sourceRef } = await keepSource(store, 'acme', LARGE, NOON);
  if (!sourceRef) return expect.unreachable('the source is large');
  await expect(readSource(store, 'other', { sourceRef })).rejects.toThrow(TemplateSourceError);
  const document = `documents/20261121T1200Z/acme/${sourceRef.sha256}`;
  const stored = await store.read(sourceRef.key);
  await store.put(document, stored ?? '');
  for (const key of [document, sourceRef.key.replace('acme', 'acme/x'), 'sources/20261121/acme/..']) {
    await expect(readSource(store, 'acme', { sourceRef: { ...sourceRef, key } })).rejects.toThrow(
      /does not match sourceRef/,
    );
  }
});
