import {
  endOfDay,
  HISTORY_PREFIX,
  readTemplateSourceKey,
  SOURCES_PREFIX,
  templateHistoryPrefix,
  TEMPLATES_PER_PAGE,
  type KubernetesObject,
  type Template,
} from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';

/** Object store of the template files, and the templates that refer to these files. */
export interface TemplateFiles {
  readonly store: ObjectStore;
  readonly templates: Pick<ResourceClient<Template>, 'listAll'>;
  /** The informer's cache: fast, but it may lag behind the API server. */
  readonly cache: { list(): readonly Template[] };
  readonly logger: Logger;
}

/**
 * Retention of a day's sources after the day ends. A template refers to a stored source within a minute, or never.
 */
const LEFT_ALONE_MS = 48 * 60 * 60 * 1000;

/**
 * Deletes the sources that no template refers to. No template starts referring to an old source: a template that gets
 * the same HTML again gets a source from the current day (docs/adr/0009-objects-by-day.md). A source is deleted in the
 * second run that finds it unused, so that requests that read the template earlier have also read its source, and only
 * after the account's templates were read from the API server.
 */
export class UnusedSources {
  readonly #files: TemplateFiles;
  #unusedBefore: ReadonlySet<string> = new Set();

  constructor(files: TemplateFiles) {
    this.#files = files;
  }

  /** Runs once; returns the number of deleted sources. Rejects when the store or the API server is unavailable. */
  async collect(now: Date): Promise<number> {
    const { cache, logger, store } = this.#files;
    const referred = new Set(cache.list().map(({ spec }) => spec.sourceRef?.key));
    const unused = (await this.#old(now)).filter((key) => !referred.has(key));
    const due = unused.filter((key) => this.#unusedBefore.has(key));
    this.#unusedBefore = new Set(unused);
    let deleted = 0;
    for (const [account, keys] of Map.groupBy(due, (key) => readTemplateSourceKey(key)?.account ?? '')) {
      const used = await this.#readReferred(account);
      for (const key of keys.filter((each) => !used.has(each))) {
        await store.delete(key);
        logger.debug({ key }, 'deleted an unused template source');
        deleted += 1;
      }
    }
    return deleted;
  }

  /** Returns the keys of sources from days past the retention period. */
  async #old(now: Date): Promise<string[]> {
    const { store } = this.#files;
    const { prefixes } = await store.list(SOURCES_PREFIX, { delimiter: '/' });
    const old: string[] = [];
    for (const prefix of prefixes) {
      const end = endOfDay(prefix);
      if (!end || end.getTime() + LEFT_ALONE_MS > now.getTime()) continue;
      for await (const objects of store.pages(prefix)) {
        old.push(...objects.map(({ key }) => key).filter(readTemplateSourceKey));
      }
    }
    return old;
  }

  async #readReferred(namespace: string): Promise<Set<string>> {
    const { templates } = this.#files;
    const referred = new Set<string>();
    for await (const { spec } of templates.listAll({ namespace, limit: TEMPLATES_PER_PAGE }))
      if (spec.sourceRef) referred.add(spec.sourceRef.key);
    return referred;
  }
}

/** The client may read metadata only. */
type HistoryFiles = Pick<TemplateFiles, 'store' | 'cache'> & {
  readonly templates: Pick<ResourceClient<KubernetesObject>, 'listAll'>;
};

/**
 * Deletes the histories of templates that do not exist; returns the number of deleted versions. Lists the histories
 * before the templates, so that a new template is never mistaken for a deleted one. A history that is stored late is
 * deleted by the next run. Rejects when the store or the API server is unavailable.
 */
export async function deleteUnusedHistories(files: HistoryFiles): Promise<number> {
  const { store, cache } = files;
  const cached = new Set(cache.list().map(historyOf));
  const { prefixes: accounts } = await store.list(HISTORY_PREFIX, { delimiter: '/' });
  let deleted = 0;
  for (const prefix of accounts) {
    const { prefixes: histories } = await store.list(prefix, { delimiter: '/' });
    const unknown = histories.filter((history) => !cached.has(history));
    if (unknown.length === 0) continue;
    const existing = await readExisting(files, prefix.slice(HISTORY_PREFIX.length, -1));
    for (const history of unknown.filter((each) => !existing.has(each))) {
      deleted += await store.deletePrefix(history);
    }
  }
  return deleted;
}

async function readExisting({ templates }: HistoryFiles, account: string): Promise<Set<string>> {
  const existing = new Set<string>();
  for await (const template of templates.listAll({ namespace: account })) existing.add(historyOf(template));
  return existing;
}

function historyOf({ metadata: { namespace = 'default', uid } }: KubernetesObject): string {
  return templateHistoryPrefix(namespace, uid);
}
