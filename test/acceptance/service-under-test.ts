import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { Api } from '../support/api.ts';
import { clientWithNewKey, type KeyWanted } from '../support/keys-command.ts';

const service = inject('service');

export const { url, account } = service;
/** With a live key of all scopes. */
export const live = new Api(url, service.liveKey);
/** With a test key of all scopes, same account. */
export const test = new Api(url, service.testKey);
/** With another live key of all scopes, same account. */
export const sibling = new Api(url, service.siblingKey);
/** With a live key of all scopes in another account. */
export const otherAccount = new Api(url, service.otherAccountKey);
/** Without a key. */
export const stranger = new Api(url);

/** A client with a key of its own; in the account of the others unless another is named. */
export async function clientWith(wanted: Partial<KeyWanted> = {}): Promise<Api> {
  return clientWithNewKey(url, service.kubeconfig, { account, ...wanted });
}

/** Name of an account that no other test uses. */
export function newAccount(): string {
  return `acceptance-${randomUUID().slice(0, 13)}`;
}
