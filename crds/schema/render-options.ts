import { Type, type Static } from 'typebox';
import { onlyWhen, requiredWhen, type CelRule } from './cel.ts';
import { StringEnum } from './schema.ts';

/** A length with its unit: inches, millimetres or CSS pixels (interface, "Generation options"). */
export const LENGTH_PATTERN = '^(0|[0-9]{1,5}(\\.[0-9]{1,4})?)(in|mm|px)$';

const length = (description: string) => Type.String({ pattern: LENGTH_PATTERN, maxLength: 16, description });

/** Margins by side; an omitted side has the default. */
export const Margins = Type.Object(
  {
    top: Type.Optional(length('Top margin: a number with in, mm or px; 0.4in when left out.')),
    right: Type.Optional(length('Right margin: a number with in, mm or px; 0.4in when left out.')),
    bottom: Type.Optional(length('Bottom margin: a number with in, mm or px; 0.4in when left out.')),
    left: Type.Optional(length('Left margin: a number with in, mm or px; 0.4in when left out.')),
  },
  { description: 'Margins by side.' },
);
export type Margins = Static<typeof Margins>;

/** Maximum characters of the content of a header or footer, which is always in the resource. */
export const LONGEST_BAND_CONTENT = 16_384;

/** A header or a footer. Every member is optional, with its own default. */
const decoration = (name: string, where: string) =>
  Type.Object(
    {
      enabled: Type.Optional(Type.Boolean({ description: `Whether pages have a ${name}. Default: false.` })),
      height: Type.Optional(
        length(
          `Its height, which is taken from the content and not from the margin: a number with in, mm or px; 0.5in when left out.`,
        ),
      ),
      content: Type.Optional(
        Type.String({
          maxLength: LONGEST_BAND_CONTENT,
          description: 'HTML with {{bindings}}; {{page}} is the page number, {{pages}} the number of pages.',
        }),
      ),
    },
    { description: `Part of every page ${where}.` },
  );

/** Header or footer of every page. */
export interface PageDecoration {
  readonly enabled?: boolean;
  /** A length with its unit. */
  readonly height?: string;
  /** HTML with bindings. */
  readonly content?: string;
}

export const PAGE_SIZES = ['letter', 'a4', 'legal', 'custom'] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Limits of `scale`, which are Chromium's. */
export const SCALE_RANGE = { minimum: 0.1, maximum: 2 } as const;

/** Shape of a language tag (BCP 47) such as `de-DE`, at most 96 characters. Not every tag of this shape is known. */
export const LOCALE_PATTERN = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,10}$';

/** Shape of a name of the IANA time zone database such as `Europe/Berlin`, at most 98 characters. */
export const TIME_ZONE_PATTERN = '^[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z0-9_+-]{1,32}){0,2}$';

/** Limits of `device_scale`. */
export const DEVICE_SCALE_RANGE = { minimum: 1, maximum: 3 } as const;

/**
 * Print options of a document, with the names used in resources (camelCase; the API writes page_size). Every member is
 * optional: the request overrides the template, which overrides DEFAULT_RENDER_OPTIONS.
 */
