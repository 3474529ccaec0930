import {
  DOCUMENTS_PREFIX,
  HISTORY_PREFIX,
  INDEX_PREFIX,
  REVISIONS_PREFIX,
  SOURCES_PREFIX,
} from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { SPOOL_PREFIX } from '../webhooks/spool/spooled-event.ts';

/** The prefixes below which accounts have objects, and the segment of a key that is the account. */
const ACCOUNT_SEGMENTS = {
  [DOCUMENTS_PREFIX]: 2,
  [REVISIONS_PREFIX]: 2,
  [SOURCES_PREFIX]: 2,
  [INDEX_PREFIX]: 2,
  [HISTORY_PREFIX]: 1,
  [SPOOL_PREFIX]: 1,
};

/**
 * Returns the bytes of all objects by account. Lists one bucket, day or account at a time, so that its memory is
 * bounded and other requests to the store run in between. Rejects with ObjectStoreError, or when the signal aborts.
 */
export async function countStoredBytes(
  store: Pick<ObjectStore, 'list'>,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  for (const [root, segment] of Object.entries(ACCOUNT_SEGMENTS)) {
    const { prefixes } = await store.list(root, { delimiter: '/' });
    for (const prefix of prefixes) {
      signal.throwIfAborted();
      const { objects } = await store.list(prefix);
      for (const { key, size } of objects) {
        const account = key.split('/')[segment] ?? '';
        bytes.set(account, (bytes.get(account) ?? 0) + size);
      }
    }
  }
  return bytes;
}
