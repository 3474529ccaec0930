import { describe, expect, it } from 'vitest';
import type { StoreFixture } from './store-fixture.ts';

export function describeMetadata(fixture: StoreFixture): void {
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
      await expect(fixture.store.put('more', 'x', more)).rejects.toMatchObject({
        code: 'invalid_metadata',
        retryable: false,
      });
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
