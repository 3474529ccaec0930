import { attachmentsKey, BATCH, documentKeyOf, GENERATION_JOB } from '@trifold/crds';
import { unpackAttachments } from '@trifold/platform/records/documents/attachments.ts';
import { describe, expect, it } from 'vitest';
import { E_INVOICE, INVOICE_DATA } from '@trifold/test-support/e-invoice.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const gateway = await GatewayFixture.shared();
const template_id = await gateway.template({ e_invoice: E_INVOICE });
const xmlOnly = await gateway.template({ e_invoice: { ...E_INVOICE, format: 'xml' } });
const plain = await gateway.template();
const { number: _number, ...WITHOUT_NUMBER } = INVOICE_DATA;

const generate = async (more: object = {}, key?: string) =>
  gateway.call('POST', '/v1/generate', {
    body: { template_id, data: INVOICE_DATA, async: true, ...more },
    ...(key !== undefined && { key }),
  });
const batch = async (members: object) =>
  gateway.call('POST', '/v1/generate/batch', { body: { template_id, format: 'pdf', ...members } });

async function stored(id: string) {
  const job = await gateway.kubernetes.resource(GENERATION_JOB).get('acme', id);
  const { attachmentsRef } = job.spec;
  expect(attachmentsRef?.key).toBe(attachmentsKey(documentKeyOf(job)));
  return unpackAttachments((await gateway.store.read(attachmentsRef?.key ?? '')) ?? expect.fail());
}

describe('The e-invoice of a document', () => {
  it('is created at acceptance, and stored with the attachments', async () => {
    const attachments = [{ filename: 'a.txt', mime_type: 'text/plain', data: '' }];
    const response = await generate({ attachments });
    expect(response.statusCode, response.body).toBe(202);
    const [other, file] = await stored(response.json().id);
    expect(other).toMatchObject({ filename: 'a.txt' });
    expect(file).toMatchObject({
      filename: 'factur-x.xml',
      mimeType: 'text/xml',
      relationship: 'alternative',
      eInvoice: 'en16931',
    });
    expect(file?.bytes.toString()).toContain(INVOICE_DATA.number);
    expect(file?.bytes.toString()).not.toContain('TEST');
  });

  it('carries the note TEST for a test key', async () => {
    const key = await gateway.mint({ mode: 'test' });
    const { id } = (await generate({}, key)).json();
    const [file] = await stored(id);
    expect(file?.bytes.toString()).toContain('TEST');
  });
});
