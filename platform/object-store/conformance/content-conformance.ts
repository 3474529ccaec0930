import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { StoreFixture } from './store-fixture.ts';

const MEBIBYTE = 2 ** 20;

export function describeContent(fixture: StoreFixture): void {
  describe('put, read, get and head', () => {
    it('return the stored content', async () => {
      const content = randomBytes(40_000);
      expect(await fixture.store.put('documents/a/one', content)).toEqual({ created: true });
      expect(await fixture.store.read('documents/a/one')).toEqual(content);
      expect(await fixture.contentOf('documents/a/one')).toEqual(content);
    });

    it('encode a string as UTF-8', async () => {
      await fixture.store.put('text', 'Счёт № 7 — ¥');
      expect((await fixture.store.read('text'))?.toString()).toBe('Счёт № 7 — ¥');
    });

    it('find nothing under a key that was never put', async () => {
      await fixture.fill('a/b');
      for (const key of ['a', 'a/c', 'a/b/c', 'x/y/z']) {
        expect(await fixture.store.read(key)).toBeUndefined();
        expect(await fixture.store.get(key)).toBeUndefined();
        expect(await fixture.store.head(key)).toBeUndefined();
      }
    });

    it('return the size, content type, metadata and time', async () => {
      const before = Date.now();
      const described = { contentType: 'application/pdf', metadata: { pages: '2' } };
      await fixture.store.put('described', 'äöü', described);
      const info = await fixture.store.head('described');
      expect(info).toMatchObject({ key: 'described', size: 6, ...described });
      expect(Math.abs((info?.lastModified.getTime() ?? 0) - before)).toBeLessThan(10 * 60_000);
      const object = await fixture.store.get('described');
      object?.body.destroy();
      expect(object?.info).toEqual(info);
    });

    it('use application/octet-stream for content without a type', async () => {
      await fixture.store.put('plain', 'x');
      const plain = { contentType: 'application/octet-stream', metadata: {} };
      expect(await fixture.store.head('plain')).toMatchObject(plain);
    });

    it('replace an object completely, including its metadata', async () => {
      const first = { contentType: 'text/plain', metadata: { old: '1' } };
      await fixture.store.put('key', 'a long first content', first);
      expect(await fixture.store.put('key', 'short', { metadata: { new: '2' } })).toEqual({ created: true });
      expect((await fixture.store.read('key'))?.toString()).toBe('short');
      expect(await fixture.store.head('key')).toMatchObject({ size: 5, metadata: { new: '2' } });
      expect((await fixture.store.head('key'))?.metadata).not.toHaveProperty('old');
    });

    it('keep empty objects', async () => {
      await fixture.store.put('empty', new Uint8Array(0), { metadata: { a: 'b' } });
      expect(await fixture.store.read('empty')).toEqual(Buffer.alloc(0));
      expect(await fixture.contentOf('empty')).toEqual(Buffer.alloc(0));
      expect(await fixture.store.head('empty')).toMatchObject({ size: 0, metadata: { a: 'b' } });
    });

    it.each([1, 65_535, 65_536, 65_537, 131_072])('return %i bytes exactly', async (size) => {
      const content = randomBytes(size);
      await fixture.store.put('sized', content);
      expect((await fixture.store.read('sized'))?.equals(content)).toBe(true);
      expect((await fixture.contentOf('sized'))?.equals(content)).toBe(true);
      expect(await fixture.store.head('sized')).toMatchObject({ size });
    });

    it('store a slice of a larger buffer', async () => {
      const whole = randomBytes(1000);
      await fixture.store.put('part', whole.subarray(100, 200));
      await fixture.store.put('view', new Uint8Array(whole.buffer, whole.byteOffset + 200, 100));
      expect(await fixture.store.read('part')).toEqual(whole.subarray(100, 200));
      expect(await fixture.store.read('view')).toEqual(whole.subarray(200, 300));
    });

    it.each([10, 70])('keep objects of %i MiB', async (size) => {
      const content = randomBytes(size * MEBIBYTE + 1);
      await fixture.store.put('large', content, { contentType: 'application/pdf' });
      expect((await fixture.store.read('large'))?.equals(content)).toBe(true);
      expect((await fixture.contentOf('large'))?.equals(content)).toBe(true);
    });

    it('allow a stream to be destroyed in the middle', async () => {
      const content = randomBytes(MEBIBYTE);
      await fixture.store.put('stream', content);
      for (let round = 0; round < 20; round += 1) {
        const object = await fixture.store.get('stream');
        for await (const chunk of object?.body ?? []) {
          expect((chunk as Buffer).length).toBeGreaterThan(0);
          break;
        }
        expect(object?.body.destroyed).toBe(true);
      }
      expect((await fixture.contentOf('stream'))?.equals(content)).toBe(true);
    });

    it('keep concurrent reads separate', async () => {
      const keys = Array.from({ length: 40 }, (_, index) => `many/${index}`);
      await Promise.all(keys.map((key) => fixture.store.put(key, key.repeat(5000), { metadata: { key } })));
      const read = await Promise.all(keys.map((key) => fixture.store.read(key)));
      expect(read.map((content) => content?.toString())).toEqual(keys.map((key) => key.repeat(5000)));
      const infos = await Promise.all(keys.map((key) => fixture.store.head(key)));
      expect(infos.map((info) => info?.metadata['key'])).toEqual(keys);
    });

    it('store a copy of the buffer, unaffected by later changes', async () => {
      const content = Buffer.from('before');
      await fixture.store.put('kept', content);
      content.fill('x');
      expect((await fixture.store.read('kept'))?.toString()).toBe('before');
    });
  });
}

