import type { TrifoldClient } from '@trifold/client';
import type { HTTPRequest } from 'puppeteer-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../../test/support/api.ts';
import { eventually } from '../../test/support/eventually.ts';
import { INPUTS, newAccount } from '../testing/dashboard.ts';
import { dashboard } from '../testing/each-test.ts';

/** Would run if a page interpreted it as HTML. */
const HOSTILE = '<img src=x onerror="document.title=1">';

let api: Api;
let client: TrifoldClient;
let templateId: string;
beforeEach(async () => {
  ({ api, client } = await newAccount());
  // `bad` makes a document fail: the partial is never closed.
  const html = `{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{/if}}
    <h1>Invoice {{number}}</h1><p>{{missing}}</p>`;
  templateId = (await client.templates.create({ name: 'Invoice', html })).id;
});

const invoice = async (number: string) =>
  client.documents.generate({
    template_id: templateId,
    data: { number },
    filename: `invoice-${number}`,
    metadata: { order: number, note: HOSTILE },
  });
/** The IDs in the list. */
const listed = async () =>
  dashboard.page.$$eval('tbody th a', (links) => links.map((link) => link.getAttribute('title')));
const lists = async (...ids: string[]) =>
  eventually(async () => JSON.stringify(await listed()) === JSON.stringify(ids));
const PDF = /^%PDF-/;

/** A failed document: `due` is not a date. */
const failed = async () =>
  client.documents.generate({
    template_id: (
      await client.templates.create({
        name: 'Reminder',
        html: '<h1>Due {{note}}</h1>\n<p>\n  {{formatDate due}}\n</p>',
      })
    ).id,
    data: { due: 'soon' },
    filename: 'reminder',
    options: { page_size: 'a5' },
    webhook_url: 'https://localhost:1/ends',
  });

describe('The document list', () => {
  it('shows new documents automatically, and filters, downloads and deletes documents', async () => {
    await dashboard.signIn(api.key, '/documents');
    await dashboard.shows('No documents in the last 24 hours');
    await dashboard.expectAccessible('documents-empty');

    const first = await invoice('A-1');
    await lists(first.id);
    const second = await invoice('A-2');
    await lists(second.id, first.id);
    await dashboard.shows('Completed');
    expect(await dashboard.text()).toMatch(/in 23 hours|tomorrow/);
    await dashboard.expectAccessible('documents');

    await dashboard.fill('Metadata', 'order');
    await dashboard.shows('Enter a name, an equals sign and a value');
    await dashboard.fill('Metadata', 'order=A-1');
    await lists(first.id);
    await dashboard.page.reload();
    await lists(first.id);
    await dashboard.page.select('select[name=status]', 'failed');
    await dashboard.shows('No documents match the filters');
    await dashboard.press('Clear the filters');
    await lists(second.id, first.id);
    await dashboard.fill('Search', 'invoice-a-2');
    await lists(second.id);
    await dashboard.shows('invoice-A-2.pdf');
    await dashboard.fill('Search', second.id);
    await lists(second.id);
    expect(await dashboard.page.$eval('tbody tr', (element) => element.offsetHeight)).toBeLessThan(42);
    const row = await dashboard.page.$eval('tbody tr', (element) => element.innerText);
    expect(row).toMatch(
      /invoice-A-2\.pdf\s+PDF\s+Invoice\s[^]+order=A-2, note=[^\t]+\s(a moment|\d+ minutes?) ago\s/,
    );

    await dashboard.press(`Download ${second.id}`);
    expect((await dashboard.downloaded('invoice-A-2.pdf')).toString('latin1')).toMatch(PDF);

    await dashboard.press(`Delete ${second.id}`);
    await dashboard.shows('This cannot be undone');
    await dashboard.expectAccessible('documents-delete');
    await dashboard.page.locator('dialog .button_danger').click();
    await dashboard.shows('No documents match the filters');
    await expect(client.documents.get(second.id)).rejects.toMatchObject({ status: 410 });
  });

  it('continues to update after loading more pages', async () => {
    // More than a page.
    const items = Array.from({ length: 51 }, (_, index) => String(index));
    const work = { template_id: templateId, format: 'html' } as const;
    await Promise.all(items.map(async (number) => client.documents.generate({ ...work, data: { number } })));
    await dashboard.signIn(api.key, '/documents');
    await eventually(async () => (await listed()).length === 50);
    await dashboard.press('Load more');
    await eventually(async () => (await listed()).length === 51);
    const { id } = await client.documents.generate({ ...work, data: { number: 'last' } });
    await eventually(async () => (await listed())[0] === id);
    // The list still shows the second page.
    const shown = await listed();
    expect([shown.length, new Set(shown).size]).toEqual([52, 52]);
    await client.documents.delete(shown[51]);
    await eventually(async () => !(await listed()).includes(shown[51]));
  });

  it('indicates that a request contained its template', async () => {
    await client.documents.generate({ template: { html: '<p>Hello</p>' }, data: {} });
    await dashboard.signIn(api.key, '/documents');
    await dashboard.shows('In the request');
    await dashboard.page.locator('tbody th a').click();
    await dashboard.page.waitForSelector('.preview_page canvas');
    await dashboard.shows('In the request');
  });

  it('opens and downloads a document using only the keyboard', async () => {
    const { id } = await invoice('A-3');
    await dashboard.signIn(api.key, '/documents');
    await lists(id);
    await dashboard.page.focus('tbody th a');
    const { keyboard } = dashboard.page;
    await keyboard.press('Enter');
    await dashboard.page.waitForSelector('.preview_page canvas');
    await dashboard.tabTo('Download');
    await keyboard.press('Enter');
    expect((await dashboard.downloaded('invoice-A-3.pdf')).toString('latin1')).toMatch(PDF);
    await dashboard.tabTo('Delete');
    await keyboard.press('Enter');
    await dashboard.page.locator('dialog .button_danger').wait();
    await dashboard.tabTo('Delete');
    await keyboard.press('Enter');
    await dashboard.shows('No documents in the last 24 hours');
  });
});

