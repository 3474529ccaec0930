import { readdirSync, readFileSync } from 'node:fs';
import type { RenderOptions } from '@trifold/crds';
import { parse } from 'yaml';
import { sampleImages } from './sample-images.ts';

/** A document in `documents/`. */
export interface SampleDocument {
  readonly html: string;
  readonly css?: string;
  readonly options?: RenderOptions;
  /** First words of each subsequent page, such as the words in a `thead`. */
  readonly repeated?: string;
  /** List markers and states of form controls, in reading order. */
  readonly marks?: string;
}

/** Programs agree on the replacement for this font, but not for a browser's default font. */
const FONT = 'body{font-family:Arial}';
const FOLDER = new URL('documents/', import.meta.url);

/** Returns the documents by name. Throws if two have the same name. */
export function sampleDocuments(): Map<string, SampleDocument> {
  const documents = new Map<string, SampleDocument>();
  for (const file of readdirSync(FOLDER)) {
    const themed = parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, SampleDocument>;
    for (const [name, document] of Object.entries(themed)) {
      if (documents.has(name)) throw new Error(`two documents have the name ${name}`);
      documents.set(name, { ...document, css: `${FONT} ${document.css ?? ''}` });
    }
  }
  return documents;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Data for all documents. */
export function sampleData(): Record<string, unknown> {
  return {
    ...sampleImages(),
    lines: numbers(40),
    columns: numbers(11),
    chapters: ['Markets', 'Staff', 'Outlook'],
  };
}
