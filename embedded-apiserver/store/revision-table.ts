import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Durability } from '@trifold/platform/process/durability.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/**
 * Every write is a new row whose id is the resourceVersion, just as kine stores etcd's keyspace in SQL. `live` contains
 * the current revision of each key, so that the cost of a list depends on current objects and not on history. A trigger
 * maintains `live`, so that a write is one statement and therefore one implicit transaction.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS revision (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    created INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    written INTEGER NOT NULL,
    value TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS revision_by_key ON revision (key, id, deleted);
  CREATE INDEX IF NOT EXISTS revision_owned ON revision (id) WHERE instr(value, '"ownerReferences":') > 0;
  CREATE TABLE IF NOT EXISTS live (key TEXT PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS revision_sets_live AFTER INSERT ON revision WHEN NEW.deleted = 0 BEGIN
    INSERT INTO live (key, id) VALUES (NEW.key, NEW.id) ON CONFLICT (key) DO UPDATE SET id = NEW.id;
  END;
  CREATE TRIGGER IF NOT EXISTS revision_ends_live AFTER INSERT ON revision WHEN NEW.deleted = 1 BEGIN
    DELETE FROM live WHERE key = NEW.key;
  END;
`;

const AS_OF = `
  SELECT l.key AS key, r.id AS id, octet_length(r.value) AS bytes FROM (
    SELECT key, id FROM live WHERE key > :after AND key < :end AND id <= :revision
    UNION ALL
    SELECT key, id FROM (
      SELECT key, max(id) AS id, deleted FROM revision
      WHERE key > :after AND key < :end AND id <= :revision
        AND key IN (SELECT key FROM revision WHERE id > :revision)
      GROUP BY key HAVING deleted = 0
    )
    ORDER BY key LIMIT :limit
  ) l JOIN revision r ON r.id = l.id ORDER BY l.key`;

const NOW = `
  SELECT l.key AS key, r.id AS id, octet_length(r.value) AS bytes
  FROM (SELECT key, id FROM live WHERE key > :after AND key < :end ORDER BY key LIMIT :limit) l
  JOIN revision r ON r.id = l.id ORDER BY l.key`;

/** A current object: its revision and its JSON exactly as served. */
export interface LiveRow {
  readonly key: string;
  readonly id: number;
  readonly value: string;
}

/**
 * A revision of an object without its JSON, which `value` returns, so that the cost of reading a row does not depend on
 * its size.
 */
export interface RowHead {
  readonly key: string;
  readonly id: number;
  /** Length of the JSON as UTF-8. */
  readonly bytes: number;
}

/** A past write, for a watcher that catches up. */
export interface ChangeHead extends RowHead {
  readonly deleted: boolean;
  /** The revision that this one replaced; 0 for a create. */
  readonly previous: number;
}

/** Maximum amount that one call to `compact` deletes; a larger revision is deleted by itself. */
export interface CompactionStep {
  readonly revisions: number;
  readonly bytes: number;
}

/** A write to append. `id` is `nextId()`, because the JSON already contains it. */
export interface Append {
  readonly id: number;
  readonly key: string;
  readonly created: boolean;
  readonly deleted: boolean;
  /** The revision that this one replaces; 0 for a create. */
  readonly previous: number;
  /** Time of the write, in milliseconds since 1970. */
  readonly written: number;
  readonly value: string;
}

/** A range of keys: above `after`, below `end`. */
export interface KeyRange {
  readonly after: string;
  readonly end: string;
}

/**
 * The revisions in SQLite. A write survives a process crash as soon as it is made, because it has reached the operating
 * system, and a power cut as soon as `durable` resolves. Only one process may have the file open.
 */
export class RevisionTable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Undefined if writes need not survive a power cut. */
  readonly #log: WriteAheadLog | undefined;
  #revision: number;
  #compacted: number;

  constructor(file: string, durability: Durability = 'process') {
    this.#db = openDatabase(file);
    if (durability === 'power' && file !== ':memory:') this.#log = new WriteAheadLog(file);
    this.#compacted = this.#number(
      `SELECT coalesce((SELECT value FROM meta WHERE name = 'compacted'), 0) AS value`,
    );
    const last = this.#number('SELECT coalesce(max(id), 0) AS value FROM revision');
    // A deletion that was the last write may have been compacted.
    this.#revision = Math.max(last, this.#compacted);
  }

  /** The latest revision; 0 before the first write. */
  get revision(): number {
    return this.#revision;
  }

  /** History up to and including this revision is deleted. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  nextId(): number {
    return this.#revision + 1;
  }

  append(row: Append): void {
    this.#prepare(
      'INSERT INTO revision (id, key, created, deleted, previous, written, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ).run(row.id, row.key, Number(row.created), Number(row.deleted), row.previous, row.written, row.value);
    this.#revision = row.id;
  }

  /**
   * Resolves when everything written so far survives the failures named by the durability setting. Rejects if the disk
   * fails.
   */
  durable(): Promise<void> | undefined {
    return this.#log?.reach(this.#revision);
  }

  get(key: string): LiveRow | undefined {
    const statement = this.#prepare(
      'SELECT l.key AS key, r.id AS id, r.value AS value FROM live l JOIN revision r ON r.id = l.id WHERE l.key = ?',
    );
    return statement.get(key) as LiveRow | undefined;
  }

  has(key: string): boolean {
    return this.#prepare('SELECT 1 FROM live WHERE key = ?').get(key) !== undefined;
  }

  /**
   * Iterates over the objects of the current revision, or of an earlier one that has not been compacted, ordered by
   * key. Do not write to the table or list again before the iteration ends.
   */
  list(range: KeyRange, limit: number, revision = this.#revision): IterableIterator<RowHead> {
    const parameters = { ':after': range.after, ':end': range.end, ':limit': limit };
    const rows =
      revision >= this.#revision
        ? this.#prepare(NOW).iterate(parameters)
        : this.#prepare(AS_OF).iterate({ ...parameters, ':revision': revision });
    return rows as unknown as IterableIterator<RowHead>;
  }

  /** Returns the JSON of a revision; undefined if it has been compacted. */
  value(id: number): string | undefined {
    const row = this.#prepare('SELECT value FROM revision WHERE id = ?').get(id);
    return row?.['value'] as string | undefined;
  }

  /** Returns the JSON of a revision in UTF-8, which is faster than as a string; undefined if it has been compacted. */
  bytes(id: number): Uint8Array | undefined {
    const row = this.#prepare('SELECT CAST(value AS BLOB) AS value FROM revision WHERE id = ?').get(id);
    return row?.['value'] as Uint8Array | undefined;
  }

  /**
   * Returns the JSON of a revision with a different resourceVersion; undefined if it has been compacted. The JSON is
   * not parsed here.
   */
  valueAs(id: number, resourceVersion: number): string | undefined {
    const row = this.#prepare(
      `SELECT json_set(value, '$.metadata.resourceVersion', ?) AS value FROM revision WHERE id = ?`,
    ).get(String(resourceVersion), id);
    return row?.['value'] as string | undefined;
  }

  /** Returns the JSON of a revision without its spec; undefined if it has been compacted. */
  valueWithoutSpec(id: number): string | undefined {
    const row = this.#prepare(`SELECT json_remove(value, '$.spec') AS value FROM revision WHERE id = ?`).get(
      id,
    );
    return row?.['value'] as string | undefined;
  }

  /** Returns the JSON of a revision's metadata; undefined if it has been compacted. */
  metadata(id: number): string | undefined {
    const row = this.#prepare(`SELECT value -> '$.metadata' AS value FROM revision WHERE id = ?`).get(id);
    return row?.['value'] as string | undefined;
  }

  /** Returns the JSON of an object's metadata. For large objects, this is several times faster than JSON.parse. */
  metadataIn(json: string): string {
    const row = this.#prepare(`SELECT ? -> '$.metadata' AS value`).get(json);
    return row?.['value'] as string;
  }

  /** Returns current objects that may have owners, ordered by revision, starting after the given one. */
  owned(after: number, limit: number): RowHead[] {
    // Uses a cross join, so that SQLite reads the partial index instead of every object.
    const statement = this.#prepare(
      `SELECT l.key AS key, r.id AS id, octet_length(r.value) AS bytes
       FROM revision r CROSS JOIN live l ON l.key = r.key AND l.id = r.id
       WHERE instr(r.value, '"ownerReferences":') > 0 AND r.id > ? ORDER BY r.id LIMIT ?`,
    );
    return statement.all(after, limit) as unknown as RowHead[];
  }

  count(range: KeyRange): number {
    const statement = this.#prepare('SELECT count(*) AS value FROM live WHERE key > ? AND key < ?');
    return (statement.get(range.after, range.end) as { value: number }).value;
  }

  /** Returns the writes of all kinds after a revision, oldest first. */
  changesAfter(revision: number, limit: number): ChangeHead[] {
    const rows = this.#prepare(
      `SELECT id, key, deleted, previous, octet_length(value) AS bytes
       FROM revision WHERE id > ? ORDER BY id LIMIT ?`,
    ).all(revision, limit) as unknown as (RowHead & { deleted: number; previous: number })[];
    return rows.map((row) => ({ ...row, deleted: row.deleted === 1 }));
  }

  /** Returns a past write; undefined if it has been compacted. */
  change(revision: number): ChangeHead | undefined {
    const [row] = this.changesAfter(revision - 1, 1);
    return row?.id === revision ? row : undefined;
  }

  /** Returns the keys in a range whose last write is older than `before` (milliseconds since 1970). */
  writtenBefore(range: KeyRange, before: number, limit: number): string[] {
    const rows = this.#prepare(
      `SELECT l.key AS key FROM live l JOIN revision r ON r.id = l.id
       WHERE l.key > ? AND l.key < ? AND r.written < ? LIMIT ?`,
    ).all(range.after, range.end, before, limit) as { key: string }[];
    return rows.map((row) => row.key);
  }

  /**
   * Deletes history (replaced rows and tombstones) up to `upTo`, at most one step. Returns the revision reached. Keeps
   * rows that a later revision replaces: watchers need them for the previous state of an object.
   */
  compact(upTo: number, step: CompactionStep): number {
    const target = this.#compactionTarget(Math.min(upTo, this.#revision), step);
    if (target <= this.#compacted) return this.#compacted;
    this.transaction(() => {
      this.#prepare(
        `DELETE FROM revision WHERE id IN (
           SELECT previous FROM revision WHERE id > :from AND id <= :to AND previous > 0
           UNION SELECT id FROM revision WHERE id > :from AND id <= :to AND deleted = 1)`,
      ).run({ ':from': this.#compacted, ':to': target });
      this.#prepare(
        `INSERT INTO meta (name, value) VALUES ('compacted', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      ).run(target);
    });
    this.#compacted = target;
    return target;
  }

  #compactionTarget(upTo: number, { revisions, bytes }: CompactionStep): number {
    const last = Math.min(upTo, this.#compacted + revisions);
    const rows = this.#prepare(
      `SELECT r.id AS id, coalesce(octet_length(p.value), 0) + r.deleted * octet_length(r.value) AS bytes
       FROM revision r LEFT JOIN revision p ON p.id = r.previous
       WHERE r.id > ? AND r.id <= ? ORDER BY r.id`,
    ).all(this.#compacted, last) as unknown as { id: number; bytes: number }[];
    let sum = 0;
    for (const [index, row] of rows.entries()) {
      sum += row.bytes;
      if (sum > bytes && index > 0) return row.id - 1;
    }
    return last;
  }

  /** Runs synchronous work as one transaction. */
  transaction(work: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
    this.#log?.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #number(sql: string): number {
    return (this.#db.prepare(sql).get() as { value: number }).value;
  }
}

/** Opens the file with an exclusive lock. Only the owner may read it, because it contains Secrets. */
function openDatabase(file: string): DatabaseSync {
  if (file !== ':memory:') {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a', 0o600));
  }
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
