import { randomBytes } from 'node:crypto';
import { DOCUMENT_LIFETIME_MS, indexPrefix } from '@trifold/crds';
import { TurnBudget } from '../../async/turn-budget.ts';
import type { ListedObject, ObjectStore } from '../../object-store/port.ts';

/** Lists in the index, with the fields that they show for work whose resource has been deleted. */
export const INDEX_LISTS = ['documents', 'batches'] as const;
export type IndexList = (typeof INDEX_LISTS)[number];

/** Index objects, by key. */
export interface IndexListing {
  /** Chunks of rows, newest first. */
  readonly chunks: readonly { readonly key: string; readonly size: number }[];
  /** IDs of deleted work. No list shows them, regardless of the rows and resources. */
  readonly deleted: ReadonlySet<string>;
}

/** A chunk with this many rows or bytes is not extended. */
const FULL_ROWS = 500;
const FULL_BYTES = 256 * 1024;

/** Maximum clock difference between a writer and a reader. */
const SKEW_MS = 10 * 60 * 1000;

const DELETED = 'deleted';

/** Divides the parsing of chunks among turns of the event loop. */
const PARSING = new TurnBudget();

/** The last chunk of a list, while it can still be extended. */
interface OpenChunk {
  readonly key: string;
  readonly rows: number;
}

/**
 * The accounts' work index in the object store: chunks of rows, one JSON value per line, at
 * `index/<day>/<account>/<list>/<time>-<random>`. Chunks never change, so any number of writers can add some. The same
 * row may be in several chunks: readers drop repeated IDs. Every method rejects with ObjectStoreError.
 */
export class WorkIndex {
  readonly #store: ObjectStore;
  /** Keyed by the list's prefix. */
  readonly #open = new Map<string, OpenChunk>();
  #day = '';

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * Adds rows. When this resolves, every later reader finds them. If this process's last chunk is small, it is replaced
   * by one that also contains the new rows, so that an account with little work does not get a chunk for each document.
   */
  async add(account: string, list: IndexList, rows: readonly unknown[], now: Date): Promise<void> {
    if (rows.length === 0) return;
    const prefix = `${indexPrefix(account, now)}${list}/`;
    this.#forgetEarlierDays(indexPrefix('', now));
    const open = this.#open.get(prefix);
    const before = open && (await this.#store.read(open.key));
    const added = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const body = Buffer.concat([before ?? Buffer.alloc(0), Buffer.from(added)]);
    const count = (before ? open.rows : 0) + rows.length;
    const key = `${prefix}${chunkName(now)}`;
    // A failed put may take effect later. Its chunk then repeats rows, and nothing overwrites it.
    await this.#store.put(key, body, { contentType: 'application/x-ndjson' });
    if (count < FULL_ROWS && body.length < FULL_BYTES) this.#open.set(prefix, { key, rows: count });
    else this.#open.delete(prefix);
    // A leftover chunk only repeats rows from its successor.
    if (open) await this.#store.delete(open.key).catch(() => undefined);
  }

  /** Hides work from the lists until it expires. `at`: a time between its creation and now. Idempotent. */
  async markDeleted(account: string, id: string, at: Date): Promise<void> {
    await this.#store.put(`${indexPrefix(account, at)}${DELETED}/${id}`, '');
  }

  /** Returns the ID in the key of an object that `markDeleted` stored; undefined for any other key. */
  static deletedIdOf(key: string): string | undefined {
    const [, , , folder, id] = key.split('/');
    return folder === DELETED ? id : undefined;
  }

  /** Lists the objects that may contain work that has not expired. */
  async list(account: string, list: IndexList, now: Date): Promise<IndexListing> {
    // A chunk's rows were accepted before the chunk's time.
    const first = new Date(now.getTime() - DOCUMENT_LIFETIME_MS - SKEW_MS);
    const last = new Date(now.getTime() + SKEW_MS);
    // Shortly after midnight, `first` was two days ago.
    const dayAgo = new Date(now.getTime() - DOCUMENT_LIFETIME_MS);
    const days = new Set([last, now, dayAgo, first].map((day) => indexPrefix(account, day)));
    const oldest = chunkTime(first);
    const chunks: { key: string; size: number }[] = [];
    const deleted = new Set<string>();
    for await (const { key, size } of this.#objectsBelow(days)) {
      const [, , , folder, name = ''] = key.split('/');
      if (folder === DELETED) deleted.add(name);
      else if (folder === list && name >= oldest) chunks.push({ key, size });
    }
    chunks.sort((one, other) => (one.key < other.key ? 1 : -1));
    return { chunks, deleted };
  }

  /** Returns the rows of a chunk; undefined if another chunk has replaced it since it was listed. */
  async read<Row>(key: string): Promise<Row[] | undefined> {
    const body = await this.#store.read(key);
    return (
      body &&
      PARSING.run(() => {
        PARSING.spend(body.length);
        const lines = body.toString().split('\n');
        return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
      })
    );
  }

  async *#objectsBelow(prefixes: Iterable<string>): AsyncGenerator<ListedObject> {
    for (const prefix of prefixes) for await (const page of this.#store.pages(prefix)) yield* page;
  }

  #forgetEarlierDays(day: string): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#open.clear();
  }
}

function chunkName(now: Date): string {
  return `${chunkTime(now)}-${randomBytes(8).toString('hex')}`;
}

/** Sorts chronologically as a string: `20261121T030507123Z`. */
function chunkTime(time: Date): string {
  return time.toISOString().replaceAll(/[-:.]/g, '');
}
