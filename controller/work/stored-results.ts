import { CANCELLED, isTombstone } from '@trifold/platform/records/documents/tombstone.ts';
import { decodeFacts } from '@trifold/platform/records/documents/document-facts.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { decodeResultFacts } from '@trifold/platform/render-queue/result-facts.ts';
import { documentFailure } from '@trifold/platform/service/document-error.ts';

/** Error code of a job whose key holds the file of another job. */
export const ID_REUSED = 'id_reused';

const REUSED = documentFailure(
  ID_REUSED,
  'an earlier document with this id is stored until it expires: use another name',
);

/** Finds stored results that may never have been reported. */
export class StoredResults {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /**
   * Returns what the object under the key says: the result of the job or batch with this uid, that its document was
   * deleted, or that the key is taken. Undefined when there is no object.
   */
  async find(documentKey: string, uid: string): Promise<RenderOutcome | undefined> {
    const info = await this.#store.head(documentKey);
    if (!info) return undefined;
    const result = decodeResultFacts(info);
    const own = decodeFacts(info.metadata)?.uid === uid;
    if (own && isTombstone(info)) return { status: 'failed', failure: CANCELLED };
    return own && result ? { status: 'completed', result } : { status: 'failed', failure: REUSED };
  }
}
