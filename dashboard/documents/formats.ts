import type { DocumentFormat } from '@trifold/client';
import GENERATED from '../generated/formats.json';

/** A file format, as `npm run generate` derives it from its declaration (crds/schema/document-format.ts). */
interface Format {
  readonly contentType: string;
  /** File name extension, including the dot. */
  readonly extension: string;
  readonly label: string;
  /** Name in usage and bills. */
  readonly billedAs: string;
  /** How a browser shows a file; `download`: browsers cannot show it. */
  readonly shown: 'pages' | 'image' | 'website' | 'text' | 'download';
}

export const FORMATS = GENERATED as Readonly<Record<DocumentFormat, Format>>;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly DocumentFormat[];

/** Returns the names of all formats. */
export function namesOfFormats(name: 'label' | 'billedAs'): Readonly<Record<DocumentFormat, string>> {
  const names = FORMAT_NAMES.map((format) => [format, FORMATS[format][name]]);
  return Object.fromEntries(names) as Record<DocumentFormat, string>;
}

/** Returns the format of a content type if browsers can show its files. */
export function shownFormat(contentType: string): DocumentFormat | undefined {
  const mediaType = (text: string) => text.split(';')[0];
  return FORMAT_NAMES.find(
    (name) =>
      FORMATS[name].shown !== 'download' && mediaType(FORMATS[name].contentType) === mediaType(contentType),
  );
}
