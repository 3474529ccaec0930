import type { KeyMode, RenderOptions } from '@trifold/crds';
import type { DocumentPage } from '../browser/page/document-page.ts';
import { finishPdf, type DocumentFeatures } from '../pdf/finish-pdf.ts';
import { printDocument } from '../task/print-document.ts';
import { printingOf } from '../task/print-settings.ts';
import { TemplateMerger } from '../merge/template-merger.ts';

/** A document as a request defines it: a template, data, and the options of both. */
export interface TestDocument {
  readonly html: string;
  readonly css?: string;
  readonly data?: Record<string, unknown>;
  readonly options?: RenderOptions;
  readonly defaultOptions?: RenderOptions;
  readonly mode?: KeyMode;
  readonly features?: Partial<DocumentFeatures>;
}

export const CREATED_AT = new Date('2026-11-20T01:02:03.456Z');

/** Merges, prints and finishes a document on a page, as the renderer does. Rejects with the pipeline's errors. */
export async function renderDocument(page: DocumentPage, document: TestDocument): Promise<Buffer> {
  const { html, css, data = {}, options = {}, defaultOptions, mode = 'live' } = document;
  const { extras, ...printing } = printingOf(options, defaultOptions);
  const merged = new TemplateMerger().merge({
    revisionKey: 'revision',
    source: css === undefined ? { html } : { html, css },
    extras,
    data: Buffer.from(JSON.stringify(data)),
    maxBytes: 2 ** 28,
  });
  if (merged.status !== 'merged') throw new Error(JSON.stringify(merged));
  const { conformance } = printing.options;
  const { properties } = merged;
  const features = { mode, createdAt: CREATED_AT, properties, conformance, ...document.features };
  const printed = await printDocument(page, { ...merged, ...printing, features, css }, []);
  const { pdf, decorations, content } = printed;
  return (await finishPdf(pdf, { ...features, content }, decorations)).pdf;
}
