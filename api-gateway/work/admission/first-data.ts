import type { Template } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { PreparedTemplate, PreparedTemplates } from './prepared-templates.ts';

/** A version of a template, ready to be used. */
export interface UsedVersion extends PreparedTemplate {
  /** metadata.generation of the template. */
  readonly version: number;
}

/** Data location of an earlier attempt of the same request. */
export interface EarlierData {
  readonly key: string;
  /** When the earlier attempt was accepted. */
  readonly accepted: Date;
}

/**
 * Another attempt of the request has stored data for a different template version. Data of this attempt would not fit
 * the resource of that one.
 */
export class DataTaken extends ApiError {
  constructor() {
    const message = 'Another sending of this request is being carried out. Try again in a moment.';
    super('unavailable', message, { headers: { 'retry-after': '1' } });
  }
}

/**
 * Data of documents in the object store. The data includes the defaults of one template version, and the resource names
 * that version. When two attempts with the same Idempotency-Key see different versions, the first one to store its data
 * decides.
 */
export class FirstData {
  readonly #store: ObjectStore;
  readonly #prepared: PreparedTemplates;

  constructor(store: ObjectStore, prepared: PreparedTemplates) {
    this.#store = store;
    this.#prepared = prepared;
  }

  /** Returns the version that an earlier attempt stored data for, or else the current version of the template. */
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

  /** Stores data unless it exists. The revision must already be in the store. Throws DataTaken. */
  async put(key: string, json: Uint8Array, { revision, version }: UsedVersion): Promise<void> {
    const { created } = await this.#store.put(key, json, {
      contentType: 'application/json',
      metadata: { revision: revision.sha256, version: String(version) },
      ifAbsent: true,
    });
    if (created) return;
    const there = await this.#store.head(key);
    // Data that is gone belonged to a document that has finished.
    if (there && there.metadata['revision'] !== revision.sha256) throw new DataTaken();
  }
}