export function describeIfAbsent(fixture: StoreFixture): void {
  describe('put with ifAbsent', () => {
    it('keeps an existing object', async () => {
      await fixture.store.put('once', 'first', { ifAbsent: true, metadata: { by: 'first' } });
      const options = { ifAbsent: true, metadata: { by: 'second' } };
      const second = await fixture.store.put('once', 'second', options);
      expect(second).toEqual({ created: false });
      expect((await fixture.store.read('once'))?.toString()).toBe('first');
      expect(await fixture.store.head('once')).toMatchObject({ metadata: { by: 'first' } });
    });

    it('stores an object again after it was deleted', async () => {
      await fixture.store.put('once', 'first', { ifAbsent: true });
      await fixture.store.delete('once');
      expect(await fixture.store.put('once', 'second', { ifAbsent: true })).toEqual({ created: true });
    });

    it('has one winner among concurrent calls, and all readers see its content', async () => {
      for (let round = 0; round < 10; round += 1) {
        const key = `races/${round}/result`;
        const racers = Array.from({ length: 16 }, (_, index) => String(index));
        const outcomes = await Promise.all(
          racers.map((racer) =>
            fixture.store.put(key, racer.repeat(10_000), { ifAbsent: true, metadata: { racer } }),
          ),
        );
        const winners = racers.filter((_, index) => outcomes[index]?.created);
        expect(winners).toHaveLength(1);
        expect(await fixture.store.head(key)).toMatchObject({ metadata: { racer: winners[0] } });
        expect((await fixture.store.read(key))?.toString()).toBe(winners[0]?.repeat(10_000));
      }
    });
  });
}

export function describeMetadata(fixture: StoreFixture): void {
  describe('metadata', () => {
    it('keeps any string as a value', async () => {
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
      await fixture.store.put('meta', 'x', { metadata });
      expect((await fixture.store.head('meta'))?.metadata).toEqual(metadata);
    });

    it.each([
      ['plain ASCII', 'b', 2036],
      ['two-byte letters', 'ü', 760],
      ['three-byte letters', '請', 507],
    ])('accepts 2 KiB of %s as S3 counts them and rejects more', async (_, letter, most) => {
      await fixture.store.put('meta', 'x', { metadata: { a: letter.repeat(most) } });
      expect((await fixture.store.head('meta'))?.metadata).toEqual({ a: letter.repeat(most) });
      const more = { metadata: { a: letter.repeat(most + 1) } };
      const rejected = { code: 'invalid_metadata', retryable: false };
      await expect(fixture.store.put('more', 'x', more)).rejects.toMatchObject(rejected);
      expect(await fixture.store.head('more')).toBeUndefined();
    });

    it('accepts many entries', async () => {
      const entries = Array.from({ length: 50 }, (_, index) => [`entry-${index}`, `value ${index}`] as const);
      const metadata = Object.fromEntries(entries);
      await fixture.store.put('meta', 'x', { metadata });
      expect((await fixture.store.head('meta'))?.metadata).toEqual(metadata);
    });

    it('keeps names of standard HTTP headers separate from the headers', async () => {
      const names = ['content-type', 'content-length', 'if-none-match', 'x-amz-meta-a', 'etag', 'host'];
      const metadata = Object.fromEntries(names.map((name) => [name, `own ${name}`]));
      await fixture.store.put('meta', 'x', { contentType: 'text/plain', metadata });
      expect(await fixture.store.head('meta')).toMatchObject({ contentType: 'text/plain', size: 1 });
      expect((await fixture.store.head('meta'))?.metadata).toEqual(metadata);
    });

    it.each(['Upper', 'under_score', 'sp ace', 'ü', '', 'a:b'])(
      'rejects the metadata name "%s"',
      async (name) => {
        await expect(fixture.store.put('meta', 'x', { metadata: { [name]: 'x' } })).rejects.toMatchObject({
          code: 'invalid_metadata',
        });
      },
    );

    it('rejects a content type that is not a valid header value', async () => {
      await expect(
        fixture.store.put('meta', 'x', { contentType: 'text/plain\r\nx: y' }),
      ).rejects.toMatchObject({
        code: 'invalid_metadata',
      });
    });
  });
}