describe('The document page', () => {
  it('shows the file, the metadata and the warnings as text', async () => {
    const { id } = await invoice('A-4');
    await dashboard.signIn(api.key, `/documents/${id}`);
    await dashboard.page.waitForSelector('.preview_page canvas');
    await dashboard.shows('binding_missing');
    expect(await dashboard.text()).toContain(HOSTILE);
    await dashboard.expectAccessible('document');
    await dashboard.press('HTML, line 2, column 35');
    await dashboard.page.waitForFunction(`getSelection().toString() === '{{missing}}'`);
  });

  it.each(INPUTS)(
    'shows why a document failed and leads to its deliveries and back, using %s',
    async (by) => {
      const { id, request_id } = await failed();
      await dashboard.signIn(api.key, `/documents/${id}`);
      await dashboard.shows('"due": "soon"', '"page_size": "a5"', 'Version 1', request_id!);
      await dashboard.shows(
        'merge_failed',
        'Correct the template or the data at the location in the message',
      );
      await dashboard.shows('binding_missing', 'HTML, line 1, column 9');
      expect(await dashboard.text()).toMatch(/1 attempt\. Waiting [\d,]+ ms, merging [\d,]+ ms\n/);
      await dashboard.expectAccessible('document-failed');
      await dashboard.use(by, 'Download data');
      expect((await dashboard.downloaded(`${id}.json`)).toString()).toContain('"due": "soon"');
      await dashboard.use(by, 'generation.failed');
      await dashboard.shows('Request body');
      await dashboard.use(by, id);
      await dashboard.shows('"due": "soon"');
    },
  );

  it.each(INPUTS)(
    'leads from the cause of a failure to the fixed document in four actions, using %s',
    async (by) => {
      const { id, template_id } = await failed();
      await dashboard.signIn(api.key, '/documents?status=failed');
      await lists(id);
      await dashboard.shows('1 warning');
      await dashboard.use(by, `gen-…${id.slice(-8)}`);
      await dashboard.shows('"due": "soon"');
      await dashboard.use(by, 'Open in the editor with this data');
      await dashboard.page.waitForFunction(`getSelection().toString() === '{{formatDate due}}'`);
      await dashboard.shows('Save does not store it');
      await dashboard.expectAccessible('editor-document');
      await dashboard.page.keyboard.sendCharacter('{{due}}');
      await dashboard.shows('Unsaved changes');
      if (by === 'mouse') await dashboard.press('Generate');
      else {
        await dashboard.keys('Control', 'k');
        await dashboard.page.keyboard.type('Generate');
        await dashboard.keys('Enter');
      }
      await dashboard.shows('The document is ready');
      const [mended] = (await client.documents.page({ status: 'completed' })).data;
      expect(await client.documents.get(mended!.id)).toMatchObject({
        filename: 'reminder.pdf',
        template_version: 2,
        options: { page_size: 'a5' },
      });
      expect(await client.templates.samples(template_id!)).toEqual([]);
      expect(await dashboard.page.evaluate('JSON.stringify(localStorage)')).not.toContain('soon');
    },
  );

  it('generates a failed document again, and the editor returns to sample data', async () => {
    const { id, template_id } = await failed();
    await dashboard.signIn(api.key, `/templates/${template_id}?document=${id}`);
    await dashboard.press('Use sample data');
    await dashboard.page.waitForFunction(`!document.body.innerText.includes('Save does not store it')`);
    await client.templates.update(template_id!, { html: '<p>{{due}}</p>' });
    await dashboard.go(`/documents/${id}`);
    await dashboard.use('keyboard', 'Generate again');
    await dashboard.page.waitForSelector('.preview_page canvas');
    await dashboard.shows('reminder.pdf', 'Version 2');
    await client.documents.delete(id);
    dashboard.expectComplaint(/410/);
    await dashboard.go(`/templates/${template_id}?document=${id}`);
    await dashboard.shows(`The document ${id} was deleted`, 'Version 2, saved');
  });

  it.each([
    {
      action: 'a deletion',
      method: 'DELETE',
      start: async () => {
        await dashboard.press('Delete');
        await dashboard.page.locator('dialog .button_danger').click();
      },
      ended: async () => dashboard.shows('Document deleted'),
    },
    {
      action: 'another generation',
      method: 'POST',
      start: async () => dashboard.press('Generate again'),
      ended: async () => eventually(async () => (await listed()).length === 2),
    },
  ])('does not move a user who left before $action ended', async ({ method, start, ended }) => {
    const { id } = await failed();
    await dashboard.signIn(api.key, '/documents?status=failed');
    await lists(id);
    const { page } = dashboard;
    await page.locator('tbody th a').click();
    await dashboard.shows('"due": "soon"');
    const held = Promise.withResolvers<HTTPRequest>();
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.method() === method) held.resolve(request);
      else void request.continue();
    });
    await start();
    const request = await held.promise;
    await page.evaluate('history.back()');
    await lists(id);
    await request.continue();
    await ended();
    expect(new URL(page.url()).search).toBe('?status=failed');
  });

  it('explains what to do if another key created the document', async () => {
    const { id } = await invoice('A-5');
    const { key } = await client.apiKeys.create({
      name: 'Other',
      type: 'live',
      scopes: ['documents:generate'],
    });
    dashboard.expectComplaint(/403/);
    await dashboard.signIn(key, `/documents/${id}`);
    await dashboard.shows('Another API key in this account created the document');
    await dashboard.shows('Use that key, or ask an operator to set TRIFOLD_DOWNLOAD_ACCESS=account');
    await dashboard.expectAccessible();
  });
});

