import './page-drawing.css';
import type { GenerationOptions } from '@trifold/client';
import { text } from '../../messages/text.ts';
import { marginsOf } from './edit-options.ts';

const INCH_MM = 25.4;
const UNITS_MM: Readonly<Record<string, number>> = { in: INCH_MM, mm: 1, px: INCH_MM / 96 };
const PAPER_MM: Readonly<Record<string, readonly [number, number]>> = {
  letter: [8.5 * INCH_MM, 11 * INCH_MM],
  a4: [210, 297],
  legal: [8.5 * INCH_MM, 14 * INCH_MM],
};
const DEFAULT_MARGIN_MM = 0.4 * INCH_MM;
const DEFAULT_EDGE_MM = 0.5 * INCH_MM;

/** The page to scale: its margins, header and footer. */
export function PageDrawing({ options }: { readonly options: GenerationOptions }) {
  const [width, height] = sidesOf(options);
  const margins = marginsOf(options);
  const top = millimetres(margins.top, DEFAULT_MARGIN_MM);
  const left = millimetres(margins.left, DEFAULT_MARGIN_MM);
  const bottom = height - millimetres(margins.bottom, DEFAULT_MARGIN_MM);
  const inner = Math.max(0, width - left - millimetres(margins.right, DEFAULT_MARGIN_MM));
  const header = edgeHeight(options.header);
  const footer = edgeHeight(options.footer);
  return (
    <svg
      class="page-drawing"
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      role="img"
      aria-label={text.options.drawing(Math.round(width), Math.round(height))}
    >
      <rect class="page-paper" width={width} height={height} />
      <rect class="page-edge" x={left} y={top} width={inner} height={header} />
      <rect
        class="page-content"
        x={left}
        y={top + header}
        width={inner}
        height={Math.max(0, bottom - footer - top - header)}
      />
      <rect class="page-edge" x={left} y={bottom - footer} width={inner} height={footer} />
    </svg>
  );
}

function sidesOf(options: GenerationOptions): readonly [width: number, height: number] {
  const { page_size = 'letter', orientation, width = '', height = '' } = options;
  const [short, long] = PAPER_MM[page_size] ?? [210, 297];
  if (page_size === 'custom') return [millimetres(width, short), millimetres(height, long)];
  return orientation === 'landscape' ? [long, short] : [short, long];
}

function edgeHeight(edge: GenerationOptions['header']): number {
  return edge?.enabled ? millimetres(edge.height ?? '', DEFAULT_EDGE_MM) : 0;
}

/** A length that is not valid yet has the default. */
function millimetres(length: string, absent: number): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(in|mm|px)$/.exec(length) ?? [];
  return number === undefined ? absent : Number(number) * (UNITS_MM[unit] ?? 0);
}
