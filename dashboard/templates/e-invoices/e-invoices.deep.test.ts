import type { NewTemplate, Template } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { E_INVOICE, INVOICE_DATA, WRONG_TOTAL } from '../../../test/support/e-invoice.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { client, service } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

const MAPPING = '[aria-label=Mapping]';

/** Creates a template and opens its E-invoice tab. */
async function edit(template: Partial<NewTemplate> = {}, data: object = INVOICE_DATA): Promise<Template> {
  const html = '<!doctype html><html lang="de"><title>Invoice</title><h1>Invoice {{number}}</h1>';
  const created = await client.templates.create({
    name: 'E-invoice',
    html,
    e_invoice: E_INVOICE,
    ...template,
  });
  await client.templates.saveSamples(created.id, [{ name: 'Example', data: { ...data } }]);
  await dashboard.signIn(service.liveKey, `/templates/${created.id}`);
  await openTab();
  return created;
}

async function openTab(): Promise<void> {
  await dashboard.page.locator('#part-e_invoice-tab').click();
}

async function replaceMapping(text: string): Promise<void> {
  await dashboard.page.locator(MAPPING).fill(text);
}

/** The labels of the offered completions. */
async function offered(): Promise<string[]> {
  await dashboard.page.waitForSelector('[role=option]');
  return dashboard.page.$$eval('.cm-completionLabel', (labels) =>
    labels.map(({ textContent }) => textContent),
  );
}

/** Accepts the selected completion once it has this label. */
async function accept(label: string): Promise<void> {
  const selected = `document.querySelector('[role=option][aria-selected=true] .cm-completionLabel')?.textContent`;
  await dashboard.page.waitForFunction(`${selected} === '${label}'`);
  // The editor does not accept a completion that has only just appeared.
  const shownAt = Number(await dashboard.page.evaluate('performance.now()'));
  await dashboard.page.waitForFunction(`performance.now() - ${shownAt} > 100`);
  await dashboard.keys('Enter');
}

/** The text of the mapping's lines with errors. */
async function markedLines(): Promise<string[]> {
  return dashboard.page.$$eval(`${MAPPING} .cm-line:has(.cm-lintRange-error)`, (lines) =>
    lines.map(({ textContent }) => textContent.trim()),
  );
}

