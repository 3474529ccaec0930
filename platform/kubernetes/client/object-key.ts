/** Identifies an object of a kind. Cluster-scoped kinds have no namespace. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/**
 * Returns `namespace/name`, or `/name` for a cluster-scoped object. Names contain no slash, so parseKey can reverse it.
 */
export function formatKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

/** The inverse of formatKey. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  return slash > 0 ? { namespace: text.slice(0, slash), name } : { name };
}
