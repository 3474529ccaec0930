import type { EInvoice, RenderOptions, TemplateEmail, TemplateSchema, TemplateSpec } from '@trifold/crds';
import { revisionKey } from '@trifold/crds/object-keys.ts';
import { LRUCache } from 'lru-cache';
import type { ObjectStore } from '../../object-store/port.ts';
import { canonicalJson, sha256Hex } from './canonical-json.ts';

/** HTML and CSS, independent of where the resource stores them. */
export interface TemplateSource {
  readonly html: string;
  readonly css?: string;
}

/** Everything in a template that determines a document's appearance. Stored as JSON, content-addressed. */
export interface RevisionContent extends TemplateSource {
  readonly displayName: string;
  readonly schema?: TemplateSchema;
  readonly defaultOptions?: RenderOptions;
  readonly email?: TemplateEmail;
  readonly eInvoice?: EInvoice;
}

/** A revision and its content address. */
export interface Revision {
  /** SHA-256 of `body`, lowercase hexadecimal. */
  readonly sha256: string;
  /** Canonical JSON of the content. */
  readonly body: string;
  readonly content: RevisionContent;
}

/**
 * Returns the revision of a template whose source has been read. For large schemas use `TemplateChecker.revisionOf`.
 */
export function revisionOf(spec: TemplateSpec, source: TemplateSource): Revision {
  return revisionOfContent(contentOf(spec, source));
}

export function contentOf(spec: TemplateSpec, source: TemplateSource): RevisionContent {
  return {
    displayName: spec.displayName,
    html: source.html,
    ...(source.css !== undefined && { css: source.css }),
    ...(spec.schema && { schema: spec.schema }),
    ...(spec.defaultOptions && { defaultOptions: spec.defaultOptions }),
    // Omitted if absent, so that revisions from before these parts existed keep their address.
    ...(spec.email && { email: spec.email }),
    ...(spec.eInvoice && { eInvoice: spec.eInvoice }),
  };
}

export function revisionOfContent(content: RevisionContent): Revision {
  const body = canonicalJson(content);
  return { sha256: sha256Hex(body), body, content };
}

/** Number of stored revisions that a process remembers. */
const REMEMBERED_REVISIONS = 10_000;
/** A revision is stored again after this time, in case it was removed from the store. */
const REMEMBERED_MS = 60 * 60 * 1000;

/**
 * Stores revisions in the object store before work that refers to them is accepted. They are kept for days, not
 * forever.
 */
export class RevisionStore {
  readonly #store: ObjectStore;
  readonly #stored = new LRUCache<string, true>({ max: REMEMBERED_REVISIONS, ttl: REMEMBERED_MS });

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * Stores the revision for a document accepted at that time, unless it is already stored. Rejects with
   * ObjectStoreError if the store is unavailable.
   */
  async ensure(account: string, revision: Revision, accepted: Date): Promise<void> {
    const key = revisionKey(account, revision.sha256, accepted);
    if (this.#stored.has(key)) return;
    await this.#store.put(key, revision.body, { contentType: 'application/json' });
    this.#stored.set(key, true);
  }

  /** Returns a revision as stored by `ensure`; undefined if it is not in the store. */
  async load(account: string, sha256: string, accepted: Date): Promise<Revision | undefined> {
    const stored = await this.#store.read(revisionKey(account, sha256, accepted));
    if (!stored) return undefined;
    const body = stored.toString();
    return { sha256, body, content: JSON.parse(body) as RevisionContent };
  }
}
