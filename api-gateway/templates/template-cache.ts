import { PUBLISHED_ANNOTATION, TEMPLATE, type Template } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { isOlderVersion } from '@trifold/platform/kubernetes/client/resource-version.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { newestFirst, type Placed } from '../server/pagination/page.ts';
import { slimMetadata } from '../server/pagination/slim-metadata.ts';
import { snapshot } from '../server/pagination/snapshot.ts';
import type { TemplateEntry } from './template-body.ts';
import { createdAtOf, entryOf } from './template-mapping.ts';

/** A template as the list shows it, and its position in the list. */
export type PlacedEntry = Placed<TemplateEntry>;

/** Templates may be large. */
const PAGE_SIZE = 100;
/** A watch is renewed this often, so that a silently ended one is noticed well within STALE_AFTER_MS. */
const MAX_WATCH_MS = 4_000;
/** A cache that was not confirmed for this long is not used. */
const STALE_AFTER_MS = 10_000;
/** Maximum time that a list waits for the watch to catch up; then it reads from the server. */
const CATCH_UP_MS = 1_000;

/**
 * Caches what lists show of every template of every account, kept current by a watch: without it each page would read
 * every template with its html. A list shows every write of this gateway. It asks the server only for the number of
 * templates of the account and their version, and waits until the cache has as many. A change of another gateway to an
 * existing template may show some milliseconds later.
 */
export class TemplateCache {
  readonly #client: ResourceClient<Template>;
  readonly #clock: Clock;
  readonly #templates: Informer<Template>;
  /** By account, newest first; dropped when something in the account changes. */
  readonly #sorted = new Map<string, readonly PlacedEntry[]>();

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

  /** Starts reading; until everything is read, lists come from the server. */
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

  /** Returns every template of an account, newest first. Rejects with KubernetesApiError. */
  async list(account: string): Promise<readonly PlacedEntry[]> {
    if (!this.#isWatching) return this.#listFromServer(account);
    const {
      items,
      remainingItemCount = 0,
      resourceVersion,
    } = await this.#client.list({
      namespace: account,
      limit: 1,
    });
    const isCurrent = () => this.#isCurrent(account, items.length + remainingItemCount, resourceVersion);
    return (await this.#within(isCurrent)) ? this.#listFromCache(account) : this.#listFromServer(account);
  }

  get #isWatching(): boolean {
    const confirmed = this.#templates.confirmedAt;
    return confirmed !== undefined && this.#clock.monotonicMs() - confirmed <= STALE_AFTER_MS;
  }

  #isCurrent(account: string, count: number, version: string): boolean {
    const isPast = !isOlderVersion(this.#templates.version ?? '0', version);
    return isPast || this.#templates.byIndex('account', account).length === count;
  }

  /** Whether the condition holds now, or after a change within CATCH_UP_MS. */
  async #within(condition: () => boolean): Promise<boolean> {
    if (condition()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stopListening = this.#templates.onChange(() => {
      if (condition()) resolve(true);
    });
    const cancel = this.#clock.schedule(CATCH_UP_MS, () => resolve(false));
    try {
      return await promise;
    } finally {
      cancel();
      stopListening();
    }
  }

  #listFromCache(account: string): readonly PlacedEntry[] {
    const known = this.#sorted.get(account);
    if (known) return known;
    const sorted = placed(this.#templates.byIndex('account', account));
    this.#sorted.set(account, sorted);
    return sorted;
  }

  async #listFromServer(account: string): Promise<readonly PlacedEntry[]> {
    return placed(await snapshot(() => this.#withoutSources(account)));
  }

  async *#withoutSources(namespace: string): AsyncGenerator<Template> {
    for await (const template of this.#client.listAll({ namespace, limit: PAGE_SIZE }))
      yield withoutSource(template);
  }
}

function placed(templates: readonly Template[]): PlacedEntry[] {
  return templates
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((template) => ({
      entry: entryOf(template),
      position: { createdAt: createdAtOf(template).getTime(), id: template.metadata.name },
    }))
    .sort((left, right) => newestFirst(left.position, right.position));
}

/** Keeps only what an entry of the list needs. */
function withoutSource({ apiVersion, kind, metadata, spec }: Template): Template {
  const { displayName, description, state, changedAt } = spec;
  const published = metadata.annotations?.[PUBLISHED_ANNOTATION];
  return {
    apiVersion,
    kind,
    metadata: {
      ...slimMetadata(metadata),
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
