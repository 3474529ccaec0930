/** Which object of a kind is meant. Cluster-scoped kinds have no namespace. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`; `/name` for a cluster-scoped object. Names hold no slash, so it can be taken apart again. */
export function formatKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

/** The inverse of formatKey. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  return slash > 0 ? { namespace: text.slice(0, slash), name } : { name };
}
