import type { PresignedStore } from '@trifold/platform/object-store/port.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { LRUCache } from 'lru-cache';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';

/** Maximum number of revisions; their total stored bytes are limited, too. */
const KEPT = 1000;

/** Cache of template revisions. They are content-addressed and never change, so entries never become stale. */
export class RevisionCache {
  readonly #revisions = new LRUCache<string, RevisionContent>({
    max: KEPT,
    maxSize: BOUNDS.cachedRevisions.limit.value,
  });

  /**
   * Rejects with DocumentError when the revision does not exist, with ObjectStoreError when the store is unavailable.
   */
  async load(store: Pick<PresignedStore, 'read'>, key: string): Promise<RevisionContent> {
    const known = this.#revisions.get(key);
    if (known) return known;
    const body = await store.read(key);
    if (!body)
      throw new DocumentError('revision_missing', 'the template revision is not in the object store');
    const revision = parse(body);
    this.#revisions.set(key, revision, { size: body.length + 1 });
    return revision;
  }
}

function parse(body: Buffer): RevisionContent {
  try {
    const content = JSON.parse(body.toString()) as RevisionContent;
    if (typeof content?.html === 'string') return content;
  } catch {
    // The error below omits the parser's message, which quotes the content.
  }
  throw new DocumentError('revision_corrupt', 'the stored template revision cannot be read');
}
