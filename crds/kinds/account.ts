import type { KindName } from '../schema/kind.ts';

/** A namespace with this label is an account; the value is the account's name (that of the namespace). */
export const ACCOUNT_LABEL = 'trifold.dev/account';

/** The built-in kind of accounts. */
export const NAMESPACE: KindName = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
