/** Properties of a file format that do not depend on its writer. */
interface FormatDescription {
  /** Content-Type of a file. */
  readonly contentType: string;
  /** File name extension, including the dot. */
  readonly extension: `.${string}`;
  /** Name in lists and forms. */
  readonly label: string;
  /** Name in usage and prices. */
  readonly billedAs: string;
  /**
   * How the dashboard shows a file; `download`: no browser can show it. A `website` has scripts that must not run.
   */
  readonly shown: 'pages' | 'image' | 'website' | 'text' | 'download';
  /** Options that not all formats have: `/v1` rejects each of them with a format that does not list it. */
  readonly options: readonly ('conformance' | 'pageRanges' | 'quality')[];
}

/** File formats that can be created (interface, "What the service does"). */
export const FORMATS = {
  pdf: {
    contentType: 'application/pdf',
    extension: '.pdf',
    label: 'PDF',
    billedAs: 'PDF',
    shown: 'pages',
    options: ['conformance', 'pageRanges'],
  },
  png: {
    contentType: 'image/png',
    extension: '.png',
    label: 'PNG',
    billedAs: 'PNG',
    shown: 'image',
    options: [],
  },
  jpeg: {
    contentType: 'image/jpeg',
    extension: '.jpg',
    label: 'JPEG',
    billedAs: 'JPEG',
    shown: 'image',
    options: ['quality'],
  },
  webp: {
    contentType: 'image/webp',
    extension: '.webp',
    label: 'WebP',
    billedAs: 'WebP',
    shown: 'image',
    options: ['quality'],
  },
  html: {
    contentType: 'text/html; charset=utf-8',
    extension: '.html',
    label: 'HTML',
    billedAs: 'HTML',
    shown: 'website',
    options: [],
  },
  docx: {
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extension: '.docx',
    label: 'Word',
    billedAs: 'DOCX',
    shown: 'download',
    options: [],
  },
  xml: {
    contentType: 'application/xml',
    extension: '.xml',
    label: 'E-invoice',
    billedAs: 'XML',
    shown: 'text',
    options: [],
  },
} as const satisfies Readonly<Record<string, FormatDescription>>;

type Formats = typeof FORMATS;
export type DocumentFormat = keyof Formats;
/** Formats that a renderer writes. The XML of an e-invoice is written when its document is accepted. */
export type WrittenFormat = Exclude<DocumentFormat, 'xml'>;
export const DOCUMENT_FORMATS = Object.keys(FORMATS) as readonly DocumentFormat[];

/** Single-image formats. */
export type ImageFormat = {
  [Name in DocumentFormat]: Formats[Name]['shown'] extends 'image' ? Name : never;
}[DocumentFormat];
export const IMAGE_FORMATS = DOCUMENT_FORMATS.filter(
  (format): format is ImageFormat => FORMATS[format].shown === 'image',
);

/** Returns the formats that have an option. */
export function formatsWith(option: FormatDescription['options'][number]): readonly DocumentFormat[] {
  return DOCUMENT_FORMATS.filter((format) => {
    const { options }: FormatDescription = FORMATS[format];
    return options.includes(option);
  });
}

/** Returns an object with a value for each format. */
export function byFormat<Value>(
  valueOf: (format: DocumentFormat, description: FormatDescription) => Value,
): Record<DocumentFormat, Value> {
  const entries = DOCUMENT_FORMATS.map((format) => [format, valueOf(format, FORMATS[format])]);
  return Object.fromEntries(entries) as Record<DocumentFormat, Value>;
}

/** Returns the Content-Type of a file. */
export function contentTypeOf(format: DocumentFormat): string {
  return FORMATS[format].contentType;
}

/** Returns the media type without parameters, as in an Accept header. */
export function mediaTypeOf(format: DocumentFormat): string {
  return contentTypeOf(format).replace(/;.*/, '');
}

/** Returns the file name extension, including the dot. */
export function extensionOf(format: DocumentFormat): string {
  return FORMATS[format].extension;
}
