import { describe, expect, it } from 'vitest';
import { watermarkGrid, type Sides } from './watermark-grid.ts';

const LETTER = { width: 8.5, height: 11 };
const SHAPE = { width: 2.8, height: 1 };
/** In inches. */
const ROUNDING = 1e-5;

/** The same sequence in every run, with values from 0 to 1. */
function* randomNumbers(): Generator<number, never> {
  for (let state = 1; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}
const random = randomNumbers();
const between = (least: number, most: number) => least + random.next().value * (most - least);

/** Whether a window at a random position of a page contains a complete mark. A window is never larger than its page. */
function showsMark(page: Sides, window: Sides, windowHeight?: number): boolean {
  const { mark, columns, rows } = watermarkGrid(page, SHAPE, windowHeight);
  const inside = (edges: readonly number[], length: number, side: number, windowSide: number) => {
    const size = Math.min(side, windowSide);
    const start = between(0, side - size);
    return edges.some((edge) => edge >= start - ROUNDING && edge + length <= start + size + ROUNDING);
  };
  return (
    inside(columns, mark.width, page.width, window.width) &&
    inside(rows, mark.height, page.height, window.height)
  );
}

describe('the watermark marks on a page', () => {
  it('are whole in every letter-size window, in both orientations, on pages of all sizes', () => {
    for (let count = 0; count < 2000; count += 1) {
      const longest = [10, 20, 40, 200][count % 4] as number;
      const page = { width: between(0.1, longest), height: between(0.1, longest) };
      for (let window = 0; window < 20; window += 1) {
        expect(showsMark(page, LETTER), JSON.stringify(page)).toBe(true);
        expect(showsMark(page, { width: 11, height: 8.5 }), JSON.stringify(page)).toBe(true);
      }
    }
  });

  it('are whole in every window of a given lower height', () => {
    for (let count = 0; count < 2000; count += 1) {
      const page = { width: between(0.1, 200), height: between(0.1, 200) };
      const height = between(0.5, 8.5);
      expect(showsMark(page, { width: 8.5, height }, height), JSON.stringify({ page, height })).toBe(true);
    }
  });

  it('never touch each other or the edge of the page', () => {
    for (let count = 0; count < 2000; count += 1) {
      const page = { width: between(0.1, 200), height: between(0.1, 200) };
      const { mark, columns, rows } = watermarkGrid(page, SHAPE);
      for (const [edges, length, side] of [
        [columns, mark.width, page.width],
        [rows, mark.height, page.height],
      ] as const) {
        let last = 0;
        for (const edge of edges) {
          expect(edge).toBeGreaterThan(last);
          last = edge + length;
        }
        expect(last).toBeLessThan(side);
      }
    }
  });

  it.each([
    ['letter', 8.5, 11],
    ['letter, landscape', 11, 8.5],
    ['A4', 210 / 25.4, 297 / 25.4],
    ['A4, landscape', 297 / 25.4, 210 / 25.4],
    ['legal', 8.5, 14],
    ['legal, landscape', 14, 8.5],
    ['a label', 3, 2],
  ])('are a single one in the middle of %s', (_name, width, height) => {
    const { mark, columns, rows } = watermarkGrid({ width, height }, SHAPE);
    expect(columns).toEqual([expect.closeTo((width - mark.width) / 2)]);
    expect(rows).toEqual([expect.closeTo((height - mark.height) / 2)]);
  });
});
