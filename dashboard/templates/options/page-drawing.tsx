import type { GenerationOptions } from '@trifold/client';
import { options as messages } from '../../messages/template-editor.ts';
import { isObject } from '../json-text.ts';
import pageSizes from '../../generated/page-sizes.json';
import { resolvedMembers } from './edit-options.ts';
import styles from './page-drawing.module.css';

const INCH_MM = 25.4;
const UNITS_MM: Readonly<Record<string, number>> = { in: INCH_MM, mm: 1, px: INCH_MM / 96 };

/** The first page to scale: its margins, header and footer. */
export function PageDrawing({ options }: { readonly options: GenerationOptions }) {
  const [width, height] = sidesOf(options);
  const margins = resolvedMembers('margins', options);
  const top = millimetres(margins['top']);
  const left = millimetres(margins['left']);
  const bottom = height - millimetres(margins['bottom']);
  const inner = Math.max(0, width - left - millimetres(margins['right']));
  const [header, footer] = [decorationOf('header', options), decorationOf('footer', options)];
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

function sidesOf(options: GenerationOptions): readonly [width: number, height: number] {
  const { page_size = 'letter', orientation, width, height } = options;
  const sides: Readonly<Record<string, readonly string[]>> = pageSizes;
  const [short = 210, long = 297] = sides[page_size]?.map((side) => millimetres(side)) ?? [];
  if (page_size === 'custom') return [millimetres(width, short), millimetres(height, long)];
  return orientation === 'landscape' ? [long, short] : [short, long];
}

/** Returns the height, and whether there is content, on the first page. */
function decorationOf(name: 'header' | 'footer', options: GenerationOptions) {
  const { enabled, height: common, first = {} } = resolvedMembers(name, options);
  const { content, height = common } = isObject(first) ? first : { content: '' };
  return {
    height: enabled === true ? millimetres(height, millimetres(common)) : 0,
    isDrawn: enabled === true && content !== '',
  };
}

function millimetres(length: unknown, invalid = 0): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(in|mm|px)$/.exec(String(length)) ?? [];
  return number === undefined ? invalid : Number(number) * (UNITS_MM[unit] ?? 0);
}
