import { useLocation } from 'preact-iso';
import { useCallback } from 'preact/hooks';

/** Properties of a page that come from its address. */
export interface PathParameters {
  readonly id?: string;
}

type Parameters = Readonly<Record<string, string | undefined>>;

/**
 * Returns the parameters of the page's address, and a function that changes some of them; undefined removes one. A
 * reload keeps them, and the history gets no new entry.
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
