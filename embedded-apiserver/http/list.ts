import { apiVersionOf } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import { expired, tooLargeResourceVersion } from '../objects/status-error.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { columnDefinitions, tableRow, metadataJson, type TableOptions } from '../objects/table.ts';
import { storageKey } from '../served-kind.ts';
import { rangeOf, type Registry } from '../store/registry.ts';
import type { TurnBudget } from '@trifold/platform/async/turn-budget.ts';
import type { KeyRange, RowHead } from '../store/revision-table.ts';
import { CHUNK_BYTES } from '../store/unread-bytes.ts';
import { includeObjectOf, type Representation } from './accept.ts';
import {
  encodeContinue,
  listOptionsOf,
  selectionOf,
  type ListOptions,
  type ObjectSelection,
} from './list-options.ts';
import type { ResourceRoute } from './route.ts';

/** Number of table rows examined per batch. */
const PAGE = 100;

interface ListRequest {
  readonly route: ResourceRoute;
  readonly query: Readonly<Record<string, string>>;
  readonly representation: Representation;
}

/** Returns a list as JSON in chunks, so that a long list does not block other requests or fill up memory. */
export function listResponse(registry: Registry, clock: Clock, request: ListRequest): ApiResponse {
  const { route, query, representation } = request;
  const options = listOptionsOf(query);
  const selection = selectionOf(route.kind, query);
  const prefix = storageKey(route.kind, route.namespace);
  const revision = revisionOf(registry, options);
  const range = rangeFor(route, selection, rangeOf(prefix));
  const reader = new ListReader(registry, {
    range: options.page ? { ...range, after: prefix + options.page.start } : range,
    revision,
    limit: options.limit ?? Number.POSITIVE_INFINITY,
    selection,
    metadataOnly: representation === 'metadata',
  });
  const writer = writerFor(route, representation, query, clock);
  const metadata = () => listMetadata(registry, reader, { prefix, revision, countable: !selection.matches });
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: pieces(reader, writer, { turns: registry.turns, metadata }),
  };
}

function revisionOf(registry: Registry, { notBefore, page, exactly }: ListOptions): number {
  const current = registry.revision;
  if (notBefore > current) throw tooLargeResourceVersion(notBefore, current);
  const revision = page?.revision ?? exactly ?? current;
  if (revision >= registry.table.compactedRevision) return revision;
  if (page) throw expired('The provided continue parameter is too old to display a consistent list result.');
  throw expired('The resourceVersion for the provided list is too old.');
}

/** A name selector narrows the range to one key if the namespace is known. */
function rangeFor(route: ResourceRoute, selection: ObjectSelection, whole: KeyRange): KeyRange {
  if (selection.name === undefined || (route.kind.namespaced && route.namespace === undefined)) return whole;
  const key = storageKey(route.kind, route.namespace, selection.name);
  return { after: key.slice(0, -1) + previousCharacter(key), end: `${key}\u0000` };
}

/**
 * Replacement for the key's last character that sorts just below the key: the preceding character, then the highest
 * one.
 */
function previousCharacter(key: string): string {
  return `${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}\uffff`;
}

interface ReadOptions {
  readonly range: KeyRange;
  readonly revision: number;
  readonly limit: number;
  readonly selection: ObjectSelection;
  /** Whether rows contain only the metadata's JSON. */
  readonly metadataOnly: boolean;
}

/** JSON of an object or its metadata; UTF-8 bytes if the stored form is sent unchanged. */
type ListedRow = string | Uint8Array;

/** Reads matching rows in batches up to the limit, and tracks whether more rows may follow. */
class ListReader {
  readonly #registry: Registry;
  readonly #options: ReadOptions;
  /** The rows of the current batch that have yet to be examined, in reverse order. */
  #found: RowHead[] = [];
  /** Whether the current batch is the last one, because it was not full. */
  #isLast = false;
  #after: string;
  #taken = 0;
  #exhausted = false;

  constructor(registry: Registry, options: ReadOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#after = options.range.after;
  }

  /** The last key returned, if more rows may follow it. */
  get continuesAfter(): string | undefined {
    return this.#exhausted ? undefined : this.#after;
  }