describe('The batch pages', () => {
  it('show progress, documents and errors, and download one or all', async () => {
    await dashboard.signIn(api.key, '/documents');
    await dashboard.press('Batches');
    await dashboard.shows('No batches in the last 24 hours');
    const { id } = await client.batches.create({
      template_id: templateId,
      format: 'pdf',
      metadata: { run: 'monthly' },
      items: [
        { data: { number: 1 }, filename: 'one' },
        { data: { number: 2 }, metadata: { note: HOSTILE } },
        { data: { number: 3, bad: true } },
      ],
    });
    await lists(id);
    await dashboard.shows('3 of 3', 'Completed with 1 failure');
    await dashboard.expectAccessible('batches');
    await dashboard.press(`Download as zip: ${id}`);
    expect((await dashboard.downloaded(`${id}.zip`)).subarray(0, 2).toString()).toBe('PK');

    await dashboard.page.locator('tbody th a').click();
    await dashboard.shows('Correct the template or the data at the location in the message');
    // Two documents have the same warning.
    expect(await dashboard.text()).toMatch(/2 × .*missing[^]*In documents 1–2/);
    expect(await dashboard.text()).toContain(HOSTILE);
    await dashboard.expectAccessible('batch');
    await dashboard.press('Download document 1');
    expect((await dashboard.downloaded('one.pdf')).toString('latin1')).toMatch(PDF);
  });
});
