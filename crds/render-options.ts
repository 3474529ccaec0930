import { Type, type Static } from 'typebox';
import { StringEnum } from './schema.ts';

/** A length with its unit: inches, millimetres or CSS pixels (interface, "Generation options"). */
export const LENGTH_PATTERN = '^(0|[0-9]{1,5}(\\.[0-9]{1,4})?)(in|mm|px)$';

const length = (description: string) => Type.String({ pattern: LENGTH_PATTERN, maxLength: 16, description });

/** Margins by side; a side left out takes the default. */
export const Margins = Type.Object(
  {
    top: Type.Optional(length('Top margin: a number with in, mm or px; 0.4in when left out.')),
    right: Type.Optional(length('Right margin: a number with in, mm or px; 0.4in when left out.')),
    bottom: Type.Optional(length('Bottom margin: a number with in, mm or px; 0.4in when left out.')),
    left: Type.Optional(length('Left margin: a number with in, mm or px; 0.4in when left out.')),
  },
  { description: 'Space around the content, by side.' },
);
export type Margins = Static<typeof Margins>;

/**
 * How a document is printed, in the words of the resources (camelCase; the API writes page_size).
 * Every member is optional: request over template over DEFAULT_RENDER_OPTIONS.
 */
export const RenderOptions = Type.Object(
  {
    pageSize: Type.Optional(
      StringEnum(['letter', 'a4', 'legal'], { description: 'Size of a page; letter when left out.' }),
    ),
    orientation: Type.Optional(
      StringEnum(['portrait', 'landscape'], { description: 'portrait when left out.' }),
    ),
    margins: Type.Optional(Margins),
    printBackground: Type.Optional(
      Type.Boolean({ description: 'Whether backgrounds are printed; true when left out.' }),
    ),
  },
  {
    description:
      'How the document is printed; what is left out is taken from the template, then from the defaults.',
  },
);
export type RenderOptions = Static<typeof RenderOptions>;

/** Options with every member decided. */
export interface ResolvedRenderOptions {
  pageSize: 'letter' | 'a4' | 'legal';
  orientation: 'portrait' | 'landscape';
  margins: Required<Margins>;
  printBackground: boolean;
}

export const DEFAULT_RENDER_OPTIONS: ResolvedRenderOptions = {
  pageSize: 'letter',
  orientation: 'portrait',
  margins: { top: '0.4in', right: '0.4in', bottom: '0.4in', left: '0.4in' },
  printBackground: true,
};

/** The options in order of precedence, the strongest first, over the defaults; margins side by side. */
export function resolveRenderOptions(...layers: (RenderOptions | undefined)[]): ResolvedRenderOptions {
  return layers.reduceRight<ResolvedRenderOptions>(
    (below, layer) => ({ ...below, ...layer, margins: { ...below.margins, ...layer?.margins } }),
    DEFAULT_RENDER_OPTIONS,
  );
}

const POINTS_PER_UNIT = { in: 72, mm: 72 / 25.4, px: 0.75 };

/** A length such as `12mm` in inches. Throws a RangeError for a text that is not a length. */
export function lengthInInches(length: string): number {
  const match = new RegExp(LENGTH_PATTERN).exec(length);
  if (!match) throw new RangeError(`"${length}" is not a length such as 0.5in, 12mm or 40px`);
  const unit = match[3] as keyof typeof POINTS_PER_UNIT;
  return (Number(match[1]) * POINTS_PER_UNIT[unit]) / 72;
}
