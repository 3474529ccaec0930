import type { DocumentFormat } from '@trifold/client';
import uPlot from 'uplot';
import { FORMAT_NAMES } from '../documents/formats.ts';
import { countOf, type Keys, type UsageEntry } from './counts.ts';
import { formatDate } from './dates.ts';

/** Entry under the pointer. */
export interface PointedAt {
  readonly index: number;
  /** Distance from the left side of the plot, in pixels. */
  readonly x: number;
  /** Whether `x` is in the right half of the plot. */
  readonly isRight: boolean;
}

const HEIGHT = 280;
const LARGEST_BAR = 48;
const SMALLEST_SCALE = 4;
const COMPACT = new Intl.NumberFormat(document.documentElement.lang || 'en', { notation: 'compact' });
/** Integers at which an axis may have ticks. */
const WHOLE = [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap((one) => [one, 2 * one, 5 * one]);

/** Returns the name of the CSS property with a format's color. */
export function colourName(format: DocumentFormat): string {
  return `--plot-${FORMAT_NAMES.indexOf(format) + 1}`;
}

/**
 * Returns the positions and, for each format, its documents plus the documents in the formats before it; last format
 * first.
 */
export function stackedData(entries: readonly UsageEntry[], keys: Keys): uPlot.AlignedData {
  const sums = FORMAT_NAMES.map((_, last) =>
    entries.map((entry) =>
      FORMAT_NAMES.slice(0, last + 1).reduce((sum, format) => sum + countOf(entry, format, keys), 0),
    ),
  );
  // A later series is drawn over an earlier one.
  return [entries.map((_, index) => index), ...sums.toReversed()];
}

/** Options with the theme colors of the element. `onPoint`: called when the pointer moves to another entry. */
export function plotOptions(
  element: HTMLElement,
  entries: readonly UsageEntry[],
  onPoint: (at: PointedAt | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--text-muted'),
    font: `12px ${style.fontFamily}`,
    ticks: { show: false },
    incrs: WHOLE,
  };
  const bars = uPlot.paths.bars?.({ size: [0.7, LARGEST_BAR] });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => [-0.5, entries.length - 0.5] },
      y: { range: (_plot, _least, most) => [0, Math.max(most * 1.1, SMALLEST_SCALE)] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 72, values: (_plot, splits) => splits.map(dateAt(entries)) },
      {
        ...axis,
        grid: { stroke: colour('--border'), width: 1 },
        values: (_plot, splits) => splits.map((value) => COMPACT.format(value)),
      },
    ],
    series: [
      {},
      ...FORMAT_NAMES.toReversed().map((format) => ({
        fill: colour(colourName(format)),
        width: 0,
        ...(bars && { paths: bars }),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [(plot) => onPoint(pointedAt(plot))] },
  };
}

function dateAt(entries: readonly UsageEntry[]): (position: number) => string {
  return (position) => {
    const entry = entries[position];
    return entry ? formatDate(entry.date, 'short') : '';
  };
}

function pointedAt({ cursor: { idx, left = -1 }, over }: uPlot): PointedAt | undefined {
  if (idx === null || idx === undefined || left < 0) return undefined;
  return { index: idx, x: over.offsetLeft + left, isRight: left > over.clientWidth / 2 };
}
