import { randomUUID } from 'node:crypto';
import { TrifoldClient } from '@trifold/client';
import { inject } from 'vitest';
import { clientWithNewKey, type KeyWanted } from '../support/keys-command.ts';
import { DocumentedApi, documentedFetch } from './documented-api.ts';

export const service = inject('service');

export const { url, account, receivers, previewsDocuments } = service;
/** With a live key of all scopes. */
export const live = new DocumentedApi(url, service.liveKey);
/** With a test key of all scopes, same account. */
export const test = new DocumentedApi(url, service.testKey);
/** With another live key of all scopes, same account. */
export const sibling = new DocumentedApi(url, service.siblingKey);
/** With a live key of all scopes in another account. */
export const otherAccount = new DocumentedApi(url, service.otherAccountKey);
/** Without a key. */
export const stranger = new DocumentedApi(url);

/** Returns a client with a new key, by default in the account of the other clients. */
export async function clientWith(wanted: Partial<KeyWanted> = {}): Promise<DocumentedApi> {
  const { key } = await clientWithNewKey(url, service.kubeconfig, { account, ...wanted });
  return new DocumentedApi(url, key);
}

/** Returns the TypeScript client for a key. */
export function typescriptClient({ key }: { readonly key: string | undefined }): TrifoldClient {
  return new TrifoldClient({ baseUrl: url, apiKey: String(key), fetch: documentedFetch(url) });
}

/** Returns the name of an account that no other test uses. */
export function newAccount(): string {
  return `acceptance-${randomUUID().slice(0, 13)}`;
}

/** A template with an endless partial if the data has `bad`, until its renderer stops it. */
export const MAY_FAIL = '{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{else}}Hello {{name}}{{/if}}';
