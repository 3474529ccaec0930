import type { RenderOptions } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { testPage } from '../testing/browser/test-browser.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { renderDocument, type TestDocument } from '../testing/render-document.ts';

const chromium = testPage();

const infoOf = async (document: TestDocument) =>
  (await readPdf(await renderDocument(chromium.page, document))).info;

const PROPERTIES: RenderOptions['properties'] = {
  title: 'Invoice {{number}} (“{{customer.name}}”)',
  author: '{{seller}}',
  subject: '  {{#each items}}{{this}}\n\t{{/each}} ',
  keywords: ['invoice', '{{number}}', '{{missing}}'],
  language: 'de-CH',
};
const DATA = { number: 42, customer: { name: 'Müller & Söhne' }, seller: 'A\\B (C)', items: ['one', 'two'] };

describe('properties', () => {
  it.each(['live', 'test'] as const)('appear in a PDF created with a %s key, with the data', async (mode) => {
    const html = '<title>Other</title>x';
    const info = await infoOf({ html, data: DATA, options: { properties: PROPERTIES }, mode });
    expect(info).toMatchObject({
      Title: 'Invoice 42 (“Müller & Söhne”)',
      Author: 'A\\B (C)',
      Subject: 'one two',
      Keywords: 'invoice, 42',
      Language: 'de-CH',
      Creator: 'Trifold',
    });
  });

  it('are taken one by one from the request or the template', async () => {
    const info = await infoOf({
      html: 'x',
      options: { properties: { subject: 'of the request', keywords: ['b'] } },
      defaultOptions: { properties: { author: 'of the template', subject: 'other', keywords: ['a', 'c'] } },
    });
    expect(info).toMatchObject({ Author: 'of the template', Subject: 'of the request', Keywords: 'b' });
  });

  it.each([{}, { properties: {} }, { properties: { title: '{{missing}}', keywords: [] } }])(
    'keep the title of the HTML or the template if they have none: %j',
    async (options) => {
      const features = { title: 'Template' };
      expect(await infoOf({ html: '<title>Own</title>x', options, features })).toMatchObject({
        Title: 'Own',
      });
      const info = await infoOf({ html: 'x', options, features });
      expect(info).toMatchObject({ Title: 'Template' });
      expect(Object.keys(info)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(Author|Subject|Keywords)$/)]),
      );
      expect(info['Language']).toBeFalsy();
    },
  );

  it.each([
    ['<p>x</p>', '#00ff00'],
    ['<!doctype html><html><head></head><body><p>x</p></body></html>', '#00ff00'],
    ['<!doctype html><html class="a"><body><p>x', '#00ff00'],
    ['<!doctype html><html lang="fr"><body><p>x</p></body></html>\n', '#ff0000'],
  ])('set the lang of HTML without one: %s', async (html, colour) => {
    const css = 'p:lang(de) { background: #00ff00 } p:lang(fr) { background: #ff0000 }';
    const file = await renderDocument(chromium.page, {
      html,
      css,
      options: { properties: { language: 'de' } },
    });
    const { pages, info } = await readPdf(file);
    expect(pages.map(({ text, fillColors }) => [text, fillColors.includes(colour)])).toEqual([['x', true]]);
    expect(info).toMatchObject({ Language: 'de' });
  });
});
