import { Type, type Static } from 'typebox';
import { DEFAULT_LOCALE, DEFAULT_TIME_ZONE, MAX_LOCALE_LENGTH } from '../limits.ts';
import { atMostTogether, charactersAt } from './cel.ts';
import { formatsWith, IMAGE_FORMATS } from './document-format.ts';
import {
  boundTexts,
  group,
  htmlPaths,
  kindSchema,
  option,
  resolveOption,
  rulesOf,
  type BoundText,
  type Resolved,
} from './option.ts';
import { PAGE_SIZES } from './page-sizes.ts';
import { StringEnum } from './schema.ts';

/** A string with a pattern, which also limits its length, so that `/v1` reports only one error. */
const text = (pattern: string, maxLength: number, shape: string) =>
  Type.String({ pattern, maxLength, 'x-pattern-message': `must be ${shape}` });

/** A length with its unit: inches, millimeters or CSS pixels (interface, "Generation options"). */
export const LENGTH_PATTERN = '^(0|[0-9]{1,5}(\\.[0-9]{1,4})?)(in|mm|px)$';
const Length = text(LENGTH_PATTERN, 16, 'a number with a unit: 0.5in, 12mm or 40px');

/** A language tag (BCP 47), at most 96 characters. A matching tag may still be unknown. */
const LOCALE_PATTERN = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,10}$';
const Locale = text(LOCALE_PATTERN, MAX_LOCALE_LENGTH, 'a language tag such as de-DE (BCP 47)');

/** A name from the IANA time zone database, at most 98 characters. */
const TIME_ZONE_PATTERN = '^[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z0-9_+-]{1,32}){0,2}$';
const TimeZone = text(TIME_ZONE_PATTERN, 100, 'a time zone such as Europe/Berlin (IANA)');

/** A language tag (BCP 47) without extensions, at most 48 characters. */
const LANGUAGE_PATTERN =
  '^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3})){0,4}$';
const Language = text(
  LANGUAGE_PATTERN,
  50,
  'a language tag such as de or pt-BR (BCP 47, without extensions)',
);

/** At most 16 ranges of numbers with up to five digits. */
const PAGES_PATTERN = '[1-9][0-9]{0,4}(-([1-9][0-9]{0,4})?)?';
const PageRanges = text(
  `^${PAGES_PATTERN}(,${PAGES_PATTERN}){0,15}$`,
  200,
  'at most 16 page ranges such as 1-3,5,8-',
);

/** Levels of PDF/A (ISO 19005-2 and -3) and PDF/UA (ISO 14289-1) that a document can conform to. */
export const CONFORMANCE_LEVELS = [
  'a-2b',
  'a-2u',
  'a-2a',
  'a-3b',
  'a-3u',
  'a-3a',
  'ua-1',
  'a-2a+ua-1',
  'a-3a+ua-1',
] as const;
export type ConformanceLevel = (typeof CONFORMANCE_LEVELS)[number];

const IMAGES = IMAGE_FORMATS.join(', ');

type PageSize = keyof typeof PAGE_SIZES | 'custom';

/** HTML that is always in the resource. */
const Html = Type.String({ maxLength: 16_384, 'x-html': true, 'x-bindings': true });

/** Strings in document properties. */
const PropertyText = Type.String({ maxLength: 500, 'x-bindings': true });
const Keywords = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20, 'x-bindings': true });

const margin = (label: string) =>
  option(Length, { label, description: `${label} margin.`, default: '0.4in' });

