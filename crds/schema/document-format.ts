/** File formats that can be created (interface, "What the service does"). */
export const DOCUMENT_FORMATS = ['pdf', 'png', 'jpeg', 'webp', 'html', 'docx'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** Formats of one image. */
export const IMAGE_FORMATS = ['png', 'jpeg', 'webp'] as const satisfies readonly DocumentFormat[];
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

const CONTENT_TYPES: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  html: 'text/html; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** Returns the Content-Type of a file. */
export function contentTypeOf(format: DocumentFormat): string {
  return CONTENT_TYPES[format];
}

/** Returns the media type without parameters, as in an Accept header. */
export function mediaTypeOf(format: DocumentFormat): string {
  return contentTypeOf(format).replace(/;.*/, '');
}

/** Returns the file name extension, including the dot. */
export function extensionOf(format: DocumentFormat): string {
  return format === 'jpeg' ? '.jpg' : `.${format}`;
}

/** Returns the format with this name; undefined when there is none. */
export function documentFormat(name: string | undefined): DocumentFormat | undefined {
  return DOCUMENT_FORMATS.find((format) => format === name);
}
