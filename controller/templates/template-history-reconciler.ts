import { PUBLISHED_ANNOTATION, type Template } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Reconciler } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';
import { LRUCache } from 'lru-cache';

/** Number of templates whose recorded version is remembered. */
const REMEMBERED_TEMPLATES = 10_000;

/**
 * Stores the versions that the gateway did not store: changes by kubectl, and writes whose history failed. Deletes
 * versions beyond the kept number, except the published one. Versions that follow faster than the watch leave gaps.
 */
export class TemplateHistoryReconciler implements Reconciler {
  readonly #cache: Pick<Informer<Template>, 'get'>;
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #keptVersions: number;
  readonly #history: TemplateHistory;
  /** Recorded generation by uid: status changes need no request to the store. */
  readonly #recorded = new LRUCache<string, number>({ max: REMEMBERED_TEMPLATES });

  /** `keptVersions`: number of versions of each template that are kept. */
  constructor(
    cache: Pick<Informer<Template>, 'get'>,
    store: ObjectStore,
    clock: Clock,
    keptVersions: number,
  ) {
    this.#cache = cache;
    this.#store = store;
    this.#clock = clock;
    this.#keptVersions = keptVersions;
    this.#history = new TemplateHistory(store);
  }

  /** Rejects with ObjectStoreError. */
  async reconcile({ namespace, name }: ObjectKey): Promise<void> {
    const template = this.#cache.get(namespace, name);
    if (!template || template.metadata.deletionTimestamp !== undefined) return;
    const { uid, generation, namespace: account = 'default' } = template.metadata;
    if (this.#recorded.get(uid) === generation) return;
    let stored = await this.#history.versions(account, uid);
    if (!stored.includes(generation)) {
      await this.#record(account, template);
      stored = await this.#history.versions(account, uid);
    }
    const published = template.metadata.annotations?.[PUBLISHED_ANNOTATION];
    const old = stored.slice(this.#keptVersions).filter((version) => String(version) !== published);
    for (const version of old) {
      await this.#history.delete(account, uid, version);
    }
    this.#recorded.set(uid, generation);
  }

  /** A version whose source is missing leaves a gap; its status reports the missing source. */
  async #record(account: string, template: Template): Promise<void> {
    try {
      const source = await readSource(this.#store, account, template.spec);
      await this.#history.record({ template, source }, this.#clock.now());
    } catch (error) {
      if (!(error instanceof TemplateSourceError)) throw error;
    }
  }
}
