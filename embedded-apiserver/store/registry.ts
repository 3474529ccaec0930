import type { Clock } from '@trifold/platform/async/clock.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { Change, type Write } from './change.ts';
import { RecentChanges } from './recent-changes.ts';
import type { KeyRange, LiveRow, RevisionTable } from './revision-table.ts';
import { TurnBudget } from '@trifold/platform/async/turn-budget.ts';

/** An object with its revision and its JSON as served. */
export interface Entry {
  readonly key: string;
  readonly revision: number;
  readonly json: string;
  readonly object: StoredObject;
}

/** Parses the object on first use, because a read of the whole object needs only its JSON. */
function entryOf({ key, id, value }: LiveRow, turns: TurnBudget): Entry {
  let parsed: StoredObject | undefined;
  return {
    key,
    revision: id,
    json: value,
    get object() {
      if (!parsed) turns.spend(value.length);
      return (parsed ??= JSON.parse(value) as StoredObject);
    },
  };
}

type Listener = (write: Write) => void;

/** Returns the range of all keys below a prefix that ends with `/`. */
export function rangeOf(prefix: string): KeyRange {
  return { after: prefix, end: `${prefix.slice(0, -1)}0` };
}

/**
 * Object store on top of the revision table. All calls are synchronous, so a handler that reads, decides and writes
 * without awaiting is atomic: no updates are lost inside the process.
 */
export class Registry {
  readonly table: RevisionTable;
  /** For code that reads many or large objects. */
  readonly turns = new TurnBudget();
  readonly #recent = new RecentChanges();
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(table: RevisionTable, clock: Clock) {
    this.table = table;
    this.#clock = clock;
  }

  get revision(): number {
    return this.table.revision;
  }

  /** Resolves when nothing a caller has read or written can be lost. Rejects if the disk fails. */
  durable(): Promise<void> | undefined {
    return this.table.durable();
  }

  read(key: string): Entry | undefined {
    const row = this.table.get(key);
    return row && entryOf(row, this.turns);
  }

  /** Returns a past write; undefined if it has been compacted. */
  change(revision: number): Change | undefined {
    const recent = this.#recent.get(revision);
    if (recent) return recent;
    const row = this.table.change(revision);
    const json = row && this.table.value(revision);
    if (json === undefined) return undefined;
    return new Change({ revision, json, deleted: row?.deleted === true }, () =>
      this.#lastMatch(row?.previous, revision),
    );
  }

  /** Writes a new object or replaces `before`, and sets the resourceVersion. */
  write(key: string, object: StoredObject, before?: Entry): Entry {
    return this.#append(key, object, { before, deleted: false });
  }

  /** Removes an object. Returns its last state with the resourceVersion of the removal. */
  remove(entry: Entry, last: StoredObject = entry.object): Entry {
    const object = { ...last, metadata: { ...last.metadata } };
    return this.#append(entry.key, object, { before: entry, deleted: true });
  }

  /** Calls `listener` synchronously during each write, in order; an empty `kindPrefix` covers all kinds. */
  subscribe(kindPrefix: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(kindPrefix) ?? new Set();
    this.#listeners.set(kindPrefix, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #append(key: string, object: StoredObject, write: { before: Entry | undefined; deleted: boolean }): Entry {
    const { before, deleted } = write;
    const id = this.table.nextId();
    const previous = before?.revision ?? 0;
    object.metadata.resourceVersion = String(id);
    const json = JSON.stringify(object);
    this.table.append({
      id,
      key,
      created: !before,
      deleted,
      previous,
      written: this.#clock.now().getTime(),
      value: json,
    });
    this.#recent.add(new Change({ revision: id, json, deleted }, () => this.#lastMatch(previous, id)));
    this.#publish({ revision: id, key, object, before: before?.object, deleted, bytes: json.length });
    return { key, revision: id, json, object };
  }

  #lastMatch(previous = 0, revision: number): string | undefined {
    return previous > 0 ? this.table.valueAs(previous, revision) : undefined;
  }

  #publish(write: Write): void {
    // A key is `<group>/<plural>/…`, so the kind's prefix ends with the second slash.
    const kindPrefix = write.key.slice(0, write.key.indexOf('/', write.key.indexOf('/') + 1) + 1);
    for (const listener of this.#listeners.get(kindPrefix) ?? []) listener(write);
    for (const listener of this.#listeners.get('') ?? []) listener(write);
  }
}