  get range(): KeyRange {
    return { after: this.#after, end: this.#options.range.end };
  }

  /** Whether the page has no more rows. */
  get isComplete(): boolean {
    return this.#exhausted || this.#taken >= this.#options.limit;
  }

  /** Returns the next rows, about a chunk's worth. */
  next(): ListedRow[] {
    const { revision, limit } = this.#options;
    const { table } = this.#registry;
    // The client has been reading one list for minutes: fail instead of returning a list with missing objects.
    if (revision < table.compactedRevision)
      throw new Error('the list took longer than the time for which its history is kept');
    if (this.#found.length === 0) this.#find();
    const listed: ListedRow[] = [];
    let bytes = 0;
    for (let row = this.#found.at(-1); row; row = this.#found.at(-1)) {
      if (this.#taken >= limit || (bytes > 0 && bytes + row.bytes > CHUNK_BYTES)) return listed;
      this.#found.pop();
      bytes += row.bytes;
      this.#after = row.key;
      const read = this.#read(row);
      if (read === undefined) continue;
      this.#taken += 1;
      listed.push(read);
    }
    this.#exhausted = this.#isLast;
    return listed;
  }

  #find(): void {
    const { range, revision, limit } = this.#options;
    // One extra row shows whether the page is the last.
    const lot = Math.min(PAGE, limit - this.#taken + 1);
    const rows = this.#registry.table.list({ after: this.#after, end: range.end }, lot, revision);
    this.#found = [...rows].toReversed();
    this.#isLast = this.#found.length < lot;
  }

  #read({ id, bytes }: RowHead): ListedRow | undefined {
    const { selection, metadataOnly } = this.#options;
    const { table, turns } = this.#registry;
    turns.spend(bytes);
    if (selection.matches) {
      const json = selection.readsSpec ? table.value(id) : table.valueWithoutSpec(id);
      const object = JSON.parse(json ?? '') as StoredObject;
      if (!selection.matches(object)) return undefined;
      if (metadataOnly) return JSON.stringify(object.metadata);
    }
    return (metadataOnly ? table.metadata(id) : table.bytes(id)) ?? '';
  }
}

function listMetadata(
  registry: Registry,
  reader: ListReader,
  list: { prefix: string; revision: number; countable: boolean },
): object {
  const after = reader.continuesAfter;
  return {
    resourceVersion: String(list.revision),
    ...(after !== undefined && {
      continue: encodeContinue({ revision: list.revision, start: after.slice(list.prefix.length) }),
      ...(list.countable && { remainingItemCount: registry.table.count(reader.range) }),
    }),
  };
}

/** Serializes a list: the part before its items, each item, and the part after them. */
interface ListWriter {
  readonly head: string;
  item(row: ListedRow): string | Uint8Array;
  tail(metadata: object): string;
}

function writerFor(
  route: ResourceRoute,
  representation: Representation,
  query: Readonly<Record<string, string>>,
  clock: Clock,
): ListWriter {
  if (representation === 'table') return tableWriter(route, query, clock);
  const partial = representation === 'metadata';
  const identity = partial
    ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' }
    : { kind: `${route.kind.kind}List`, apiVersion: apiVersionOf(route.kind) };
  return {
    head: `${JSON.stringify(identity).slice(0, -1)},"items":[`,
    item: (row) => (partial ? metadataJson(textOf(row)) : row),
    tail: (metadata) => `],"metadata":${JSON.stringify(metadata)}}`,
  };
}

function tableWriter(
  route: ResourceRoute,
  query: Readonly<Record<string, string>>,
  clock: Clock,
): ListWriter {
  const options: TableOptions = {
    columns: route.kind.columns,
    includeObject: includeObjectOf(query),
    now: clock.now(),
    definitions: true,
  };
  const definitions = JSON.stringify(columnDefinitions(options.columns));
  return {
    head: `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":${definitions},"rows":[`,
    item: (row) => JSON.stringify(tableRow(JSON.parse(textOf(row)) as StoredObject, options)),
    tail: (metadata) => `],"metadata":${JSON.stringify(metadata)}}`,
  };
}

function textOf(row: ListedRow): string {
  return typeof row === 'string' ? row : Buffer.from(row).toString();
}

async function* pieces(
  reader: ListReader,
  writer: ListWriter,
  { turns, metadata }: { turns: TurnBudget; metadata: () => object },
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let first = true;
  const add = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    parts.push(bytes);
    size += bytes.length;
  };
  const read = () => {
    for (const row of reader.next()) {
      if (!first) add(',');
      add(writer.item(row));
      first = false;
    }
  };
  const taken = () => {
    const bytes = Buffer.concat(parts);
    // Until the client reads them, only the response holds the bytes.
    [parts, size] = [[], 0];
    return bytes;
  };
  add(writer.head);
  while (!reader.isComplete) {
    await turns.run(read);
    if (size >= CHUNK_BYTES / 2) yield taken();
  }
  add(writer.tail(metadata()));
  yield taken();
}
