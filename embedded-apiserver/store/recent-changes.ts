import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Change } from './change.ts';

/** A change keeps its JSON and the line that its watchers share in memory. */
const COPIES = 2;

/** Keeps the latest changes, so that all watchers share the encoded lines. Others are read from the table. */
export class RecentChanges {
  readonly #most: number;
  /** By revision, oldest first. */
  readonly #changes = new Map<number, Change>();
  #bytes = 0;

  constructor(most: number = BOUNDS.recentChanges.limit.value) {
    this.#most = most;
  }

  get(revision: number): Change | undefined {
    return this.#changes.get(revision);
  }

  add(change: Change): void {
    if (sizeOf(change) > this.#most) return;
    this.#changes.set(change.revision, change);
    this.#bytes += sizeOf(change);
    for (const [revision, oldest] of this.#changes) {
      if (this.#bytes <= this.#most) return;
      this.#changes.delete(revision);
      this.#bytes -= sizeOf(oldest);
    }
  }
}

function sizeOf(change: Change): number {
  return COPIES * change.json.length;
}
