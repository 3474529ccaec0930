import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObjectStoreError, type ObjectStore } from './port.ts';

/** A store for one test, empty at its beginning. */
export interface StoreUnderTest {
  readonly store: ObjectStore;
  close(): Promise<void>;
}

const MEBIBYTE = 2 ** 20;

/** What every adapter of ObjectStore must do. `create` is called for each test. */
export function describeObjectStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as an object store`, () => {
    let store: ObjectStore;
    let close: () => Promise<void>;

    beforeEach(async () => {
      const created = await create();
      store = created.store;
      close = () => created.close();
    });
    afterEach(() => close());

    const contentOf = async (key: string) => {
      const object = await store.get(key);
      return object && (await buffer(object.body));
    };
    const keysOf = async (prefix: string) => (await store.list(prefix)).objects.map(({ key }) => key);
    const fill = (...keys: string[]) => Promise.all(keys.map((key) => store.put(key, key)));

    describe('put, read, get and head', () => {
      it('gives back what was put', async () => {
        const content = randomBytes(40_000);
        expect(await store.put('documents/a/one', content)).toEqual({ created: true });
        expect(await store.read('documents/a/one')).toEqual(content);
        expect(await contentOf('documents/a/one')).toEqual(content);
      });

      it('takes a string as UTF-8', async () => {
        await store.put('text', 'Счёт № 7 — ¥');
        expect((await store.read('text'))?.toString()).toBe('Счёт № 7 — ¥');
      });

      it('knows nothing of what was never put', async () => {
        await fill('a/b');
        for (const key of ['a', 'a/c', 'a/b/c', 'x/y/z']) {
          expect(await store.read(key)).toBeUndefined();
          expect(await store.get(key)).toBeUndefined();
          expect(await store.head(key)).toBeUndefined();
        }
      });

      it('tells size, content type, metadata and time', async () => {
        const before = Date.now();
        await store.put('facts', 'äöü', { contentType: 'application/pdf', metadata: { pages: '2' } });
        const info = await store.head('facts');
        expect(info).toMatchObject({
          key: 'facts',
          size: 6,
          contentType: 'application/pdf',
          metadata: { pages: '2' },
        });
        expect(Math.abs((info?.lastModified.getTime() ?? 0) - before)).toBeLessThan(10 * 60_000);
        const object = await store.get('facts');
        object?.body.destroy();
        expect(object?.info).toEqual(info);
      });

      it('calls content without a type application/octet-stream', async () => {
        await store.put('plain', 'x');
        expect(await store.head('plain')).toMatchObject({
          contentType: 'application/octet-stream',
          metadata: {},
        });
      });

      it('replaces an object whole, its metadata too', async () => {
        await store.put('key', 'a long first content', { contentType: 'text/plain', metadata: { old: '1' } });
        expect(await store.put('key', 'short', { metadata: { new: '2' } })).toEqual({ created: true });
        expect((await store.read('key'))?.toString()).toBe('short');
        expect(await store.head('key')).toMatchObject({ size: 5, metadata: { new: '2' } });
        expect((await store.head('key'))?.metadata).not.toHaveProperty('old');
      });

      it('keeps empty objects', async () => {
        await store.put('empty', new Uint8Array(0), { metadata: { a: 'b' } });
        expect(await store.read('empty')).toEqual(Buffer.alloc(0));
        expect(await contentOf('empty')).toEqual(Buffer.alloc(0));
        expect(await store.head('empty')).toMatchObject({ size: 0, metadata: { a: 'b' } });
      });

      it.each([1, 65_535, 65_536, 65_537, 131_072])('gives back %i bytes exactly', async (size) => {
        const content = randomBytes(size);
        await store.put('sized', content);
        expect((await store.read('sized'))?.equals(content)).toBe(true);
        expect((await contentOf('sized'))?.equals(content)).toBe(true);
        expect(await store.head('sized')).toMatchObject({ size });
      });

      it('takes a part of a larger buffer', async () => {
        const whole = randomBytes(1000);
        await store.put('part', whole.subarray(100, 200));
        await store.put('view', new Uint8Array(whole.buffer, whole.byteOffset + 200, 100));
        expect(await store.read('part')).toEqual(whole.subarray(100, 200));
        expect(await store.read('view')).toEqual(whole.subarray(200, 300));
      });

      it.each([10, 70])('keeps objects of %i MiB', async (size) => {
        const content = randomBytes(size * MEBIBYTE + 1);
        await store.put('large', content, { contentType: 'application/pdf' });
        expect((await store.read('large'))?.equals(content)).toBe(true);
        expect((await contentOf('large'))?.equals(content)).toBe(true);
      });

      it('lets a stream be given up in the middle', async () => {
        const content = randomBytes(MEBIBYTE);
        await store.put('stream', content);
        for (let round = 0; round < 20; round += 1) {
          const object = await store.get('stream');
          for await (const chunk of object?.body ?? []) {
            expect((chunk as Buffer).length).toBeGreaterThan(0);
            break;
          }
          expect(object?.body.destroyed).toBe(true);
        }
        expect((await contentOf('stream'))?.equals(content)).toBe(true);
      });

      it('does not mix up what is read at the same time', async () => {
        const keys = Array.from({ length: 40 }, (_, index) => `many/${index}`);
        await Promise.all(keys.map((key) => store.put(key, key.repeat(5000), { metadata: { key } })));
        const read = await Promise.all(keys.map((key) => store.read(key)));
        expect(read.map((content) => content?.toString())).toEqual(keys.map((key) => key.repeat(5000)));
        const infos = await Promise.all(keys.map((key) => store.head(key)));
        expect(infos.map((info) => info?.metadata['key'])).toEqual(keys);
      });

      it('does not see what happens to a buffer after its put', async () => {
        const content = Buffer.from('before');
        await store.put('kept', content);
        content.fill('x');
        expect((await store.read('kept'))?.toString()).toBe('before');
      });
    });

    describe('if absent', () => {
      it('keeps the object that is there', async () => {
        await store.put('once', 'first', { ifAbsent: true, metadata: { by: 'first' } });
        const second = await store.put('once', 'second', { ifAbsent: true, metadata: { by: 'second' } });
        expect(second).toEqual({ created: false });
        expect((await store.read('once'))?.toString()).toBe('first');
        expect(await store.head('once')).toMatchObject({ metadata: { by: 'first' } });
      });

      it('can be put again after it was deleted', async () => {
        await store.put('once', 'first', { ifAbsent: true });
        await store.delete('once');
        expect(await store.put('once', 'second', { ifAbsent: true })).toEqual({ created: true });
      });

      it('has one winner when many race, and everybody sees that one', async () => {
        for (let round = 0; round < 10; round += 1) {
          const key = `races/${round}/result`;
          const racers = Array.from({ length: 16 }, (_, index) => String(index));
          const outcomes = await Promise.all(
            racers.map((racer) =>
              store.put(key, racer.repeat(10_000), { ifAbsent: true, metadata: { racer } }),
            ),
          );
          const winners = racers.filter((_, index) => outcomes[index]?.created);
          expect(winners).toHaveLength(1);
          expect(await store.head(key)).toMatchObject({ metadata: { racer: winners[0] } });
          expect((await store.read(key))?.toString()).toBe(winners[0]?.repeat(10_000));
        }
      });
    });

    it('shows a replaced object whole, never half of the old and half of the new', async () => {
      const contents = ['a', 'b'].map((letter) => letter.repeat(200_000));
      await store.put('torn', contents[0] ?? '');
      const write = async () => {
        for (let round = 0; round < 60; round += 1) await store.put('torn', contents[round % 2] ?? '');
      };
      const read = async () => {
        for (let round = 0; round < 60; round += 1) {
          const content = (await contentOf('torn'))?.toString();
          expect(contents.includes(content ?? '')).toBe(true);
        }
      };
      await Promise.all([write(), read(), read()]);
    });

    describe('metadata', () => {
      it('keeps any text as a value', async () => {
        const metadata = {
          cyrillic: 'Счёт-фактура № 42',
          emoji: '🧾 ¥ “quoted”',
          japanese: '請求書',
          spaces: '  leading and trailing  ',
          empty: '',
          percent: '100%25 =?utf-8?Q?x?=',
          lines: 'one\ntwo\r\n\tthree',
          control: '\u0000\u0001\u007f',
          'two-spaces': 'a  b',
          'as-encoded': 'base64:eA',
          json: '{"a":["b",1],"c":"ü"}',
          'with-hyphen-9': 'x',
        };
        await store.put('meta', 'x', { metadata });
        expect((await store.head('meta'))?.metadata).toEqual(metadata);
      });

      it.each([
        ['plain ASCII', 'b', 2036],
        ['two-byte letters', 'ü', 760],
        ['three-byte letters', '請', 507],
      ])('takes 2 KiB as S3 counts them, of %s, and refuses more', async (_, letter, most) => {
        await store.put('meta', 'x', { metadata: { a: letter.repeat(most) } });
        expect((await store.head('meta'))?.metadata).toEqual({ a: letter.repeat(most) });
        const more = { metadata: { a: letter.repeat(most + 1) } };
        await expect(store.put('more', 'x', more)).rejects.toMatchObject({
          name: 'ObjectStoreError',
          code: 'invalid_metadata',
          retryable: false,
        });
        expect(await store.head('more')).toBeUndefined();
      });

      it('takes many entries', async () => {
        const entries = Array.from(
          { length: 50 },
          (_, index) => [`entry-${index}`, `value ${index}`] as const,
        );
        const metadata = Object.fromEntries(entries);
        await store.put('meta', 'x', { metadata });
        expect((await store.head('meta'))?.metadata).toEqual(metadata);
      });

      it('tells names apart from headers that mean something to a server', async () => {
        const names = ['content-type', 'content-length', 'if-none-match', 'x-amz-meta-a', 'etag', 'host'];
        const metadata = Object.fromEntries(names.map((name) => [name, `own ${name}`]));
        await store.put('meta', 'x', { contentType: 'text/plain', metadata });
        expect(await store.head('meta')).toMatchObject({ contentType: 'text/plain', size: 1 });
        expect((await store.head('meta'))?.metadata).toEqual(metadata);
      });

      it.each(['Upper', 'under_score', 'sp ace', 'ü', '', 'a:b'])('refuses the name "%s"', async (name) => {
        await expect(store.put('meta', 'x', { metadata: { [name]: 'x' } })).rejects.toMatchObject({
          code: 'invalid_metadata',
        });
      });

      it('refuses a content type that no header can hold', async () => {
        await expect(store.put('meta', 'x', { contentType: 'text/plain\r\nx: y' })).rejects.toMatchObject({
          code: 'invalid_metadata',
        });
      });
    });

    describe('keys', () => {
      it.each([
        'a',
        '.hidden',
        '...',
        'a..b/c--d',
        '-/_/.x',
        'UPPER/lower',
        '007',
        '1e3',
        '1.50',
        'true',
        '0x1f',
        `${'s'.repeat(200)}/${'t'.repeat(200)}`,
        Array.from({ length: 256 }, () => 'x').join('/'),
      ])('takes key no. %# of the allowed', async (key) => {
        await store.put(key, 'x');
        expect((await store.read(key))?.toString()).toBe('x');
        expect(await keysOf('')).toEqual([key]);
      });

      it.each([
        '',
        '/',
        'a/',
        '/a',
        'a//b',
        '.',
        '..',
        '../a',
        'a/../b',
        'a/./b',
        'a/..',
        'a b',
        'ä',
        'a\0b',
        'a\\b',
        'a%2fb',
        'a@',
        'a:b',
        'x'.repeat(201),
        `${'abc/'.repeat(128)}d`,
      ])('refuses %j everywhere', async (key) => {
        const refused = { name: 'ObjectStoreError', code: 'invalid_key', retryable: false };
        await expect(store.put(key, 'x')).rejects.toMatchObject(refused);
        await expect(store.get(key)).rejects.toMatchObject(refused);
        await expect(store.read(key)).rejects.toMatchObject(refused);
        await expect(store.head(key)).rejects.toMatchObject(refused);
        await expect(store.delete(key)).rejects.toMatchObject(refused);
      });

      it('tells keys apart by case and lets one be the prefix of another', async () => {
        await fill('a/b', 'a/b/c', 'a/B', 'a');
        expect(await keysOf('')).toEqual(['a', 'a/B', 'a/b', 'a/b/c']);
        await store.delete('a/b');
        expect((await store.read('a/b/c'))?.toString()).toBe('a/b/c');
        expect(await store.head('a/b')).toBeUndefined();
      });

      it('reports its errors as ObjectStoreError', async () => {
        await expect(store.read('..')).rejects.toBeInstanceOf(ObjectStoreError);
      });
    });

    describe('list', () => {
      const keys = ['a/1', 'a/b/2', 'a/b/c/3', 'a-x', 'a.y', 'b/4', 'documents/20261121T0305Z/acme/gen-1'];

      it('lists everything below a prefix, ordered by key', async () => {
        await fill(...keys);
        expect(await keysOf('')).toEqual(keys.toSorted());
        expect(await keysOf('a/')).toEqual(['a/1', 'a/b/2', 'a/b/c/3']);
        expect(await keysOf('a')).toEqual(['a-x', 'a.y', 'a/1', 'a/b/2', 'a/b/c/3']);
        expect(await keysOf('documents/2026')).toEqual(['documents/20261121T0305Z/acme/gen-1']);
        expect(await store.list('c/')).toEqual({ objects: [], prefixes: [] });
        expect(await store.list('a/1/')).toEqual({ objects: [], prefixes: [] });
      });

      it('tells size and time', async () => {
        await store.put('sized', 'four', { metadata: { more: 'than that' } });
        const { objects } = await store.list('');
        expect(objects).toHaveLength(1);
        expect(objects[0]).toMatchObject({ key: 'sized', size: 4 });
        expect(objects[0]?.lastModified).toEqual((await store.head('sized'))?.lastModified);
      });

      it('stops at the delimiter and gives the rest as prefixes', async () => {
        await fill(...keys);
        const root = await store.list('', { delimiter: '/' });
        expect(root.objects.map(({ key }) => key)).toEqual(['a-x', 'a.y']);
        expect(root.prefixes).toEqual(['a/', 'b/', 'documents/']);
        const level = await store.list('a/', { delimiter: '/' });
        expect(level.objects.map(({ key }) => key)).toEqual(['a/1']);
        expect(level.prefixes).toEqual(['a/b/']);
        expect((await store.list('documents/2026', { delimiter: '/' })).prefixes).toEqual([
          'documents/20261121T0305Z/',
        ]);
      });

      it('shows no prefix that has no object left', async () => {
        await fill('a/b/c/1', 'z/1');
        await store.delete('a/b/c/1');
        expect((await store.list('', { delimiter: '/' })).prefixes).toEqual(['z/']);
      });

      it('lists and deletes more than a thousand', async () => {
        const levels = Array.from({ length: 1100 }, (_, index) => `many/${String(index).padStart(5, '0')}/`);
        const many = levels.map((level) => `${level}object`);
        for (let start = 0; start < many.length; start += 50) await fill(...many.slice(start, start + 50));
        await fill('many-more');
        expect(await keysOf('many/')).toEqual(many);
        expect(await store.list('many/', { delimiter: '/' })).toEqual({ objects: [], prefixes: levels });
        expect(await store.deletePrefix('many/')).toBe(1100);
        expect(await keysOf('')).toEqual(['many-more']);
      });

      it('keeps every key of a level, also one that is the level of others, in order', async () => {
        const mixed = ['a', 'a-x', 'a.y', 'a/1', 'aa', 'aa/1'];
        await fill(...mixed);
        expect(await keysOf('')).toEqual(mixed);
        expect(await keysOf('a')).toEqual(mixed);
        const level = await store.list('', { delimiter: '/' });
        expect(level.objects.map(({ key }) => key)).toEqual(['a', 'a-x', 'a.y', 'aa']);
        expect(level.prefixes).toEqual(['a/', 'aa/']);
      });

      it('refuses what no key can start with', async () => {
        for (const prefix of ['/', 'a//', '../', 'a/../b', 'a b', 'x'.repeat(513)]) {
          await expect(store.list(prefix)).rejects.toMatchObject({ code: 'invalid_key' });
        }
      });
    });

    describe('delete', () => {
      it('deletes one object and leaves the others', async () => {
        await fill('a/1', 'a/2');
        await store.delete('a/1');
        expect(await keysOf('')).toEqual(['a/2']);
      });

      it('counts as deleted what is not there', async () => {
        await fill('a/1');
        await store.delete('a/2');
        await store.delete('b/c/d');
        await store.delete('a/1');
        await store.delete('a/1');
        expect(await keysOf('')).toEqual([]);
      });

      it('deletes everything below a prefix, and nothing beside it', async () => {
        await fill('a/1', 'a/b/2', 'a/b/c/3', 'ab/4', 'a-', 'a');
        expect(await store.deletePrefix('a/')).toBe(3);
        expect(await keysOf('')).toEqual(['a', 'a-', 'ab/4']);
        expect(await store.deletePrefix('a/')).toBe(0);
      });

      it('refuses a prefix that does not end with a slash, and the whole store', async () => {
        await fill('a/1');
        for (const prefix of ['', 'a', '/', 'a/1', '../']) {
          await expect(store.deletePrefix(prefix)).rejects.toMatchObject({ code: 'invalid_key' });
        }
        expect(await keysOf('')).toEqual(['a/1']);
      });

      it('never loses a put that comes while its level is deleted', async () => {
        for (let round = 0; round < 20; round += 1) {
          await fill('bucket/acme/old');
          const [, put] = await Promise.all([
            store.deletePrefix('bucket/'),
            store.put('bucket/acme/new', 'new', { ifAbsent: true }),
          ]);
          expect(put).toEqual({ created: true });
          // Deleted with the level or not; but never broken, and the place is free or taken as it says.
          const there = (await store.head('bucket/acme/new')) !== undefined;
          const again = await store.put('bucket/acme/new', 'again', { ifAbsent: true });
          expect(again.created).toBe(!there);
          await store.deletePrefix('bucket/');
        }
      });
    });

    it('says that it is there', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
