import { readFile } from 'node:fs/promises';
import type { Template } from '@trifold/crds';
import { TemplateCompiler } from '@trifold/platform/templating/merge/template-compiler.ts';
import { parse } from 'yaml';

const folder = new URL('../../../examples/', import.meta.url);

/** The example invoice as the bench sends it, and as a browser receives it. */
export interface Invoice {
  readonly template: Template;
  readonly data: Record<string, unknown>;
  /** Merged, with styles. */
  readonly document: string;
}

export async function loadInvoice(): Promise<Invoice> {
  const template = parse(await readFile(new URL('invoice.yaml', folder), 'utf8')) as Template;
  const data = JSON.parse(await readFile(new URL('invoice/data.json', folder), 'utf8')) as Record<
    string,
    unknown
  >;
  const { html = '', css = '' } = template.spec;
  const document = new TemplateCompiler().compilePage({ html, css })(data);
  return { template, data, document };
}
