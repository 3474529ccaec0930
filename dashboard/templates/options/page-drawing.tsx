import type { GenerationOptions } from '@trifold/client';
import { options as messages } from '../../messages/template-editor.ts';
import { isObject } from '../json-text.ts';
import pageSizes from '../../generated/page-sizes.json';
import { resolvedMembers } from './edit-options.ts';
import styles from './page-drawing.module.css';

const INCH_MM = 25.4;
const UNITS_MM: Readonly<Record<string, number>> = { in: INCH_MM, mm: 1, px: INCH_MM / 96 };

const EDGES = ['header', 'footer'] as const;
type Edge = (typeof EDGES)[number];

/** By page: the properties of a header or footer that apply to it, in order of precedence, before the common ones. */
const SOURCES = {
  first: ['first', 'odd'],
  even: ['even'],
  odd: ['odd'],
  last: ['last', 'odd'],
  other: [],
} as const;
type Place = keyof typeof SOURCES;

/** A scale drawing of a page with its margins, header and footer; several if these differ by page. */
export function PageDrawing({ options }: { readonly options: GenerationOptions }) {
  const places = placesOf(options);
  return (
    <div class={styles.pages}>
      {places.map((place) => (
        <figure key={place}>
          <Sheet options={options} place={place} />
          {places.length > 1 && <figcaption class="small muted">{messages.places[place]}</figcaption>}
        </figure>
      ))}
    </div>
  );
}

function Sheet({ options, place }: { readonly options: GenerationOptions; readonly place: Place }) {
  const [width, height] = sidesOf(options);
  const margins = resolvedMembers('margins', options);
  const top = millimetres(margins['top']);
  const left = millimetres(margins['left']);
  const bottom = height - millimetres(margins['bottom']);
  const inner = Math.max(0, width - left - millimetres(margins['right']));
  const header = edgeOf('header', place, options);
  const footer = edgeOf('footer', place, options);
  return (
    <svg
      class={styles.drawing}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      role="img"
      aria-label={messages.drawing(Math.round(width), Math.round(height))}
    >
      <rect class={styles.paper} width={width} height={height} />
      {header.isDrawn && <rect class={styles.edge} x={left} y={top} width={inner} height={header.height} />}
      <rect
        class={styles.content}
        x={left}
        y={top + header.height}
        width={inner}
        height={Math.max(0, bottom - footer.height - top - header.height)}
      />
      {footer.isDrawn && (
        <rect class={styles.edge} x={left} y={bottom - footer.height} width={inner} height={footer.height} />
      )}
    </svg>
  );
}

/** Returns the pages that differ, in document order. */
function placesOf(options: GenerationOptions): readonly Place[] {
  const differs = (place: Place) =>
    EDGES.some((edge) => {
      const { enabled, [place]: own } = resolvedMembers(edge, options);
      return enabled === true && own !== undefined;
    });
  const inner: readonly Place[] = differs('even') || differs('odd') ? ['even', 'odd'] : ['other'];
  return [...(['first'] as const).filter(differs), ...inner, ...(['last'] as const).filter(differs)];
}

function sidesOf(options: GenerationOptions): readonly [width: number, height: number] {
  const { page_size = 'letter', orientation, width, height } = options;
  const sides: Readonly<Record<string, readonly string[]>> = pageSizes;
  const [short = 210, long = 297] = sides[page_size]?.map((side) => millimetres(side)) ?? [];
  if (page_size === 'custom') return [millimetres(width, short), millimetres(height, long)];
  return orientation === 'landscape' ? [long, short] : [short, long];
}

/** Returns the height of a header or footer on a page, and whether it has content. */
function edgeOf(edge: Edge, place: Place, options: GenerationOptions) {
  const { enabled, height: common, ...members } = resolvedMembers(edge, options);
  if (enabled !== true) return { height: 0, isDrawn: false };
  const own = SOURCES[place].map((source) => members[source]).find((value) => value !== undefined) ?? {};
  const { content, height = common } = isObject(own) ? own : { content: '' };
  return { height: millimetres(height, millimetres(common)), isDrawn: content !== '' };
}

function millimetres(length: unknown, invalid = 0): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(in|mm|px)$/.exec(String(length)) ?? [];
  return number === undefined ? invalid : Number(number) * (UNITS_MM[unit] ?? 0);
}
