import type { Template } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { PreparedTemplate, PreparedTemplates } from './prepared-templates.ts';

/** A version of a template, ready to be used. */
export interface UsedVersion extends PreparedTemplate {
  /** metadata.generation of the template. */
  readonly version: number;
}

/** Where the data lies of what was promised to a request by an earlier sending. */
export interface EarlierData {
  readonly key: string;
  /** The time of the promise. */
  readonly accepted: Date;
}

/**
 * Another sending of the request has put data that was made with another version of the template. The data of this one
 * would not fit what that one creates.
 */
export class DataTaken extends ApiError {
  constructor() {
    const message = 'Another sending of this request is being carried out. Try again in a moment.';
    super('unavailable', message, { headers: { 'retry-after': '1' } });
  }
}

/**
 * Data of documents in the object store. It has the defaults of one version of the template in it, and the resource
 * names one version; when two sendings of a request with an Idempotency-Key meet different versions, whoever puts the
 * data first decides which it is.
 */
export class FirstData {
  readonly #store: ObjectStore;
  readonly #prepared: PreparedTemplates;

  constructor(store: ObjectStore, prepared: PreparedTemplates) {
    this.#store = store;
    this.#prepared = prepared;
  }

  /** The version that the data of an earlier sending was made with; that of the template when there is none. */
  async versionFor(account: string, template: Template, earlier?: EarlierData): Promise<UsedVersion> {
    const info = earlier && (await this.#store.head(earlier.key));
    const { revision, version } = info?.metadata ?? {};
    if (earlier && revision !== undefined) {
      const decided = await this.#prepared.ofRevision(account, revision, earlier.accepted);
      if (decided) return { ...decided, version: Number(version) };
    }
    const current = await this.#prepared.prepare(account, template);
    return { ...current, version: template.metadata.generation };
  }

  /** Stores data, unless it is there. The revision has to be in the store before. Throws DataTaken. */
  async put(key: string, json: Uint8Array, { revision, version }: UsedVersion): Promise<void> {
    const { created } = await this.#store.put(key, json, {
      contentType: 'application/json',
      metadata: { revision: revision.sha256, version: String(version) },
      ifAbsent: true,
    });
    if (created) return;
    const there = await this.#store.head(key);
    // What is gone by now belonged to a document that has ended.
    if (there && there.metadata['revision'] !== revision.sha256) throw new DataTaken();
  }
}
