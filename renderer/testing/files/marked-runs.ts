/** Position of an object on a side of a picture, in pixels: its first and its last. */
export interface Run {
  readonly first: number;
  readonly last: number;
}

/** Groups marked pixels of a side that are less than `gap` apart. */
export function markedRuns(marked: readonly boolean[], gap: number): Run[] {
  const runs: { first: number; last: number }[] = [];
  for (const [at, isMarked] of marked.entries()) {
    const run = runs.at(-1);
    if (!isMarked) continue;
    if (run && at - run.last < gap) run.last = at;
    else runs.push({ first: at, last: at });
  }
  return runs;
}

/** Returns the starts of windows on a side that contain no complete run. */
export function emptyWindows(runs: readonly Run[], side: number, window: number): number[] {
  const starts = Array.from({ length: Math.max(1, side - window + 1) }, (_, start) => start);
  return starts.filter((start) => !runs.some(({ first, last }) => first >= start && last < start + window));
}