export const RenderOptions = Type.Object(
  {
    pageSize: Type.Optional(
      StringEnum(PAGE_SIZES, {
        description: 'Page size. Default: letter. custom requires width and height.',
      }),
    ),
    width: Type.Optional(length('Width of a custom page: a number with in, mm or px.')),
    height: Type.Optional(length('Height of a custom page: a number with in, mm or px.')),
    orientation: Type.Optional(
      StringEnum(['portrait', 'landscape'], {
        description: 'Default: portrait. Does not apply to a custom page.',
      }),
    ),
    margins: Type.Optional(Margins),
    header: Type.Optional(decoration('header', 'between the top margin and the content')),
    footer: Type.Optional(decoration('footer', 'between the content and the bottom margin')),
    printBackground: Type.Optional(
      Type.Boolean({ description: 'Whether to print backgrounds. Default: true.' }),
    ),
    scale: Type.Optional(
      Type.Number({
        ...SCALE_RANGE,
        description: 'Scale of the content, from 0.1 to 2. Default: 1.',
      }),
    ),
    tagged: Type.Optional(
      Type.Boolean({
        description: 'Whether the PDF is tagged for screen readers. Default: false.',
      }),
    ),
    outline: Type.Optional(
      Type.Boolean({
        description: 'Whether the PDF has tags and an outline of its headings. Default: false.',
      }),
    ),
    fullPage: Type.Optional(
      Type.Boolean({
        description:
          'Whether an image (png) shows the whole document, not only its first page. Default: true.',
      }),
    ),
    deviceScale: Type.Optional(
      Type.Number({
        ...DEVICE_SCALE_RANGE,
        description: 'Image pixels (png) per CSS pixel, from 1 to 3. Default: 1.',
      }),
    ),
    locale: Type.Optional(
      Type.String({
        pattern: LOCALE_PATTERN,
        maxLength: 100,
        description:
          'Locale of template helpers without locale=: a language tag (BCP 47) such as de-DE. Default: en-US.',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        pattern: TIME_ZONE_PATTERN,
        maxLength: 100,
        description:
          'Time zone of template helpers without timeZone=: an IANA name such as Europe/Berlin. Default: UTC.',
      }),
    ),
  },
  {
    description: 'Print options. A missing option has the value of the template, then the default.',
  },
);
export type RenderOptions = Static<typeof RenderOptions>;

/** Rules for the options of one source (a request, a template). */
export const RENDER_OPTIONS_RULES: readonly CelRule[] = [
  requiredWhen('pageSize', 'custom', ['width', 'height']),
  onlyWhen('pageSize', 'custom', ['width', 'height']),
];

/** Options with a value for every member. */
export interface ResolvedRenderOptions {
  readonly pageSize: PageSize;
  /** Width of a custom page; kept but without effect when a named page size has precedence. */
  readonly width?: string;
  readonly height?: string;
  readonly orientation: 'portrait' | 'landscape';
  readonly margins: Required<Margins>;
  readonly header: Required<PageDecoration>;
  readonly footer: Required<PageDecoration>;
  readonly printBackground: boolean;
  readonly scale: number;
  readonly tagged: boolean;
  readonly outline: boolean;
  /** For images. */
  readonly fullPage: boolean;
  /** Image pixels per CSS pixel. */
  readonly deviceScale: number;
  /** Language tag (BCP 47). Without one, helpers use their own default. */
  readonly locale?: string;
  /** IANA name. Without one, helpers use their own default. */
  readonly timeZone?: string;
}

export const DEFAULT_RENDER_OPTIONS: ResolvedRenderOptions = {
  pageSize: 'letter',
  orientation: 'portrait',
  margins: { top: '0.4in', right: '0.4in', bottom: '0.4in', left: '0.4in' },
  header: { enabled: false, height: '0.5in', content: '' },
  footer: { enabled: false, height: '0.5in', content: '' },
  printBackground: true,
  scale: 1,
  tagged: false,
  outline: false,
  fullPage: true,
  deviceScale: 1,
};

/**
 * Merges options in order of precedence, the highest first, over the defaults; margins, header and footer member by
 * member.
 */
export function resolveRenderOptions(...layers: (RenderOptions | undefined)[]): ResolvedRenderOptions {
  return layers.reduceRight<ResolvedRenderOptions>(
    (below, layer) => ({
      ...below,
      ...layer,
      margins: { ...below.margins, ...layer?.margins },
      header: { ...below.header, ...layer?.header },
      footer: { ...below.footer, ...layer?.footer },
    }),
    DEFAULT_RENDER_OPTIONS,
  );
}

const POINTS_PER_UNIT = { in: 72, mm: 72 / 25.4, px: 0.75 };

/** Converts a length such as `12mm` to inches. Throws a RangeError for a text that is not a length. */
export function lengthInInches(length: string): number {
  const match = new RegExp(LENGTH_PATTERN).exec(length);
  if (!match) throw new RangeError(`"${length}" is not a length such as 0.5in, 12mm or 40px`);
  const unit = match[3] as keyof typeof POINTS_PER_UNIT;
  return (Number(match[1]) * POINTS_PER_UNIT[unit]) / 72;
}