const decoration = (name: 'header' | 'footer', label: string, place: string) => {
  const content = (on: string) =>
    option(Html, {
      label: `HTML of the ${name} on ${on}`,
      description: `${label} HTML on ${on}. An empty string removes it.`,
    });
  const own = (page: string, on: string, limits = '') => ({
    label: `Different ${page}-page ${name}`,
    description: `Different ${name} on ${on}; false removes it but keeps its space.${limits}`,
    whenFalse: { content: '' },
  });
  const firstHeight = option(Length, {
    label: `${label} height on the first page`,
    description: `${label} height on the first page, if it differs. Does not apply to docx.`,
  });
  return group(
    {
      enabled: option(Type.Boolean(), {
        label: `${label} on every page`,
        description: `Whether pages have a ${name}.`,
        default: false,
      }),
      content: option(Html, {
        label: `HTML of the ${name}`,
        description: 'HTML with {{bindings}}; {{page}} is the page number, {{pages}} the number of pages.',
        default: '',
      }),
      height: option(Length, {
        label: `${label} height`,
        description: `${label} height. Reduces the space for the content, not the margin.`,
        default: '0.5in',
      }),
      first: group(
        { content: content('the first page'), height: firstHeight },
        own('first', 'the first page'),
      ),
      last: group(
        { content: content('the last page') },
        own('last', 'the last page', ' Does not apply to docx.'),
      ),
      even: group({ content: content('even pages') }, own('even', 'even pages')),
      odd: group({ content: content('odd pages') }, own('odd', 'odd pages')),
    },
    { label, description: `Part of every page ${place}.` },
  );
};

/**
 * Print options of a document, with their names in resources; `/v1` uses `page_size` for `pageSize`. The request
 * overrides the template, which overrides the defaults. The dashboard's form shows them in this order.
 */
export const PRINT_OPTIONS = group(
  {
    pageSize: option(StringEnum([...Object.keys(PAGE_SIZES), 'custom'] as readonly PageSize[]), {
      label: 'Page size',
      description: 'Page size. custom requires width and height, which are not allowed with any other size.',
      default: 'letter',
      requires: { custom: ['width', 'height'] },
    }),
    width: option(Length, { label: 'Width', description: 'Width of a custom page size, up to 200in.' }),
    height: option(Length, { label: 'Height', description: 'Height of a custom page size, up to 200in.' }),
    orientation: option(StringEnum(['portrait', 'landscape']), {
      label: 'Orientation',
      description: 'Page orientation. Does not rotate a custom page size.',
      default: 'portrait',
    }),
    scale: option(Type.Number({ minimum: 0.1, maximum: 2 }), {
      label: 'Scale',
      description: 'Scale of the content. Page, margins, header and footer keep their size.',
      default: 1,
    }),
    margins: group(
      { top: margin('Top'), right: margin('Right'), bottom: margin('Bottom'), left: margin('Left') },
      { label: 'Margins', description: 'Page margins.', shorthand: Length },
    ),
    header: decoration('header', 'Header', 'between the top margin and the content'),
    footer: decoration('footer', 'Footer', 'between the content and the bottom margin'),
    locale: option(Locale, {
      label: 'Locale',
      description: 'Locale for template helpers that do not set locale=.',
      default: DEFAULT_LOCALE,
    }),
    timeZone: option(TimeZone, {
      label: 'Time zone',
      description: 'Time zone for template helpers that do not set timeZone=.',
      default: DEFAULT_TIME_ZONE,
    }),
    pageRanges: option(PageRanges, {
      label: 'Page ranges',
      description:
        'Pages to include in the file. The pages keep their order and their numbers from the whole document.',
      default: '1-',
      formats: formatsWith('pageRanges'),
    }),
    quality: option(Type.Integer({ minimum: 1, maximum: 100 }), {
      label: 'Image quality',
      description: 'Image quality. A lower value makes a smaller file.',
      default: 90,
      formats: formatsWith('quality'),
    }),
    deviceScale: option(Type.Number({ minimum: 1, maximum: 3 }), {
      label: 'Image pixels per CSS pixel',
      description: `Image pixels (${IMAGES}) per CSS pixel.`,
      default: 1,
    }),
    fullPage: option(Type.Boolean(), {
      label: 'Whole document in an image',
      description: `Whether an image (${IMAGES}) shows the whole document, not only its first page.`,
      default: true,
    }),
    printBackground: option(Type.Boolean(), {
      label: 'Print backgrounds',
      description: 'Whether to print backgrounds. Applies to PDFs only.',
      default: true,
    }),
    tagged: option(Type.Boolean(), {
      label: 'Tagged PDF, for screen readers',
      description: 'Whether the PDF is tagged for screen readers. Printing then takes a little longer.',
      default: false,
    }),
    outline: option(Type.Boolean(), {
      label: 'Outline of the headings in the PDF',
      description:
        'Whether the PDF has an outline of its headings. Enabling the outline also produces a tagged PDF.',
      default: false,
    }),
    conformance: option(StringEnum(CONFORMANCE_LEVELS), {
      label: 'Standard for archives and accessibility',
      description:
        'Level of PDF/A, for archives, or of PDF/UA, for accessibility. A document that cannot conform fails. The levels a-2a, a-3a and ua-1 also produce a tagged PDF.',
      formats: formatsWith('conformance'),
    }),
    properties: group(
      {
        title: option(PropertyText, {
          label: 'Document title',
          description:
            'Title. Can contain {{bindings}}. Default: the title of the HTML, or else the name of the template.',
        }),
        author: option(PropertyText, { label: 'Author', description: 'Author. Can contain {{bindings}}.' }),
        subject: option(PropertyText, {
          label: 'Subject',
          description: 'Subject. Can contain {{bindings}}.',
        }),
        keywords: option(Keywords, {
          label: 'Keywords',
          description: 'Keywords. Each can contain {{bindings}}.',
        }),
        language: option(Language, {
          label: 'Language',
          description:
            'Document language, in all formats; also used as the lang attribute if the HTML has none.',
        }),
      },
      {
        label: 'Document properties',
        description:
          "Properties of a PDF or DOCX file, as shown by viewers. They are separate from the request's metadata, which is not in the file.",
      },
    ),
  },
  {
    label: 'Print options',
    description: "Print options. Omitted options use the template's value, or else the default.",
  },
);

