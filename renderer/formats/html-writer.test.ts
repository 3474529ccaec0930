import { expect, it } from 'vitest';
import { printingOf } from '../task/print-settings.ts';
import { HtmlWriter } from './html-writer.ts';

const writer = new HtmlWriter();
const document = {
  account: 'acme',
  printing: printingOf({}),
  features: { mode: 'test', createdAt: new Date(0), title: 'Letter' },
} as const;

it('an HTML file consists of its preamble and the merged document', async () => {
  const html = `${'<!--a-->'.repeat(100_000)}<!doctype html>`;
  const { body } = await writer.write({ ...document, html, preamble: 'before ü ' });
  expect(body.toString()).toBe(`before ü ${html}`);
});

it('an HTML file requests its preamble from the merge, with a watermark for test keys', () => {
  expect(writer.mergeExtras(document)).toEqual({ selfContained: { title: 'Letter', watermark: 'TEST' } });
  const live = { ...document, features: { ...document.features, mode: 'live' as const } };
  expect(writer.mergeExtras(live)).toMatchObject({ selfContained: { watermark: undefined } });
});

it('an HTML file without its policy is an error', async () => {
  await expect(writer.write({ ...document, html: '<p>x' })).rejects.toThrow('without a preamble');
});

it('a document that navigates by itself is an error', async () => {
  const html = '<meta http-equiv="refresh" content="0;url=https://example.com">';
  const writing = writer.write({ ...document, html, preamble: '' });
  await expect(writing).rejects.toMatchObject({ code: 'document_navigates' });
});
