import { attachmentsKey, BATCH, batchItemKey, documentKeyOf, GENERATION_JOB } from '@trifold/crds';
import { unpackAttachments } from '@trifold/platform/records/documents/attachments.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const gateway = await GatewayFixture.shared();
const template_id = await gateway.template();
const archival = await gateway.template({ default_options: { conformance: 'a-2b' } });

const XML = { filename: 'factur-x.xml', mime_type: 'text/xml', data: Buffer.from('<a/>').toString('base64') };
const named = (filename: string) => ({ ...XML, filename });
const many = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, index) => named(`${prefix}${index}`));
const ofSize = (bytes: number) => ({ ...XML, data: Buffer.alloc(bytes, 'x').toString('base64') });
const MIB = 1024 * 1024;

const generate = async (attachments: unknown, more: object = {}) =>
  gateway.call('POST', '/v1/generate', {
    body: { template_id, data: {}, async: true, attachments, ...more },
  });
const batch = async (members: object) =>
  gateway.call('POST', '/v1/generate/batch', { body: { template_id, format: 'pdf', ...members } });

async function stored(ref: { key: string; sha256: string; size: number } | undefined) {
  const bytes = (await gateway.store.read(ref?.key ?? '')) ?? expect.fail();
  expect(ref).toMatchObject({ sha256: sha256Hex(bytes), size: bytes.length });
  return unpackAttachments(bytes);
}

describe('Attachments', () => {
  it('are stored and referred to by the job', async () => {
    const full = { ...XML, filename: 'Größe 請求書.xml', description: 'ü', relationship: 'alternative' };
    const empty = { ...XML, filename: 'empty', data: '' };
    const largest = { ...ofSize(4 * MIB), filename: 'largest' };
    for (const attachments of [[full, empty], [largest]]) {
      const response = await generate(attachments, { data: { text: 'x'.repeat(20_000) } });
      expect(response.statusCode, response.body).toBe(202);
      const job = await gateway.kubernetes.resource(GENERATION_JOB).get('acme', response.json().id);
      expect(job.spec.attachmentsRef?.key).toBe(attachmentsKey(documentKeyOf(job)));
      expect(JSON.stringify(job)).not.toContain(XML.data);
      expect(await stored(job.spec.attachmentsRef)).toEqual(
        attachments.map(({ mime_type: mimeType, data, ...others }) => ({
          relationship: 'unspecified',
          ...others,
          mimeType,
          bytes: Buffer.from(data, 'base64'),
        })),
      );
    }
  });

  it('of a batch are common to all items, or belong to one', async () => {
    const items = [
      { data: {} },
      { data: {}, filename: 'b', attachments: many(2) },
      { data: {}, filename: 'c' },
    ];
    const response = await batch({ items, attachments: [XML] });
    expect(response.statusCode, response.body).toBe(202);
    const { spec } = await gateway.kubernetes.resource(BATCH).get('acme', response.json().id);
    const { prefix } = spec.itemsRef;
    expect(spec.attachmentsRef?.key).toBe(attachmentsKey(prefix.slice(0, -1)));
    expect(await stored(spec.attachmentsRef)).toMatchObject([{ filename: XML.filename }]);
    const [second, third] = spec.items ?? [];
    expect(second).toMatchObject({
      index: 1,
      attachmentsRef: { key: attachmentsKey(batchItemKey(prefix, 1)) },
    });
    expect(await stored(second?.attachmentsRef)).toMatchObject([{ filename: '0' }, { filename: '1' }]);
    expect(third).toEqual({ index: 2, filename: 'c.pdf' });
  });

  it.each<[what: string, attachments: unknown, path: string, message: string, more?: object]>([
    ['a path', [XML, named('../a')], '/1/filename', 'path'],
    ['a Windows path', [named('C:a')], '/0/filename', 'path'],
    ['only dots', [named('..')], '/0/filename', 'no characters'],
    ['a control character', [named('a\nb')], '/0/filename', 'control'],
    ['a direction character', [named('a\u202efdp.exe')], '/0/filename', 'invisible'],
    ['a long name', [named('é'.repeat(128))], '/0/filename', '255'],
    ['the same name twice', [named('é'), named('e\u0301')], '/1/filename', 'another'],
    ['a media type with parameters', [{ ...XML, mime_type: 'text/xml; a=b' }], '/0/mime_type', ''],
    ['an unknown relationship', [{ ...XML, relationship: 'parent' }], '/0/relationship', ''],
    ['no base64', [{ ...XML, data: 'PGEv*g==' }], '/0/data', 'base64'],
    ['URL-safe base64', [{ ...XML, data: '-_-_' }], '/0/data', 'base64'],
    ['base64 without padding', [{ ...XML, data: 'PGEvPg' }], '/0/data', 'base64'],
    ['base64 with line breaks', [{ ...XML, data: 'PGEv\r\nPg==' }], '/0/data', 'base64'],
    ['too many', many(11), '', ''],
    ['too much', [ofSize(2 * MIB), { ...ofSize(2 * MIB + 1), filename: 'b' }], '', '4194304'],
    ['another format', [XML], '', 'docx', { format: 'docx' }],
    ['a level of PDF/A-2', [XML], '', 'a-3u', { options: { conformance: 'a-2u' } }],
    ["a level of PDF/A-2 in the template's options", [XML], '', 'a-3b', { template_id: archival }],
  ])('return 400 with the reason: %s', async (_what, attachments, path, message, more) => {
    const detail = { path: `/attachments${path}`, message: expect.stringContaining(message) as unknown };
    expect((await generate(attachments, more)).json()).toMatchObject({
      statusCode: 400,
      code: 'invalid_request',
      details: [expect.objectContaining(detail)],
    });
  });

  it.each<[what: string, members: object, path: string]>([
    ['too many together', { items: [{ data: {}, attachments: many(5) }], attachments: many(6, 'a') }, ''],
    [
      'the name of a common one',
      { items: [{ data: {}, attachments: [named('é')] }], attachments: [named('e\u0301')] },
      '/0/filename',
    ],
    ['PDF/A-2', { items: [{ data: {}, attachments: [XML] }], options: { conformance: 'a-2b' } }, ''],
  ])('of a batch item return 400 with its path: %s', async (_what, members, path) => {
    expect((await batch(members)).json()).toMatchObject({
      statusCode: 400,
      details: [{ path: `/items/0/attachments${path}` }],
    });
  });

  it.each([{ conformance: 'a-3b' }, {}])('are allowed with the options %j', async (options) => {
    expect((await generate([XML], { options })).statusCode).toBe(202);
  });

  it('raise the body limit, but not the data limit', async () => {
    const data = { text: 'x'.repeat(3 * MIB) };
    for (const attachments of [undefined, [], [XML]]) {
      const what = attachments?.length ? 'the data exceeds' : 'The body exceeds the limit of';
      const message = expect.stringContaining(`${what} 2097152 bytes`) as unknown;
      const response = await generate(attachments, { data });
      expect(response.json()).toMatchObject({ statusCode: 413, code: 'body_too_large', message });
    }
  });
});
