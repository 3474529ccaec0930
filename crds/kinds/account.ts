import type { KindName } from '../schema/kind.ts';

/** A namespace with this label is an account; the value is the account's name (its namespace's). */
export const ACCOUNT_LABEL = 'trifold.dev/account';

/** The server's own kind that accounts are. */
export const NAMESPACE: KindName = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
