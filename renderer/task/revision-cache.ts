import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { LRUCache } from 'lru-cache';
import { TaskError } from './task-error.ts';

/** Revisions kept: so many, and so many bytes as stored. */
const KEPT = 1000;
const KEPT_BYTES = 64 * 2 ** 20;

/** Revisions of templates. They are addressed by their content and never change, so one that was read stays good. */
export class RevisionCache {
  readonly #store: ObjectStore;
  readonly #revisions = new LRUCache<string, RevisionContent>({ max: KEPT, maxSize: KEPT_BYTES });

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Rejects with TaskError when there is no such revision, with ObjectStoreError when the store is away. */
  async load(key: string): Promise<RevisionContent> {
    const known = this.#revisions.get(key);
    if (known) return known;
    const body = await this.#store.read(key);
    if (!body)
      throw new TaskError('revision_missing', 'the revision of the template is not in the object store');
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
    // Told below, without the parser's quotation.
  }
  throw new TaskError('revision_corrupt', 'the stored revision of the template cannot be read');
}
