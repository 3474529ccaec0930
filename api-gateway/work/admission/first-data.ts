import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { PreparedTemplate } from './prepared-templates.ts';

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

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Returns the template version of data that an attempt stored; undefined if there is none. */
  async templateOf(account: string, key: string, acceptedAt: Date): Promise<PreparedTemplate | undefined> {
    const info = await this.#store.head(key);
    const { revision: sha256, version } = info?.metadata ?? {};
    if (sha256 === undefined) return undefined;
    const revision = await new RevisionStore(this.#store).load(account, sha256, acceptedAt);
    return revision && { revision, version: Number(version) };
  }

  /** Stores data unless it exists. The revision must already be in the store. Throws DataTaken. */
  async put(key: string, json: Uint8Array, { revision, version }: PreparedTemplate): Promise<void> {
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
