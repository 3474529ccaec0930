import { readFile } from 'node:fs/promises';
import { eInvoiceCreator, eInvoiceProblems } from '@trifold/platform/e-invoices/create-e-invoice.ts';
import type { EInvoiceSpec } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { blocks, page } from './pages.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);

it.each(['en16931', 'xrechnung'] as const)(
  'The example is a valid invoice in the %s profile',
  async (profile) => {
    const { spec } = parse(await readFile(new URL('e-invoice.yaml', EXAMPLES), 'utf8')) as {
      spec: { eInvoice: EInvoiceSpec };
    };
    const data: unknown = JSON.parse(await readFile(new URL('e-invoice/data.json', EXAMPLES), 'utf8'));
    const eInvoice = { ...spec.eInvoice, profile };
    expect(eInvoiceProblems(eInvoice)).toEqual([]);
    expect(eInvoiceCreator(eInvoice, { test: false, locale: 'de-DE' })(data)).toHaveProperty('xml');
  },
);

it('The mapping in the how-to has no mistakes except for missing terms', async () => {
  const [, json = ''] = blocks(await page('docs/how-to/e-invoices.md'), 'json');
  const mapping = JSON.parse(json) as EInvoiceSpec['mapping'];
  const problems = eInvoiceProblems({ format: 'xml', profile: 'en16931', syntax: 'cii', mapping });
  expect(problems.map(({ message }) => message).filter((message) => !message.includes(' needs "'))).toEqual(
    [],
  );
});
