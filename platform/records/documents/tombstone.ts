import { DELETED_ANNOTATION, recordKey, type GenerationJob } from '@trifold/crds';
import type { ObjectInfo, ObjectStore } from '../../object-store/port.ts';
import { decodeFacts, encodeFacts, type DocumentFacts } from './document-facts.ts';
import { WorkIndex } from './work-index.ts';
import { documentFailure } from '../../service/document-error.ts';

/** Failure of a document that is deleted before it is finished. */
export const CANCELLED = documentFailure('cancelled', 'the document was deleted before it was finished');

const TOMBSTONE = 'tombstone';

/** Whether a client deleted the document of a job. */
export function isDeleted({ metadata }: Pick<GenerationJob, 'metadata'>): boolean {
  return metadata.annotations?.[DELETED_ANNOTATION] !== undefined;
}

/** Whether an object is what `eraseDocument` leaves in place of a file. */
export function isTombstone({ metadata }: Pick<ObjectInfo, 'metadata'>): boolean {
  return metadata[TOMBSTONE] !== undefined;
}

/** A deleted document. */
export interface ErasedDocument {
  /** Namespace of the account. */
  readonly account: string;
  /** Key of the file. */
  readonly key: string;
  readonly facts: DocumentFacts;
}

/**
 * Replaces the file of a deleted document by a tombstone, deletes its record, and hides it from the lists. A renderer that
 * finishes later cannot store its file, because files are stored only where there is no object
 * (docs/adr/0028-tombstones.md). Idempotent. Does nothing when the key holds another document of the same id. Rejects with
 * ObjectStoreError.
 */
export async function eraseDocument(
  store: ObjectStore,
  { account, key, facts }: ErasedDocument,
): Promise<void> {
  const info = await store.head(key);
  if (info && decodeFacts(info.metadata)?.uid !== facts.uid) return;
  if (!info || !isTombstone(info)) {
    const { filename: _filename, ...kept } = facts;
    await store.put(key, '', { metadata: { ...encodeFacts(kept), [TOMBSTONE]: 'true' } });
  }
  await store.delete(recordKey(key));
  // Lists read the day of the creation until the document expires.
  await new WorkIndex(store).markDeleted(account, facts.job, new Date(facts.createdAt));
}
