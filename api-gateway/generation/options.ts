import {
  LENGTH_PATTERN,
  resolveRenderOptions,
  StringEnum,
  type Margins,
  type RenderOptions,
} from '@trifold/crds';
import { findLackOfRoom, pageGeometry } from '@trifold/platform/templates/page-geometry.ts';
import { Type, type Static } from 'typebox';
import { ApiError, type ErrorDetail } from '../errors/api-error.ts';

const Length = Type.String({
  pattern: LENGTH_PATTERN,
  maxLength: 16,
  'x-pattern-message': 'must be a number with a unit: 0.5in, 12mm or 40px',
});

const MarginSides = Type.Object(
  {
    top: Type.Optional(Length),
    right: Type.Optional(Length),
    bottom: Type.Optional(Length),
    left: Type.Optional(Length),
  },
  { additionalProperties: false },
);

/** Generation options as the API writes them (interface, "Generation options"). */
export const ApiOptions = Type.Object(
  {
    page_size: Type.Optional(StringEnum(['letter', 'a4', 'legal', 'custom'])),
    width: Type.Optional(Type.String()),
    height: Type.Optional(Type.String()),
    orientation: Type.Optional(StringEnum(['portrait', 'landscape'])),
    margins: Type.Optional(Type.Union([Length, MarginSides])),
    header: Type.Optional(Type.Object({})),
    footer: Type.Optional(Type.Object({})),
    print_background: Type.Optional(Type.Boolean()),
    scale: Type.Optional(Type.Number()),
  },
  {
    title: 'GenerationOptions',
    additionalProperties: false,
    description: 'How the document is printed; what is left out is taken from the template, then from the defaults.',
  },
);
export type ApiOptions = Static<typeof ApiOptions>;

/** Members that the interface has and this version does not: refused, never ignored. */
const NOT_YET = ['width', 'height', 'header', 'footer', 'scale'] as const;

/** What of the options cannot be done yet, with paths below `pointer`. */
export function unsupportedOptions(options: ApiOptions, pointer: string): ErrorDetail[] {
  const details = NOT_YET.filter((name) => options[name] !== undefined).map((name) => ({
    path: `${pointer}/${name}`,
    message: 'is not supported yet',
  }));
  if (options.page_size === 'custom') {
    details.unshift({ path: `${pointer}/page_size`, message: 'custom is not supported yet' });
  }
  return details;
}

/** The options in the words of the resources. Throws ApiError `not_supported_yet`, which names the members. */
export function toRenderOptions(options: ApiOptions, pointer: string): RenderOptions {
  const details = unsupportedOptions(options, pointer);
  if (details.length > 0) throw notSupportedYet(details);
  const { page_size, orientation, margins, print_background } = options;
  return {
    ...(page_size !== undefined && page_size !== 'custom' && { pageSize: page_size }),
    ...(orientation !== undefined && { orientation }),
    ...(margins !== undefined && { margins: marginsBySide(margins) }),
    ...(print_background !== undefined && { printBackground: print_background }),
  };
}

/** The options of a resource in the words of the API. */
export function fromRenderOptions(options: RenderOptions): ApiOptions {
  const { pageSize, orientation, margins, printBackground } = options;
  return {
    ...(pageSize !== undefined && { page_size: pageSize }),
    ...(orientation !== undefined && { orientation }),
    ...(margins !== undefined && { margins }),
    ...(printBackground !== undefined && { print_background: printBackground }),
  };
}

/** A template's default options in the words of the resources. Throws ApiError also when they leave no room. */
export function toDefaultOptions(options: ApiOptions): RenderOptions {
  const defaults = toRenderOptions(options, '/default_options');
  const problem = findLackOfRoom(pageGeometry(resolveRenderOptions(defaults)));
  if (problem) throw noRoom({ path: '/default_options/margins', message: problem });
  return defaults;
}

/** Options of a request over those of its template. Throws ApiError `options_invalid`, which says whose they are. */
export function checkOptions(requested: ApiOptions | undefined, defaults: RenderOptions | undefined): void {
  const asked = requested && toRenderOptions(requested, '/options');
  const problem = findLackOfRoom(pageGeometry(resolveRenderOptions(asked, defaults)));
  if (!problem) return;
  const isAsked = ['margins', 'page_size', 'orientation'].some((name) =>
    Object.hasOwn(requested ?? {}, name),
  );
  throw noRoom(
    isAsked
      ? { path: '/options/margins', message: problem }
      : { path: '/template_id', message: `names a template whose default_options.margins ${problem}` },
  );
}

function noRoom(detail: ErrorDetail): ApiError {
  return new ApiError('options_invalid', `${detail.path} ${detail.message}.`, { details: [detail] });
}

/** 422 for what the interface has and this version does not. */
export function notSupportedYet(details: readonly ErrorDetail[]): ApiError {
  const sentence = details.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  return new ApiError('not_supported_yet', `${sentence}.`, { details });
}

function marginsBySide(margins: string | Margins): Margins {
  if (typeof margins !== 'string') return margins;
  return { top: margins, right: margins, bottom: margins, left: margins };
}
