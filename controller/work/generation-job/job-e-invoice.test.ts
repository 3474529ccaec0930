import { attachmentsKey, documentKeyOf, type TemplateSpec } from '@trifold/crds';
import { unpackAttachments } from '@trifold/platform/records/documents/attachments.ts';
import { revisionOf, RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { E_INVOICE, INVOICE_DATA, WRONG_TOTAL } from '@trifold/test-support/e-invoice.ts';
import { describe, expect, it } from 'vitest';
import { ControllerFixture, type ServiceOptions } from '../../testing/controller-fixture.ts';
import { renderInto } from '../../testing/scripted-renderer.ts';

const fixture = ControllerFixture.forEachTest();

/** Starts the controllers. Returns the e-invoices that renderers find, by the format of their document. */
async function booted(options: ServiceOptions = {}): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await fixture.boot({
    ...options,
    async render(task) {
      const [key] = task.attachmentKeys ?? [];
      const packed = key === undefined ? undefined : await fixture.store.read(key);
      const files = packed ? unpackAttachments(packed) : [];
      found.set(
        task.document.format,
        files.map(({ eInvoice, bytes }) => `${eInvoice} ${bytes.toString()}`).join(),
      );
      return renderInto(fixture.store, task, fixture.clock.now());
    },
  });
  return found;
}

describe('The e-invoice of a job created with kubectl', () => {
  it('is created by the controller, referred to in the status, and deleted at the end', async () => {
    const found = await booted();
    await fixture.template({ eInvoice: E_INVOICE });
    const schema = { fields: [{ name: 'number', type: 'string' as const, default: 'DEFAULT-7' }] };
    const template = {
      html: '<p></p>',
      schema,
      eInvoice: { ...E_INVOICE, syntax: 'ubl', format: 'xml' } as const,
    };
    const { number: _number, ...withoutNumber } = INVOICE_DATA;
    await fixture.kubectlJob('pdf', { data: INVOICE_DATA, mode: 'test' });
    await fixture.kubectlJob('xml', { template, data: withoutNumber, format: 'xml' });
    await fixture.kubectlJob('png', { format: 'png' });
    const { status, ...job } = await fixture.finished('pdf');
    const key = attachmentsKey(documentKeyOf(job));
    expect(status).toMatchObject({ phase: 'Completed', attachmentsRef: { key } });
    expect(found.get('pdf')).toMatch(/^en16931 .*INV-2026-0042.*<ram:Content>TEST</s);
    expect((await fixture.finished('xml')).status?.phase).toBe('Completed');
    expect(found.get('xml')).toMatch(/^en16931 .*<cbc:ID>DEFAULT-7</s);
    expect((await fixture.finished('png')).status).not.toHaveProperty('attachmentsRef');
    expect(found.get('png')).toBe('');
    await eventually(async () => (await fixture.store.read(key)) === undefined);
  });

  it('is created for the revision that the job names, even if the queue carries the data', async () => {
    const found = await booted({ carriedDataBytes: 100_000 });
    const { eInvoice, ...content } = { displayName: 'Invoice', html: '<p></p>', eInvoice: E_INVOICE };
    const revisions = new RevisionStore(fixture.store);
    const stored = async (spec: TemplateSpec) => {
      const revision = revisionOf(spec, { html: '<p></p>' });
      await revisions.ensure('default', revision, fixture.clock.now());
      return { revision: revision.sha256, version: 7 };
    };
    const named = await stored({ ...content, eInvoice });
    await fixture.kubectlJob('pdf', { ...named, data: INVOICE_DATA });
    expect((await fixture.finished('pdf')).status).toMatchObject({ phase: 'Completed', ...named });
    expect(found.get('pdf')).toMatch(/^en16931 .*INV-2026-0042/s);
    await fixture.kubectlJob('wrong', { ...named, data: WRONG_TOTAL });
    expect((await fixture.finished('wrong')).status?.error?.code).toBe('invoice_invalid');
    await fixture.kubectlJob('png', { ...named, format: 'png' });
    await fixture.kubectlJob('plain', await stored(content));
    for (const name of ['png', 'plain']) {
      expect((await fixture.finished(name)).status).toMatchObject({ phase: 'Completed' });
      expect((await fixture.finished(name)).status).not.toHaveProperty('attachmentsRef');
    }
  });

  it('has its checksum recorded in the status', async () => {
    const found = Promise.withResolvers<string>();
    await fixture.boot({
      async render(task) {
        found.resolve(sha256Hex((await fixture.store.read(task.attachmentKeys?.[0] ?? '')) ?? ''));
        return renderInto(fixture.store, task, fixture.clock.now());
      },
    });
    await fixture.template({ eInvoice: E_INVOICE });
    await fixture.kubectlJob('job', { data: INVOICE_DATA });
    expect((await fixture.finished('job')).status?.attachmentsRef?.sha256).toBe(await found.promise);
  });

  const other = { key: 'documents/x', sha256: 'a'.repeat(64), size: 1 };
  it.each([
    [
      'data that breaks a rule',
      { data: WRONG_TOTAL },
      'invoice_invalid',
      /^the e-invoice is invalid: \/data\/total: BR-CO-15: /,
    ],
    [
      'a level of PDF/A-2',
      { options: { conformance: 'a-2b' } },
      'options_invalid',
      /^options\.conformance is a-2b/,
    ],
    [
      'a template without one',
      { template: { html: 'x' }, format: 'xml' },
      'not_an_e_invoice_template',
      /eInvoice/,
    ],
    ['attachments', { attachmentsRef: other }, 'data_missing', /attachmentsRef/],
  ] as const)('fails the job with %s', async (_what, spec, code, message) => {
    await booted();
    await fixture.template({ eInvoice: E_INVOICE });
    await fixture.kubectlJob('job', { data: INVOICE_DATA, ...spec });
    const { status } = await fixture.finished('job');
    expect(status).toMatchObject({
      phase: 'Failed',
      error: { code, message: expect.stringMatching(message) },
    });
  });
});

it('A template whose mapping was changed with kubectl is checked again, as a new version', async () => {
  await fixture.boot();
  await fixture.template({ eInvoice: E_INVOICE });
  const checked = async (generation: number) =>
    eventually(async () => {
      const { status } = await fixture.templates.get('default', 'invoice');
      return status?.observedGeneration === generation && status;
    });
  const before = await checked(1);
  expect(before.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
  const at = { namespace: 'default', name: 'invoice' };
  const change = async (mapping: object) => fixture.templates.patch(at, { spec: { eInvoice: { mapping } } });
  await change({ 'BT-20 payment terms': '{{terms}}' });
  const changed = await checked(2);
  expect(changed.conditions).toMatchObject([{ status: 'True' }]);
  expect(changed.revision).not.toBe(before.revision);
  await change({ 'BT-20 payment terms': '{{#if}}' });
  expect(await checked(3)).toMatchObject({
    conditions: [{ status: 'False', reason: 'SyntaxError', message: expect.stringContaining('BT-20') }],
    error: { line: expect.any(Number) },
  });
});
