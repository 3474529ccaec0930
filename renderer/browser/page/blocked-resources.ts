import { MOST_WARNINGS, type DocumentWarning } from '@trifold/crds';
import type { Protocol } from 'puppeteer-core';
import type { Blocked } from './document-permissions.ts';

const NOUNS: Partial<Record<Protocol.Network.ResourceType, string>> = {
  Image: 'image',
  Stylesheet: 'style sheet',
  Font: 'font',
};

const REASONS: Readonly<Record<Blocked, string>> = {
  not_allowed: 'documents may not load from its host. Embed it, or let an operator allow the host.',
  failed: 'the request failed, took too long or exceeded a limit.',
};

/** Resources that one document did not get. */
export class BlockedResources {
  readonly #byUrl = new Map<string, DocumentWarning>();

  /** One warning for each, in the order of their first requests. */
  get warnings(): DocumentWarning[] {
    return [...this.#byUrl.values()];
  }

  /** Records a resource; only the first MOST_WARNINGS count. */
  add(url: string, type: Protocol.Network.ResourceType, reason: Blocked): void {
    if (this.#byUrl.size >= MOST_WARNINGS) return;
    const detail = shownUrl(url);
    const message = `The ${NOUNS[type] ?? 'resource'} was not loaded: ${REASONS[reason]}`;
    this.#byUrl.set(detail, { code: 'resource_blocked', message, detail });
  }
}

/** Returns the URL without parts that often contain secrets: user, password, query and fragment. */
function shownUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === '') return `${url?.protocol ?? ''}…`;
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
