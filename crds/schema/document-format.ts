/** Kinds of file that can be made (interface, "What the service does"). */
export const DOCUMENT_FORMATS = ['pdf', 'png', 'html', 'docx'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

const CONTENT_TYPES: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  html: 'text/html; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** The Content-Type of a file. */
export function contentTypeOf(format: DocumentFormat): string {
  return CONTENT_TYPES[format];
}

/** The media type alone, as it stands in an Accept header. */
export function mediaTypeOf(format: DocumentFormat): string {
  return contentTypeOf(format).replace(/;.*/, '');
}

/** What the name of a file ends with, the dot included. */
export function extensionOf(format: DocumentFormat): string {
  return `.${format}`;
}

/** A format by its name. Undefined for a text that names none. */
export function documentFormat(name: string | undefined): DocumentFormat | undefined {
  return DOCUMENT_FORMATS.find((format) => format === name);
}
