import { PUBLISHED_ANNOTATION, type Template } from '@trifold/crds';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Reconciler } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';
import { LRUCache } from 'lru-cache';

export interface TemplateHistoryDependencies {
  readonly cache: { get(namespace: string | undefined, name: string): Template | undefined };
  readonly store: ObjectStore;
  readonly clock: Clock;
  /** Number of versions of each template that are kept. */
  readonly keptVersions: number;
}

/** Number of templates whose recorded version is remembered. */
const REMEMBERED_TEMPLATES = 10_000;

/**
 * Stores the versions that the gateway did not store: changes by kubectl, and writes whose history failed. Deletes
 * versions beyond the kept number, except the published one. Versions that follow faster than the watch leave gaps.
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

  /** Rejects with ObjectStoreError. */
  async reconcile({ namespace, name }: ObjectKey): Promise<void> {
    const template = this.#d.cache.get(namespace, name);
    if (!template || template.metadata.deletionTimestamp !== undefined) return;
    const { uid, generation, namespace: account = 'default' } = template.metadata;
    if (this.#recorded.get(uid) === generation) return;
    let stored = await this.#history.versions(account, uid);
    if (!stored.includes(generation)) {
      await this.#record(account, template);
      stored = await this.#history.versions(account, uid);
    }
    const published = template.metadata.annotations?.[PUBLISHED_ANNOTATION];
    const old = stored.slice(this.#d.keptVersions).filter((version) => String(version) !== published);
    for (const version of old) {
      await this.#history.delete(account, uid, version);
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
}
