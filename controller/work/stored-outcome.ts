import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  CANCELLED,
  documentFile,
  isTombstone,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { documentFailure } from '@trifold/platform/errors/document-error.ts';

/** Error code of a job under whose key another job's file is stored. */
export const ID_REUSED = 'id_reused';

const REUSED = documentFailure(
  ID_REUSED,
  'an earlier document with this ID has not expired yet: use another name',
);

/**
 * Returns the outcome stored under a document's key, which its renderer may never have reported: the result for this
 * uid, or a failure if the document was deleted or another one has the key. Undefined if there is no object.
 */
export async function findStoredOutcome(
  store: Pick<ObjectStore, 'head'>,
  documentKey: string,
  uid: string,
): Promise<RenderOutcome | undefined> {
  const info = await store.head(documentKey);
  if (!info) return undefined;
  const { document, result } = documentFile(info) ?? {};
  const own = document?.uid === uid;
  if (own && isTombstone(info)) return { status: 'failed', failure: CANCELLED };
  return own && result ? { status: 'completed', result } : { status: 'failed', failure: REUSED };
}
