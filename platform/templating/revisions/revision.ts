import {
  revisionKey,
  type RenderOptions,
  type TemplateEmail,
  type TemplateSchema,
  type TemplateSpec,
} from '@trifold/crds';
import { LRUCache } from 'lru-cache';
import type { ObjectStore } from '../../object-store/port.ts';
import { canonicalJson, sha256Hex } from './canonical-json.ts';

/** html and css, wherever the resource keeps them. */
export interface TemplateSource {
  readonly html: string;
  readonly css?: string;
}

/** Everything of a template that decides what a document looks like. Stored as JSON, addressed by its content. */
export interface RevisionContent extends TemplateSource {
  readonly displayName: string;
  readonly schema?: TemplateSchema;
  readonly defaultOptions?: RenderOptions;
  readonly email?: TemplateEmail;
}

/** A revision and its content address. */
export interface Revision {
  /** SHA-256 of `body`, lowercase hexadecimal. */
  readonly sha256: string;
  /** Canonical JSON of the content. */
  readonly body: string;
  readonly content: RevisionContent;
}

/** The revision of a template whose source has been read. For large schemas, TemplateChecker has `revisionOf`. */
export function revisionOf(spec: TemplateSpec, source: TemplateSource): Revision {
  return revisionOfContent(contentOf(spec, source));
}

/** What a revision of the template holds. */
export function contentOf(spec: TemplateSpec, source: TemplateSource): RevisionContent {
  return {
    displayName: spec.displayName,
    html: source.html,
    ...(source.css !== undefined && { css: source.css }),
    ...(spec.schema && { schema: spec.schema }),
    ...(spec.defaultOptions && { defaultOptions: spec.defaultOptions }),
    // Revisions that were made before there were emails keep their address.
    ...(spec.email && { email: spec.email }),
  };
}

/** The revision of what is known of a template. */
export function revisionOfContent(content: RevisionContent): Revision {
  const body = canonicalJson(content);
  return { sha256: sha256Hex(body), body, content };
}

/** How many revisions a process remembers to have stored. */
const REMEMBERED_REVISIONS = 10_000;
/** A revision is put again after this time, so that one that somebody removed from the store comes back. */
const REMEMBERED_MS = 60 * 60 * 1000;

/** Puts revisions into the object store before work that refers to them is accepted. They are kept for days, not for good. */
export class RevisionStore {
  readonly #store: ObjectStore;
  readonly #stored = new LRUCache<string, true>({ max: REMEMBERED_REVISIONS, ttl: REMEMBERED_MS });

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * Makes sure that the revision is in the store for a document accepted at that time; rejects with ObjectStoreError
   * when the store is away.
   */
  async ensure(account: string, revision: Revision, accepted: Date): Promise<void> {
    const key = revisionKey(account, revision.sha256, accepted);
    if (this.#stored.has(key)) return;
    await this.#store.put(key, revision.body, { contentType: 'application/json' });
    this.#stored.set(key, true);
  }

  /** A revision as `ensure` stored it, or undefined when it is not in the store. */
  async load(account: string, sha256: string, accepted: Date): Promise<Revision | undefined> {
    const stored = await this.#store.read(revisionKey(account, sha256, accepted));
    if (!stored) return undefined;
    const body = stored.toString();
    return { sha256, body, content: JSON.parse(body) as RevisionContent };
  }
}
