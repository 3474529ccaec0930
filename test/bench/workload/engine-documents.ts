import Handlebars from 'handlebars';
import type { RenderOptions } from '@trifold/crds';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { Invoice } from './invoice.ts';

/** A template, its data, and the merged document for a browser. */
export interface EngineDocument {
  readonly name: string;
  readonly source: TemplateSource;
  readonly data: Record<string, unknown>;
  /** The document for the bare loops (see bare-loop.ts). */
  readonly options: RenderOptions;
  readonly document: string;
}

const A4: RenderOptions = {
  pageSize: 'a4',
  margins: { top: '16mm', right: '14mm', bottom: '16mm', left: '14mm' },
};

const TABLE = `<!doctype html><html><head></head><body><h1>Stock</h1>
<table><thead><tr><th>Article</th><th>Name</th><th>Pieces</th><th>Price</th></tr></thead><tbody>
{{#each rows}}<tr><td>{{article}}</td><td>{{name}}</td><td>{{pieces}}</td><td>{{price}}</td></tr>
{{/each}}</tbody></table></body></html>`;
const TABLE_CSS = `body { font: 10pt sans-serif } table { border-collapse: collapse; width: 100% }
td, th { border: 1px solid #999; padding: 2px 6px } thead { display: table-header-group } tr { break-inside: avoid }`;

const REPORT = `<!doctype html><html><head></head><body>
{{#each chapters}}<section><h1>{{title}}</h1>{{#each paragraphs}}<p>{{this}}</p>{{/each}}</section>
{{/each}}</body></html>`;
const REPORT_CSS = `body { font: 11pt/1.4 serif } section { break-before: page } section:first-child { break-before: auto }`;

const SENTENCE =
  'The quick brown fox jumps over the lazy dog while the report goes on to say what was found. ';

const DECORATION = { enabled: true, content: '{{title}}: {{page}} of {{pages}}' };
const OTHER = { content: '{{page}}' };
const BY_PAGE = { ...DECORATION, first: { height: '40mm', ...OTHER }, last: OTHER, even: OTHER };

/**
 * Returns the example invoice, a thousand-row table, and a sixty-page report: plain, with a header and a footer, and
 * with different ones on some pages. The bare loop always prints the plain report.
 */
export function engineDocuments(invoice: Invoice): EngineDocument[] {
  const { spec } = invoice.template;
  const rows = Array.from({ length: 1000 }, (_, row) => ({
    article: `A-${1000 + row}`,
    name: `Article number ${row}, in several colours`,
    pieces: row * 3,
    price: (row * 1.37).toFixed(2),
  }));
  const chapters = Array.from({ length: 60 }, (_, chapter) => ({
    title: `Chapter ${chapter + 1}`,
    paragraphs: Array.from({ length: 6 }, () => SENTENCE.repeat(4)),
  }));
  const report = merged('report, 60 pages', { html: REPORT, css: REPORT_CSS }, { title: 'Report', chapters });
  return [
    {
      name: 'invoice, 2 pages',
      source: { html: spec.html ?? '', ...(spec.css !== undefined && { css: spec.css }) },
      data: invoice.data,
      options: spec.defaultOptions ?? A4,
      document: invoice.document,
    },
    merged('table, 1,000 rows', { html: TABLE, css: TABLE_CSS }, { rows }),
    report,
    { ...report, name: 'decorated report', options: { ...A4, header: DECORATION, footer: DECORATION } },
    { ...report, name: 'report, header by page', options: { ...A4, header: BY_PAGE, footer: BY_PAGE } },
  ];
}

function merged(
  name: string,
  source: TemplateSource & { readonly css: string },
  data: Record<string, unknown>,
): EngineDocument {
  const html = Handlebars.compile(source.html)(data);
  const document = html.replace('</head>', `<style>${source.css}</style></head>`);
  return { name, source, data, options: A4, document };
}
