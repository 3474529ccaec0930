import { attachmentsKey, type ObjectRef } from '@trifold/crds';
import { WorkError } from './work-error.ts';

/**
 * Returns the keys of the objects with attachments. `documentKeys`: keys that belong to the work itself. A key in a
 * resource is compared but never followed: otherwise one account could read another's files. Throws WorkError.
 */
export function attachmentKeys(
  ref: ObjectRef | undefined,
  ...documentKeys: readonly (string | undefined)[]
): string[] {
  if (!ref) return [];
  const own = documentKeys.flatMap((key) => (key === undefined ? [] : attachmentsKey(key)));
  if (own.includes(ref.key)) return [ref.key];
  throw new WorkError('data_missing', `attachmentsRef.key must be ${own[0]}`);
}