/** Print options of a resource. */
export const RenderOptions = Type.Unsafe<Static<typeof PRINT_OPTIONS>>(kindSchema(PRINT_OPTIONS));
export type RenderOptions = Static<typeof RenderOptions>;

/** Document properties that viewers show. */
export type DocumentProperties = NonNullable<RenderOptions['properties']>;

const HTML_PATHS = htmlPaths(PRINT_OPTIONS);
/**
 * Maximum total length of the HTML in the options of one source, in characters. The task in Redis contains it (ADR 35).
 */
const MAX_HTML_CHARACTERS = 32_768;
const TOO_MUCH_HTML = `header and footer together are limited to ${MAX_HTML_CHARACTERS} characters of HTML`;

/** Returns the reason that the options' HTML is too long; undefined if the length is valid. */
export function findHtmlProblem(options: RenderOptions): string | undefined {
  return charactersAt(HTML_PATHS, options) > MAX_HTML_CHARACTERS ? TOO_MUCH_HTML : undefined;
}

export const RENDER_OPTIONS_RULES = [
  ...rulesOf(PRINT_OPTIONS),
  atMostTogether(HTML_PATHS, MAX_HTML_CHARACTERS, TOO_MUCH_HTML),
];

/** Options with all their defaults. Without `pageSize: custom`, width and height have no effect. */
export type ResolvedRenderOptions = Resolved<typeof PRINT_OPTIONS>;

/** Merges options over the defaults, highest precedence first; groups are merged field by field. */
export function resolveRenderOptions(...layers: (RenderOptions | undefined)[]): ResolvedRenderOptions {
  return resolveOption(PRINT_OPTIONS, layers) as ResolvedRenderOptions;
}

/** Returns the strings with bindings in options, whether enabled or not. */
export function boundTextsOf(options: RenderOptions | undefined): BoundText[] {
  return boundTexts(PRINT_OPTIONS, options);
}

const POINTS_PER_UNIT = { in: 72, mm: 72 / 25.4, px: 0.75 };

/** Converts a length such as `12mm` to inches. Throws a RangeError for a string that is not a length. */
export function lengthInInches(length: string): number {
  const match = new RegExp(LENGTH_PATTERN).exec(length);
  if (!match) throw new RangeError(`"${length}" is not a length such as 0.5in, 12mm or 40px`);
  const unit = match[3] as keyof typeof POINTS_PER_UNIT;
  return (Number(match[1]) * POINTS_PER_UNIT[unit]) / 72;
}