describe('The E-invoice tab', () => {
  it('completes business terms for the group and the profile, lists and bindings', async () => {
    await edit({ e_invoice: { ...E_INVOICE, profile: 'basic' } });
    const { page } = dashboard;
    await page.locator(MAPPING).click();
    await dashboard.keys('Control', 'a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('{\n"');
    const [first, ...others] = await offered();
    expect(first).toBe('BT-1 invoice number');
    expect(others.slice(0, 2)).toEqual(['BT-2 invoice issue date', 'BT-3 invoice type code']);
    // Basic has no project reference.
    expect(others).not.toContain('BT-11 project reference');
    await dashboard.screenshots('e-invoice-completion');
    await page.keyboard.type('invoice number');
    await accept('BT-1 invoice number');
    await page.keyboard.type('num');
    await accept('number');
    await dashboard.keys('End');
    await page.keyboard.type(',\n"BG-25');
    await accept('BG-25 invoice line');
    await accept('lines');
    await dashboard.keys('Tab');
    await page.keyboard.type('"item');
    await accept('BG-31 item information');
    await dashboard.keys('Control', 'Space');
    expect(await offered()).not.toContain('BT-1 invoice number');
    await page.keyboard.type('name');
    await accept('BT-153 item name');
    await page.keyboard.type('name');
    await accept('name');
    await eventually(async () =>
      expect(JSON.parse(await page.$eval(MAPPING, ({ textContent }) => textContent))).toEqual({
        'BT-1 invoice number': '{{number}}',
        'BG-25 invoice line': {
          each: 'lines',
          item: { 'BG-31 item information': { 'BT-153 item name': '{{name}}' } },
        },
      }),
    );
  });

  it('marks mistakes and broken rules on the line of their term, and jumps to them', async () => {
    const { id } = await edit({}, WRONG_TOTAL);
    await eventually(async () =>
      expect(await markedLines()).toContain('"BT-112 invoice total amount with VAT": "{{total}}",'),
    );
    await dashboard.press('1 error');
    await dashboard.shows('BR-CO-15', 'In the data: total.');
    await dashboard.page.locator('#part-html-tab').click();
    await dashboard.page.locator('.problems_go').click();
    await dashboard.page.waitForSelector(`${MAPPING}:focus`);
    await dashboard.screenshots('e-invoice-problems');

    const { 'BT-1 invoice number': number, ...mapping } = E_INVOICE.mapping;
    const wrong = JSON.stringify({ 'BT-1 invoice nr': number, ...mapping }, null, 4);
    await replaceMapping(wrong);
    await eventually(async () => expect(await markedLines()).toContain('"BT-1 invoice nr": "{{number}}",'));
    // The response to the save is 422.
    dashboard.expectComplaint(/422/);
    await dashboard.keys('Control', 's');
    await dashboard.shows('The e-invoice cannot be used');
    expect((await client.templates.get(id)).version).toBe(1);
    await eventually(async () => expect(await markedLines()).toContain('"BT-1 invoice nr": "{{number}}",'));
    dashboard.page.on('dialog', (dialog) => void dialog.accept());
    await dashboard.page.reload();
    await dashboard.shows('The editor restored your unsaved changes');
    await openTab();
    await eventually(async () =>
      expect(await dashboard.page.$eval(MAPPING, ({ textContent }) => textContent)).toContain('invoice nr'),
    );
  });

  it('shows the XML, alone or next to the page, and follows the mapping', async () => {
    const { id } = await edit();
    await dashboard.press('Show the XML');
    await dashboard.page.waitForSelector('.preview_xml .tok-typeName');
    const xml = async () =>
      dashboard.page.$eval('.preview_xml .cm-content', ({ textContent }) => textContent);
    expect(await xml()).toContain('CrossIndustryInvoice');
    await dashboard.press('Show the page next to the XML');
    await dashboard.page.waitForSelector('.preview_result[aria-label=Page] .preview_page canvas');
    await dashboard.expectAccessible('e-invoice-xml');
    await dashboard.page.select('select:has(option[value=xml])', 'xml');
    await dashboard.page.select('select:has(option[value=ubl])', 'ubl');
    await eventually(async () => expect(await xml()).toContain('xsd:Invoice-2'));
    await dashboard.press('Download');
    expect((await dashboard.downloaded('preview.xml')).toString()).toContain('<Invoice');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Version 2, saved');
    expect((await client.templates.get(id)).e_invoice).toEqual({
      ...E_INVOICE,
      format: 'xml',
      syntax: 'ubl',
    });
    const document = await client.documents.generate({ template_id: id, data: INVOICE_DATA, format: 'xml' });
    await dashboard.go(`/documents/${document.id}`);
    await dashboard.page.waitForSelector('.preview_xml .tok-typeName');
    await dashboard.expectAccessible('e-invoice-document');
  });

  it('starts with all required terms, and allows only the formats and syntaxes of the profile', async () => {
    const { id } = await edit({ e_invoice: null });
    await dashboard.page.locator('.editor_form input[type=checkbox]').click();
    await eventually(async () =>
      expect(await markedLines()).toEqual(expect.arrayContaining(['"BT-1 invoice number": "",'])),
    );
    await dashboard.expectAccessible('e-invoice-empty');
    await replaceMapping(JSON.stringify(E_INVOICE.mapping));
    await dashboard.page.select('select:has(option[value=basic])', 'peppol-bis-3');
    const values = async () =>
      dashboard.page.$$eval('.editor_selects select', (selects) =>
        selects.map(({ value, options }) => [value, options.length]),
      );
    expect(await values()).toEqual([
      ['peppol-bis-3', 4],
      ['xml', 1],
      ['ubl', 1],
    ]);
    await dashboard.page.select('select:has(option[value=basic])', 'basic');
    await dashboard.page.select('select:has(option[value=factur-x])', 'factur-x');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Version 2, saved');
    expect((await client.templates.get(id)).e_invoice).toEqual({ ...E_INVOICE, profile: 'basic' });
    await dashboard.page.locator('.editor_form input[type=checkbox]').click();
    await dashboard.keys('Control', 's');
    await dashboard.shows('Version 3, saved');
    expect((await client.templates.get(id)).e_invoice).toBeNull();
  });
});
