import { randomUUID } from 'node:crypto';
import { TrifoldClient } from '@trifold/client';
import { inject } from 'vitest';
import { Api } from '../support/api.ts';
import { clientWithNewKey, type KeyWanted } from '../support/keys-command.ts';

export const service = inject('service');

export const { url, account, receivers, previewsDocuments } = service;
/** A client with a live key that has all scopes. */
export const live = new Api(url, service.liveKey);
/** A client with a test key that has all scopes, in the same account. */
export const test = new Api(url, service.testKey);
/** A client with another live key that has all scopes, in the same account. */
export const sibling = new Api(url, service.siblingKey);
/** A client with a live key that has all scopes, in another account. */
export const otherAccount = new Api(url, service.otherAccountKey);

/** Returns a client with a new key, by default in the account of the other clients. */
export async function clientWith(wanted: Partial<KeyWanted> = {}): Promise<Api> {
  return clientWithNewKey(url, service.kubeconfig, { account, ...wanted });
}

export function typescriptClient({ key }: { readonly key: string | undefined }): TrifoldClient {
  return new TrifoldClient({ baseUrl: url, apiKey: String(key) });
}

/** Returns the name of an account that no other test uses. */
export function newAccount(): string {
  return `acceptance-${randomUUID().slice(0, 13)}`;
}

/** A template whose partial never ends if the data has `bad`; only its renderer stops it. */
export const MAY_FAIL = '{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{else}}Hello {{name}}{{/if}}';
