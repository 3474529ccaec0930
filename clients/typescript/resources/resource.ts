import type { components, operations } from '../openapi.ts';
import { segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';

/** Request bodies, responses and events, by their names in the service's OpenAPI document. */
export type Schemas = components['schemas'];

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** Query of an operation. Undefined properties are not sent. */
export type Query<Name extends keyof operations> = {
  readonly [Parameter in keyof QueryOf<Name>]?: QueryOf<Name>[Parameter] | undefined;
};

/** Page of a list, and a search string. */
export type PageQuery = Query<'listHooks'>;

/** One page of a list, newest first (interface, "Pagination envelope"). */
export interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly pagination: Readonly<Schemas['Pagination']>;
}

/** Part of the API with its transport, which hides the key from loggers and debuggers. */
export abstract class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }
}

/** A part of the API that can be listed, newest first. */
export abstract class ListedResource<
  Entry,
  ListQuery extends Query<'listTemplateVersions'>,
> extends Resource {
  protected abstract readonly path: string;

  /** Returns one page. */
  async page(query?: ListQuery, options?: CallOptions): Promise<Page<Entry>> {
    return this.transport.json({ method: 'GET', path: this.path, query: { ...query }, options });
  }

  /** Iterates over all entries and loads pages on demand. */
  list(query?: ListQuery, options?: CallOptions): AsyncGenerator<Entry, void, undefined> {
    return everyEntry((cursor) => this.page({ ...query, cursor } as ListQuery, options), query?.cursor);
  }

  /** Path of the resource with this ID, or of a subresource. */
  protected pathOf(id: string, part = ''): string {
    return `${this.path}/${segment(id)}${part}`;
  }
}

/** Iterates over all entries of a list; loads the next page on demand. */
export async function* everyEntry<Entry>(
  pageAt: (cursor: string | undefined) => Promise<Page<Entry>>,
  first: string | undefined,
): AsyncGenerator<Entry, void, undefined> {
  for (let cursor = first; ;) {
    const { data, pagination } = await pageAt(cursor);
    yield* data;
    if (pagination.next_cursor === null) return;
    cursor = pagination.next_cursor;
  }
}
