import { diff } from 'node:util';

/** Unchanged lines around a change. */
const CONTEXT = 3;
/** Comparing takes memory for the square of the lines between the first and the last change. */
const MAX_COMPARED_LINES = 4000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Returns a unified diff, or an empty string for equal files. An absent file is undefined. */
export function unifiedDiff(name: readonly [string, string], before?: string, after?: string): string {
  if (before === after) return '';
  const lines = compare(linesOf(before), linesOf(after));
  const names = [before === undefined ? '/dev/null' : name[0], after === undefined ? '/dev/null' : name[1]];
  return `--- ${names[0]}\n+++ ${names[1]}\n${hunks(lines).join('')}`;
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  if (text.endsWith('\n')) return text.slice(0, -1).split('\n');
  const lines = text.split('\n');
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

function compare(before: string[], after: string[]): Line[] {
  const isSame = (index: number, from: 0 | -1) =>
    before.at(from === 0 ? index : -1 - index) === after.at(from === 0 ? index : -1 - index);
  const shorter = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < shorter && isSame(start, 0)) start += 1;
  while (end < shorter - start && isSame(end, -1)) end += 1;
  const old = before.slice(start, before.length - end);
  const changed = after.slice(start, after.length - end);
  return [
    ...before.slice(0, start).map((text) => ({ mark: ' ', text }) as const),
    ...changes(old, changed),
    ...before.slice(before.length - end).map((text) => ({ mark: ' ', text }) as const),
  ];
}

function changes(before: string[], after: string[]): Line[] {
  if (before.length + after.length > MAX_COMPARED_LINES || before.length === 0 || after.length === 0) {
    return [
      ...before.map((text) => ({ mark: '-', text }) as const),
      ...after.map((text) => ({ mark: '+', text }) as const),
    ];
  }
  // 1: only in the first list.
  const MARKS = { '-1': '+', 0: ' ', 1: '-' } as const;
  return diff(before, after).map(([side, text]) => ({ mark: MARKS[side], text }));
}

function hunks(lines: readonly Line[]): string[] {
  const shown = new Set<number>();
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near += 1) shown.add(near);
  }
  const result: string[] = [];
  let [before, after] = [1, 1];
  for (let index = 0; index < lines.length;) {
    const end = endOfRun(shown, index, lines.length);
    const part = lines.slice(index, end);
    const [old, changed] = [count(part, '+'), count(part, '-')];
    if (end > index) {
      result.push(`@@ -${range(before, old)} +${range(after, changed)} @@\n${part.map(textOf).join('')}`);
    }
    before += old;
    after += changed;
    index = end;
    if (index < lines.length && !shown.has(index)) {
      index += 1;
      before += 1;
      after += 1;
    }
  }
  return result;
}

function endOfRun(shown: ReadonlySet<number>, from: number, length: number): number {
  let end = from;
  while (end < length && shown.has(end)) end += 1;
  return end;
}

/** Number of lines without this mark. */
function count(lines: readonly Line[], without: Line['mark']): number {
  return lines.filter(({ mark }) => mark !== without).length;
}

function range(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${lines === 0 ? start - 1 : start},${lines}`;
}

function textOf({ mark, text }: Line): string {
  return `${mark}${text}\n`;
}
