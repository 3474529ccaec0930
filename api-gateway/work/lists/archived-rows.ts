import type { Clock } from '@trifold/platform/async/clock.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { TurnBudget } from '@trifold/platform/async/turn-budget.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import type { IndexList, IndexListing, WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { unavailable } from '../../server/errors/api-error.ts';
import { newestFirst, type Placed } from '../../server/pagination/page.ts';

export interface ArchivedRowsOptions<Row> {
  readonly account: string;
  readonly list: IndexList;
  readonly index: Pick<WorkIndex, 'list' | 'read'>;
  readonly placed: (row: Row) => Placed<Row>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called after each chunk read. */
  readonly onGrowth: () => void;
}

/** An account's index, as read. */
export interface ArchivedWork<Row> {
  /** Newest first, one per ID. */
  readonly rows: readonly Placed<Row>[];
  /** The IDs of the rows. */
  readonly ids: { has(id: string): boolean };
  /** IDs of deleted work. */
  readonly deleted: ReadonlySet<string>;
}

interface Chunk<Row> {
  readonly rows: readonly Placed<Row>[];
  /** Size of the rows as JSON, in bytes. */
  readonly size: number;
}

/**
 * Older chunks are not read: an account that produces more than this in a day would use up the memory of the others.
 */
const MAX_BYTES = BOUNDS.listedWork.limit.value;
/** Spreads the merging of chunks over event loop turns. */
const MERGING = new TurnBudget();
const CONCURRENT_READS = 8;
/** Maximum list attempts when chunks are replaced between listing and reading. */
const MAX_ATTEMPTS = 5;

/** The rows of one list in an account's index. Caches the chunks it has read, because chunks never change. */
export class ArchivedRows<Row> {
  readonly #options: ArchivedRowsOptions<Row>;
  /** By key. */
  readonly #chunks = new Map<string, Chunk<Row>>();
  #byId: ReadonlyMap<string, Placed<Row>> = new Map();
  #sorted: readonly Placed<Row>[] = [];
  /** Keys of the chunks in `#sorted`. */
  #version = '';
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: ArchivedRowsOptions<Row>) {
    this.#options = options;
  }

  /** Size of the rows in memory as JSON, in bytes. */
  get bytes(): number {
    let bytes = 0;
    for (const { size } of this.#chunks.values()) bytes += size;
    return bytes;
  }

  /**
   * Returns everything in the index at the time of the call. Rejects with ApiError `unavailable` and ObjectStoreError.
   */
  async list(): Promise<ArchivedWork<Row>> {
    // Reads run one at a time, so that concurrent requests do not read the same chunks.
    const result = this.#running.then(async () => this.#refresh());
    this.#running = result.catch(() => undefined);
    return result;
  }

  async #refresh(): Promise<ArchivedWork<Row>> {
    const { account, list, index, clock } = this.#options;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const { chunks, deleted } = await index.list(account, list, clock.now());
      const newest = newestWithin(chunks, MAX_BYTES);
      if (await this.#readMissing(newest)) {
        return { rows: await this.#rowsOf(newest.map(({ key }) => key)), ids: this.#byId, deleted };
      }
    }
    throw unavailable('The list is changing. Try again in a moment.');
  }

  /** Returns false if a chunk has been replaced since it was listed. */
  async #readMissing(chunks: IndexListing['chunks']): Promise<boolean> {
    const { index, placed, onGrowth } = this.#options;
    let isComplete = true;
    const missing = chunks.filter(({ key }) => !this.#chunks.has(key));
    await inParallel(missing, CONCURRENT_READS, async ({ key, size }) => {
      const rows = await index.read<Row>(key);
      if (!rows) isComplete = false;
      else this.#chunks.set(key, { rows: rows.map(placed), size });
      onGrowth();
    });
    return isComplete;
  }

  async #rowsOf(keys: readonly string[]): Promise<readonly Placed<Row>[]> {
    const version = keys.join();
    if (version === this.#version) return this.#sorted;
    const wanted = new Set(keys);
    for (const key of this.#chunks.keys()) if (!wanted.has(key)) this.#chunks.delete(key);
    const byId = new Map<string, Placed<Row>>();
    // Oldest first: an ID belongs to the work that had it first.
    for (const key of keys.toReversed()) {
      const { rows = [], size = 0 } = this.#chunks.get(key) ?? {};
      await MERGING.run(() => {
        MERGING.spend(size);
        for (const row of rows) if (!byId.has(row.position.id)) byId.set(row.position.id, row);
      });
    }
    this.#sorted = [...byId.values()].sort((left, right) => newestFirst(left.position, right.position));
    this.#byId = byId;
    this.#version = version;
    return this.#sorted;
  }
}

/** Returns the newest chunks that total at most `bytes`. */
function newestWithin(chunks: IndexListing['chunks'], bytes: number): IndexListing['chunks'] {
  let left = bytes;
  const end = chunks.findIndex(({ size }) => (left -= size) < 0);
  return end === -1 ? chunks : chunks.slice(0, end);
}
