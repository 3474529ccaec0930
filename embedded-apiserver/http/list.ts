import { apiVersionOf } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import { expired, tooLargeResourceVersion } from '../objects/status-error.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { columnDefinitions, tableRow, metadataOf, type TableOptions } from '../objects/table.ts';
import { storageKey } from '../served-kind.ts';
import { rangeOf, type Registry } from '../store/registry.ts';
import type { KeyRange, LiveRow } from '../store/revision-table.ts';
import { includeObjectOf, type Representation } from './accept.ts';
import {
  encodeContinue,
  listOptionsOf,
  selectionOf,
  type ListOptions,
  type ObjectSelection,
} from './list-options.ts';
import type { ResourceRoute } from './route.ts';

/** Rows in a batch; the event loop turns between two batches. */
const PAGE = 100;

interface ListRequest {
  readonly route: ResourceRoute;
  readonly query: Readonly<Record<string, string>>;
  readonly representation: Representation;
}

/** Returns a list as JSON in chunks, so that a long list does not block other requests or fill the memory. */
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
    matches: selection.matches,
  });
  const writer = writerFor(route, representation, query, clock);
  const metadata = () => listMetadata(registry, reader, { prefix, revision, countable: !selection.matches });
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: pieces(reader, writer, metadata),
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

/** A selector by name narrows the range to one key if the namespace is known. */
function rangeFor(route: ResourceRoute, selection: ObjectSelection, whole: KeyRange): KeyRange {
  if (selection.name === undefined || (route.kind.namespaced && route.namespace === undefined)) return whole;
  const key = storageKey(route.kind, route.namespace, selection.name);
  return { after: key.slice(0, -1) + previousCharacter(key), end: `${key}\u0000` };
}

/** Replacement of the key's last character that sorts just below the key: the character before it, then the highest. */
function previousCharacter(key: string): string {
  return `${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}\uffff`;
}

interface ReadOptions {
  readonly range: KeyRange;
  readonly revision: number;
  readonly limit: number;
  readonly matches: ((object: StoredObject) => boolean) | undefined;
}

interface ListedRow extends LiveRow {
  readonly object: StoredObject | undefined;
}

/** Reads matching rows in batches up to the limit, and tracks whether more rows may follow. */
class ListReader {
  readonly #registry: Registry;
  readonly #options: ReadOptions;
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

  /** Returns the next batch; undefined at the end of the page. */
  next(): ListedRow[] | undefined {
    const { range, revision, limit, matches } = this.#options;
    if (this.#exhausted || this.#taken >= limit) return undefined;
    // The client reads one list for minutes: fail instead of returning a list with missing objects.
    if (revision < this.#registry.table.compactedRevision) throw new Error('the list outlived the history');
    // One extra row shows whether the page is the last.
    const lot = Math.min(PAGE, limit - this.#taken + 1);
    const rows = this.#registry.table.list({ after: this.#after, end: range.end }, lot, revision);
    const listed: ListedRow[] = [];
    for (const row of rows) {
      if (this.#taken >= limit) return listed;
      const object = matches ? (JSON.parse(row.value) as StoredObject) : undefined;
      this.#after = row.key;
      if (object && !matches?.(object)) continue;
      this.#taken += 1;
      listed.push({ ...row, object });
    }
    this.#exhausted = rows.length < lot;
    return listed;
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

/** Serialises a list: the text before its items, each item, and the text after them. */
interface ListWriter {
  readonly head: string;
  item(row: ListedRow): string;
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
    item: (row) => (partial ? JSON.stringify(metadataOf(objectOf(row))) : row.value),
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
    item: (row) => JSON.stringify(tableRow(objectOf(row), options)),
    tail: (metadata) => `],"metadata":${JSON.stringify(metadata)}}`,
  };
}

function objectOf(row: ListedRow): StoredObject {
  return row.object ?? (JSON.parse(row.value) as StoredObject);
}

async function* pieces(
  reader: ListReader,
  writer: ListWriter,
  metadata: () => object,
): AsyncGenerator<Uint8Array> {
  let text = writer.head;
  let first = true;
  for (let rows = reader.next(); rows; rows = reader.next()) {
    for (const row of rows) {
      text += (first ? '' : ',') + writer.item(row);
      first = false;
    }
    if (text.length > 0 && rows.length >= PAGE / 2) {
      yield Buffer.from(text);
      text = '';
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  yield Buffer.from(text + writer.tail(metadata()));
}
