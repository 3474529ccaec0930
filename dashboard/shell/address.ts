import { useLocation } from 'preact-iso';
import { useCallback } from 'preact/hooks';
import type { FilterField } from '../components/controls/filters.tsx';

/** Page properties that come from its URL. */
export interface PathParameters {
  readonly id?: string;
}

/** Returns a function that opens another page, unless the user has left the page since. For actions that take time. */
export function useRouteFromPage(): (url: string, replace?: boolean) => void {
  const { route } = useLocation();
  const { pathname } = location;
  return (url, replace) => {
    if (location.pathname === pathname) route(url, replace);
  };
}

type Parameters = Readonly<Record<string, string | undefined>>;

/**
 * Returns the query parameters of the page's URL, and a function that changes some of them; undefined removes one. A
 * reload keeps them; changes do not add a history entry.
 */
export function useQuery(): readonly [Parameters, (changes: Parameters) => void] {
  const { path, query, route } = useLocation();
  const change = useCallback(
    (changes: Parameters) => {
      const given = Object.entries({ ...query, ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
      );
      const search = new URLSearchParams(given).toString();
      route(search === '' ? path : `${path}?${search}`, true);
    },
    [path, query, route],
  );
  return [query, change];
}

/** A list's filters, kept in the URL. */
interface Filters<Name extends string> {
  readonly filter: Readonly<Record<Name, string | undefined>>;
  readonly isFiltered: boolean;
  readonly clear: () => void;
  readonly field: (name: Name) => FilterField;
}

export function useFilters<Name extends string>(...names: readonly Name[]): Filters<Name> {
  const [query, change] = useQuery();
  const entries = names.map((name) => [name, query[name]] as const);
  return {
    filter: Object.fromEntries(entries) as Filters<Name>['filter'],
    isFiltered: entries.some(([, value]) => Boolean(value)),
    clear: () => change(Object.fromEntries(names.map((name) => [name, '']))),
    field: (name) => ({ name, value: query[name], onChange: (value) => change({ [name]: value }) }),
  };
}
