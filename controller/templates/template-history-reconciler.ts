import { PUBLISHED_ANNOTATION, type Template, type TemplateHistoryStatus } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Reconciler } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { isKept, TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';
import { LRUCache } from 'lru-cache';

/** Number of templates whose recorded version is kept in memory. */
const REMEMBERED_TEMPLATES = 10_000;

export interface TemplateHistoryDependencies {
  readonly templates: Pick<ResourceClient<Template>, 'find' | 'replaceStatus'>;
  /** Reduced templates. */
  readonly cache: Pick<Informer<Template>, 'get'>;
  readonly store: ObjectStore;
  readonly clock: Clock;
  /** Number of versions kept per template. */
  readonly keptVersions: number;
}

/**
 * Stores the versions that the gateway did not store: changes made with kubectl, and writes whose history entry failed.
 * Deletes versions beyond the limit, except the published one. Versions written faster than the watch reports them
 * leave gaps.
 */
export class TemplateHistoryReconciler implements Reconciler {
  readonly #d: TemplateHistoryDependencies;
  readonly #history: TemplateHistory;
  /** Recorded generation by uid: status changes need no request to the store. */
  readonly #recorded = new LRUCache<string, number>({ max: REMEMBERED_TEMPLATES });

  constructor(dependencies: TemplateHistoryDependencies) {
    this.#d = dependencies;
    this.#history = new TemplateHistory(dependencies.store);
  }

  /**
   * Rejects with ObjectStoreError, and with KubernetesApiError when another client changed the template in the
   * meantime.
   */
  async reconcile({ namespace, name }: ObjectKey, signal: AbortSignal): Promise<void> {
    const cached = this.#d.cache.get(namespace, name);
    if (!cached || cached.metadata.deletionTimestamp !== undefined) return;
    const { uid, generation, namespace: account = 'default' } = cached.metadata;
    if (this.#recorded.get(uid) === generation) return;
    const stored = await this.#history.versions(account, uid);
    if (!stored.includes(generation) || stored.length > this.#d.keptVersions) {
      const template = await this.#d.templates.find(namespace, name, signal);
      if (template?.metadata.uid !== uid || template.metadata.deletionTimestamp !== undefined) return;
      await this.#record(account, template);
      await this.#deleteOld(account, template, signal);
    }
    this.#recorded.set(uid, generation);
  }

  /** A version whose source is missing leaves a gap; its status reports the missing source. */
  async #record(account: string, template: Template): Promise<void> {
    try {
      const source = await readSource(this.#d.store, account, template.spec);
      await this.#history.record({ template, source }, this.#d.clock.now());
    } catch (error) {
      if (!(error instanceof TemplateSourceError)) throw error;
    }
  }

  /**
   * Excludes old versions in the status and then deletes them. The status is written only if the template has not
   * changed since it was read, so an earlier publication is seen, and a later one sees the exclusion. An excluded
   * version remains excluded: deleting it is correct at any time, even by a controller that is no longer the leader.
   */
  async #deleteOld(account: string, template: Template, signal: AbortSignal): Promise<void> {
    const stored = await this.#history.versions(account, template.metadata.uid);
    const oldest = stored[this.#d.keptVersions - 1];
    if (oldest === undefined) return;
    const status = { ...template.status, history: historyFrom(oldest, template) };
    const wanted = { ...template, status };
    const isWritten = stored.every((version) => isKept(template, version) === isKept(wanted, version));
    const excluded = isWritten ? template : await this.#d.templates.replaceStatus(wanted, signal);
    for (const version of stored) {
      if (!isKept(excluded, version)) await this.#history.delete(account, template.metadata.uid, version);
    }
  }
}

/**
 * Returns the kept versions starting with `oldest`, plus the published one. Never includes a previously excluded
 * version.
 */
function historyFrom(oldest: number, template: Template): TemplateHistoryStatus {
  const from = Math.max(oldest, template.status?.history?.oldest ?? 1);
  const published = Number(template.metadata.annotations?.[PUBLISHED_ANNOTATION]);
  const isOlder = Number.isSafeInteger(published) && published > 0 && published < from;
  return { oldest: from, ...(isOlder && isKept(template, published) && { published }) };
}
