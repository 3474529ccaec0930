import {
  DEVICE_SCALE_RANGE,
  LENGTH_PATTERN,
  LOCALE_PATTERN,
  LONGEST_BAND_CONTENT,
  PAGE_SIZES,
  SCALE_RANGE,
  StringEnum,
  TIME_ZONE_PATTERN,
  type Margins,
  type RenderOptions,
} from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { ApiError, type ErrorDetail } from '../../server/errors/api-error.ts';

/** The pattern also limits the length, so a text that is too long gets one error, not two. */
const Length = (description: string) =>
  Type.String({
    pattern: LENGTH_PATTERN,
    'x-pattern-message': 'must be a number with a unit: 0.5in, 12mm or 40px',
    description,
  });

const MarginSides = Type.Object(
  {
    top: Type.Optional(Length('Top margin.')),
    right: Type.Optional(Length('Right margin.')),
    bottom: Type.Optional(Length('Bottom margin.')),
    left: Type.Optional(Length('Left margin.')),
  },
  { additionalProperties: false },
);

const Decoration = (name: string) =>
  Type.Object(
    {
      enabled: Type.Optional(Type.Boolean({ description: `Whether there is a ${name}; default false.` })),
      height: Type.Optional(Length('Its height, inside the margins; default 0.5in.')),
      content: Type.Optional(
        Type.String({
          maxLength: LONGEST_BAND_CONTENT,
          description:
            'HTML with {{bindings}}; {{page}} is the number of the page, {{pages}} that of the last one.',
        }),
      ),
    },
    { additionalProperties: false },
  );

/** Generation options as the API writes them (interface, "Generation options"). */
export const ApiOptions = Type.Object(
  {
    page_size: Type.Optional(
      StringEnum(PAGE_SIZES, { description: 'Default letter. `custom` requires width and height.' }),
    ),
    width: Type.Optional(Length('Width of a custom page.')),
    height: Type.Optional(Length('Height of a custom page.')),
    orientation: Type.Optional(
      StringEnum(['portrait', 'landscape'], {
        description: 'Default portrait; does not turn a custom page.',
      }),
    ),
    margins: Type.Optional(
      Type.Union([Length('All four margins.'), MarginSides], {
        description: 'One length for all sides, or a length for each side; default 0.4in.',
      }),
    ),
    header: Type.Optional(Decoration('header')),
    footer: Type.Optional(Decoration('footer')),
    print_background: Type.Optional(
      Type.Boolean({ description: 'Whether backgrounds are printed; default true.' }),
    ),
    scale: Type.Optional(
      Type.Number({
        ...SCALE_RANGE,
        description: `Scale of the content, ${SCALE_RANGE.minimum} to ${SCALE_RANGE.maximum}; default 1.`,
      }),
    ),
    tagged: Type.Optional(Type.Boolean({ description: 'Whether the PDF is tagged; default false.' })),
    outline: Type.Optional(
      Type.Boolean({
        description: 'Whether the PDF has an outline of its headings, and tags with it; default false.',
      }),
    ),
    full_page: Type.Optional(
      Type.Boolean({
        description:
          'For png: whether the picture shows the whole document or only its first page; default true.',
      }),
    ),
    device_scale: Type.Optional(
      Type.Number({
        ...DEVICE_SCALE_RANGE,
        description: `For png: pixels of the picture for each CSS pixel, ${DEVICE_SCALE_RANGE.minimum} to ${DEVICE_SCALE_RANGE.maximum}; default 1.`,
      }),
    ),
    locale: Type.Optional(
      Type.String({
        pattern: LOCALE_PATTERN,
        'x-pattern-message': 'must be a language tag such as de-DE (BCP 47)',
        description:
          'Locale of template helpers without `locale=`: a language tag (BCP 47) such as `de-DE`; default `en-US`.',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        pattern: TIME_ZONE_PATTERN,
        'x-pattern-message': 'must be a time zone such as Europe/Berlin (IANA)',
        description:
          'Time zone of template helpers without `timeZone=`: an IANA name such as `Europe/Berlin`; default `UTC`.',
      }),
    ),
  },
  {
    title: 'GenerationOptions',
    additionalProperties: false,
    description: 'Print options. A missing option has the value of the template, then the default.',
  },
);
export type ApiOptions = Static<typeof ApiOptions>;

/** Members with the same name and format in the API and in the resources. */
const ALIKE = [
  'width',
  'height',
  'orientation',
  'header',
  'footer',
  'scale',
  'tagged',
  'outline',
  'locale',
] as const;

/** Converts API options to resource options. Throws ApiError `invalid_request` for members that cannot be combined. */
export function toRenderOptions(options: ApiOptions, pointer: string): RenderOptions {
  const details = sizeProblems(options, pointer);
  if (details.length > 0) throw invalid(details);
  const { page_size, margins, print_background, full_page, device_scale, time_zone } = options;
  return {
    ...alike(options),
    ...(page_size !== undefined && { pageSize: page_size }),
    ...(margins !== undefined && { margins: marginsBySide(margins) }),
    ...(print_background !== undefined && { printBackground: print_background }),
    ...(full_page !== undefined && { fullPage: full_page }),
    ...(device_scale !== undefined && { deviceScale: device_scale }),
    ...(time_zone !== undefined && { timeZone: time_zone }),
  };
}

/** Converts resource options to API options. */
export function fromRenderOptions(options: RenderOptions): ApiOptions {
  const { pageSize, margins, printBackground, fullPage, deviceScale, timeZone } = options;
  return {
    ...alike(options),
    ...(pageSize !== undefined && { page_size: pageSize }),
    ...(margins !== undefined && { margins }),
    ...(printBackground !== undefined && { print_background: printBackground }),
    ...(fullPage !== undefined && { full_page: fullPage }),
    ...(deviceScale !== undefined && { device_scale: deviceScale }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
  };
}

function alike(options: ApiOptions | RenderOptions): Pick<RenderOptions, (typeof ALIKE)[number]> {
  const given = ALIKE.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

/** A custom page requires width and height; other pages must not have them. */
function sizeProblems(options: ApiOptions, pointer: string): ErrorDetail[] {
  const sides = ['width', 'height'] as const;
  if (options.page_size === 'custom') {
    const missing = sides.filter((side) => options[side] === undefined);
    return missing.map((side) => ({
      path: `${pointer}/${side}`,
      message: 'is required when page_size is custom',
    }));
  }
  const needless = sides.filter((side) => options[side] !== undefined);
  return needless.map((side) => ({
    path: `${pointer}/${side}`,
    message: 'goes with page_size custom only',
  }));
}

function invalid(details: readonly ErrorDetail[]): ApiError {
  return new ApiError('invalid_request', `${sentenceOf(details)}.`, { details });
}

function sentenceOf(details: readonly ErrorDetail[]): string {
  return details.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
}

function marginsBySide(margins: string | Margins): Margins {
  if (typeof margins !== 'string') return margins;
  return { top: margins, right: margins, bottom: margins, left: margins };
}
