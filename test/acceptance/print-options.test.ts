import { describe, expect, it } from 'vitest';
import { readPdf, type PdfPage } from '../support/files/pdf.ts';
import { live } from './service-under-test.ts';

/** Print options over HTTP, as a client sees them: only the resulting documents are checked. */

const near = (points: number): unknown => expect.closeTo(points, -0.5);

async function pagesOf(
  template: Record<string, unknown>,
  request: { data?: Record<string, unknown>; options?: Record<string, unknown> } = {},
): Promise<PdfPage[]> {
  const { id } = await live.createTemplate(template);
  const { data = {}, options } = request;
  return readPdf(await live.document(id, data, options ? { options } : {}));
}

describe('Custom page', () => {
  it('has the requested width and height in either orientation', async () => {
    for (const orientation of ['portrait', 'landscape']) {
      const options = { page_size: 'custom', width: '100mm', height: '3in', orientation, margins: '2mm' };
      const [page] = await pagesOf({ html: '<p>label</p>' }, { options });
      expect(page).toMatchObject({ width: near(283.5), height: near(216) });
    }
  });
});

describe('Header and footer', () => {
  const TEMPLATE = {
    html: '{{#each lines}}<p style="height: 4in">line {{this}}</p>{{/each}}',
    css: '.mark { color: #ff0000 }',
    default_options: {
      header: { enabled: true, height: '0.5in', content: '<b class="mark">{{company.name}}</b>' },
      footer: { enabled: true, content: 'page {{page}} of {{ pages }}' },
    },
  };
  const data = { company: { name: 'Æsir & Søn' }, lines: ['a', 'b', 'c', 'd', 'e'], page: 'DATA' };

  it('contain data and count the pages', async () => {
    const pages = await pagesOf(TEMPLATE, { data });
    expect(pages).toHaveLength(3);
    pages.forEach(({ texts }, index) => {
      const all = texts.map(({ text }) => text).join(' ');
      expect(all).toContain('Æsir & Søn');
      expect(all).toMatch(new RegExp(`page ${index + 1} of 3`));
    });
  });

  it('can be overridden member by member in a request', async () => {
    const options = { header: { content: 'asked for' }, footer: { enabled: false } };
    const [page] = await pagesOf(TEMPLATE, { data, options });
    const all = page?.texts.map(({ text }) => text).join(' ');
    expect(all).toContain('asked for');
    expect(all).not.toMatch(/Søn|page 1/);
  });
});

describe('Locale and time zone', () => {
  const CALLS = '{{formatCurrency amount "EUR"}} {{formatDate sent "short" time="short"}}';
  const TEMPLATE = {
    html: `<p>${CALLS}</p><p>{{formatNumber amount locale="en-US"}}</p>`,
    default_options: { footer: { enabled: true, content: CALLS } },
  };
  const data = { amount: 1234.5, sent: '2026-11-21T23:30:00Z' };
  const GERMAN = { locale: 'de-DE', time_zone: 'Europe/Berlin' };
  const textOf = (pages: readonly PdfPage[]) =>
    pages
      .flatMap(({ texts }) => texts.map(({ text }) => text))
      .join(' ')
      .replaceAll(/\s+/g, ' ');

  it('of the request are the defaults of helpers, also in a footer', async () => {
    const text = textOf(await pagesOf(TEMPLATE, { data, options: GERMAN }));
    expect(text.match(/1\.234,50 € 22\.11\.26, 00:30/g)).toHaveLength(2);
    expect(text).toContain('1,234.5');
  });

  it('of the request override those of the template', async () => {
    const template = { ...TEMPLATE, default_options: GERMAN };
    expect(textOf(await pagesOf(template, { data }))).toContain('1.234,50 € 22.11.26, 00:30');
    const text = textOf(await pagesOf(template, { data, options: { locale: 'en-GB' } }));
    expect(text).toContain('€1,234.50 22/11/2026, 00:30');
  });

  it('are en-US and UTC by default', async () => {
    expect(textOf(await pagesOf(TEMPLATE, { data }))).toContain('€1,234.50 11/21/26, 11:30 PM');
  });
});

describe('@page in a template', () => {
  const TEMPLATE = {
    html: '<p>page</p>',
    css: '@page { size: A5; margin: 1in }',
    default_options: { page_size: 'legal' },
  };

  it('applies unless the request sets the page size', async () => {
    expect((await pagesOf(TEMPLATE))[0]).toMatchObject({ width: near(419.5), height: near(595.3) });
    const [page] = await pagesOf(TEMPLATE, { options: { page_size: 'letter' } });
    expect(page).toMatchObject({ width: near(612), height: near(792) });
  });
});

describe('Repeated document', () => {
  it('differs only in its dates', async () => {
    const { id } = await live.createTemplate({ html: '<title>T</title><h1>{{name}}</h1>' });
    const [one, two] = [await live.document(id, { name: 'x' }), await live.document(id, { name: 'x' })];
    const undated = (file: Uint8Array) =>
      Buffer.from(file)
        .toString('latin1')
        .replaceAll(/\(D:[^)]*\)/g, '');
    expect(undated(two)).toBe(undated(one));
  });
});
