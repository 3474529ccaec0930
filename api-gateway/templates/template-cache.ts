import { PUBLISHED_ANNOTATION, TEMPLATE, type Template } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { MAX_WATCH_MS, upToDate } from '../server/account-caches/account-cache.ts';
import { newestEntries, type Placed } from '../server/pagination/page.ts';
import { listMetadata } from '../server/pagination/list-metadata.ts';
import type { TemplateEntry } from './template-body.ts';
import { entryOf } from './template-mapping.ts';

/** Templates may be large. */
const PAGE_SIZE = 100;

/**
 * Caches what lists show of every template of every account, kept current by a watch: without it each page would read
 * every template with its html. A list shows every write of this gateway. A change of another gateway to an existing
 * template may show some milliseconds later.
 */
export class TemplateCache {
  readonly #client: ResourceClient<Template>;
  readonly #clock: Clock;
  readonly #templates: Informer<Template>;
  /** By account, newest first; dropped when something in the account changes. */
  readonly #sorted = new Map<string, readonly Placed<TemplateEntry>[]>();

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger) {
    const client = kubernetes.resource<Template>(TEMPLATE);
    this.#client = client;
    this.#clock = clock;
    this.#templates = new Informer<Template>({
      client,
      indexes: { account: (template) => [template.metadata.namespace ?? ''] },
      transform: withoutSource,
      pageSize: PAGE_SIZE,
      maxWatchMs: MAX_WATCH_MS,
      clock,
      logger,
    });
    this.#templates.onChange(({ namespace = '' }) => this.#sorted.delete(namespace));
  }

  /** Starts reading; lists wait until everything is read. */
  start(): void {
    this.#templates.start();
  }

  async stop(): Promise<void> {
    await this.#templates.stop();
  }

  /** Records a write of this gateway: later lists show it. */
  wrote(template: Template): void {
    this.#templates.mutated(template);
  }

  /** Records a deletion by this gateway: later lists omit it. */
  deleted(template: Template): void {
    this.#templates.deleted(template);
  }

  /** Returns the number of templates of an account that the cache shows. */
  count(account: string): number {
    return this.#templates.countByIndex('account', account);
  }

  /** Returns every template of an account, newest first. Rejects with ApiError `unavailable` and KubernetesApiError. */
  async list(account: string): Promise<readonly Placed<TemplateEntry>[]> {
    const list = {
      informer: this.#templates,
      client: this.#client,
      noun: 'list of templates',
      clock: this.#clock,
    };
    await upToDate(list, account, () => this.count(account));
    const sorted =
      this.#sorted.get(account) ?? newestEntries(this.#templates.byIndex('account', account), entryOf);
    this.#sorted.set(account, sorted);
    return sorted;
  }
}

/** Keeps only what an entry of the list needs. */
function withoutSource({ apiVersion, kind, metadata, spec }: Template): Template {
  const { displayName, description, state, changedAt } = spec;
  const published = metadata.annotations?.[PUBLISHED_ANNOTATION];
  return {
    apiVersion,
    kind,
    metadata: {
      ...listMetadata(metadata),
      ...(published !== undefined && { annotations: { [PUBLISHED_ANNOTATION]: published } }),
    },
    spec: {
      displayName,
      ...(description !== undefined && { description }),
      ...(state !== undefined && { state }),
      ...(changedAt !== undefined && { changedAt }),
    },
  };
}
