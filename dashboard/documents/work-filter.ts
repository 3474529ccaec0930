import type { DocumentQuery } from '@trifold/client';
import { useQuery } from '../shell/address.ts';

/** Filters of a list of documents or batches, as the address has them. `metadata`: `name=value`. */
export type WorkFilter = Readonly<Record<'status' | 'template_id' | 'q' | 'metadata', string | undefined>>;

const NO_FILTER = { status: '', template_id: '', q: '', metadata: '' };

interface FilterState {
  readonly filter: WorkFilter;
  readonly isFiltered: boolean;
  readonly change: (changes: Readonly<Record<string, string>>) => void;
  readonly clear: () => void;
}

/** Returns the filters in the address and what changes them. */
export function useWorkFilter(): FilterState {
  const [{ status, template_id, q, metadata }, change] = useQuery();
  const filter = { status, template_id, q, metadata };
  return {
    filter,
    isFiltered: Object.values(filter).some(Boolean),
    change,
    clear: () => change(NO_FILTER),
  };
}

/** Returns the query of the API. Metadata that is not `name=value` is left out. */
export function queryOf({ status, template_id, q, metadata }: WorkFilter): DocumentQuery {
  return {
    status: status as DocumentQuery['status'],
    template_id,
    q,
    metadata: memberOf(metadata),
  };
}

/** Reads `name=value`. Undefined for any other text. */
export function memberOf(metadata = ''): Readonly<Record<string, string>> | undefined {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(metadata) ?? [];
  return name === undefined || value === undefined ? undefined : { [name.trim()]: value.trim() };
}
