import { endOfDay, readTemplateSourceKey, SOURCES_PREFIX, type Template } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

export interface UnusedSourcesOptions {
  readonly store: ObjectStore;
  readonly templates: Pick<ResourceClient<Template>, 'listAll'>;
  /** The informer's cache: fast, but it may lag behind the API server. */
  readonly cache: { list(): readonly Template[] };
  readonly logger: Logger;
}

/** How long the sources of a day are kept after it. A template refers to a stored source within a minute, or never. */
const LEFT_ALONE_MS = 48 * 60 * 60 * 1000;
const PAGE_SIZE = 100;

/**
 * Deletes the sources that no template refers to. No template starts to refer to an old source: a template that gets
 * the same html again gets a source of that day (docs/adr/0009-objects-by-day.md). A source is deleted at the second
 * run that finds it unused, so that requests that read the template earlier have read its source, and after the
 * account's templates were read from the API server.
 */
export class UnusedSources {
  readonly #options: UnusedSourcesOptions;
  #unusedBefore: ReadonlySet<string> = new Set();

  constructor(options: UnusedSourcesOptions) {
    this.#options = options;
  }

  /** Runs once; returns the number of deleted sources. Rejects when the store or the API server is unavailable. */
  async collect(now: Date): Promise<number> {
    const { cache, logger, store } = this.#options;
    const referred = new Set(cache.list().map(({ spec }) => spec.sourceRef?.key));
    const unused = (await this.#old(now)).filter((key) => !referred.has(key));
    const due = unused.filter((key) => this.#unusedBefore.has(key));
    this.#unusedBefore = new Set(unused);
    let deleted = 0;
    for (const [account, keys] of Map.groupBy(due, (key) => readTemplateSourceKey(key)?.account ?? '')) {
      const used = await this.#readReferred(account);
      for (const key of keys.filter((each) => !used.has(each))) {
        await store.delete(key);
        logger.debug({ key }, 'deleted a source that no template refers to');
        deleted += 1;
      }
    }
    return deleted;
  }

  /** Returns the keys of sources of days that are long over. */
  async #old(now: Date): Promise<string[]> {
    const { store } = this.#options;
    const { prefixes } = await store.list(SOURCES_PREFIX, { delimiter: '/' });
    const old: string[] = [];
    for (const prefix of prefixes) {
      const end = endOfDay(prefix);
      if (!end || end.getTime() + LEFT_ALONE_MS > now.getTime()) continue;
      const { objects } = await store.list(prefix);
      for (const { key } of objects) if (readTemplateSourceKey(key)) old.push(key);
    }
    return old;
  }

  async #readReferred(namespace: string): Promise<Set<string>> {
    const { templates } = this.#options;
    const referred = new Set<string>();
    for await (const { spec } of templates.listAll({ namespace, limit: PAGE_SIZE }))
      if (spec.sourceRef) referred.add(spec.sourceRef.key);
    return referred;
  }
}
