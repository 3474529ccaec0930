import { createHash } from 'node:crypto';
import { canonicalJson, sha256Hex } from '../templating/revisions/canonical-json.ts';

/** Returns the SHA-256 of a body, independent of the order of its members. Items of a batch are hashed one by one. */
export function bodyFingerprint(body: object): string {
  const { items, ...others } = body as { items?: unknown };
  if (!Array.isArray(items)) return sha256Hex(canonicalJson(body));
  const hash = createHash('sha256').update(canonicalJson({ ...others, items: items.length }));
  for (const item of items) hash.update('\n').update(canonicalJson(item));
  return hash.digest('hex');
}
