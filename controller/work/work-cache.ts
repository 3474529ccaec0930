import { isFinished, type Batch, type GenerationJob } from '@trifold/crds';
import {
  FINISHED_WORK,
  UNFINISHED_WORK,
  type WorkUsage,
} from '@trifold/platform/records/usage/work-usage.ts';
import { Informer, type InformerOptions } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { formatKey } from '@trifold/platform/kubernetes/client/object-key.ts';

export interface WorkCacheOptions<R extends GenerationJob | Batch> extends Pick<
  InformerOptions<R>,
  'clock' | 'logger'
> {
  readonly client: ResourceClient<R>;
  /** Returns the usage that finished work adds, and the day it counts toward. */
  readonly usageOf: (resource: R) => WorkUsage | undefined;
  /** Reduces a finished object to the fields still needed. */
  readonly reduce: (resource: R) => R;
}

/** Index of finished work by the key of its day's usage report, in the format of formatKey. */
export const REPORT_INDEX = 'report';

/**
 * The jobs or batches of all accounts. Unfinished and finished ones have separate watches, so that unfinished work is
 * known before finished work is read.
 */
export class WorkCache<R extends GenerationJob | Batch> implements MutableLister<R> {
  readonly unfinished: Informer<R>;
  /** Contains reduced objects. */
  readonly finished: Informer<R>;

  constructor({ client, usageOf, reduce, ...shared }: WorkCacheOptions<R>) {
    this.unfinished = new Informer({
      ...shared,
      client,
      selection: { fieldSelector: UNFINISHED_WORK },
      inOnePiece: true,
    });
    this.finished = new Informer({
      ...shared,
      client,
      selection: { fieldSelector: FINISHED_WORK },
      transform: reduce,
      indexes: {
        [REPORT_INDEX]: (resource) => {
          const work = usageOf(resource);
          return work ? [formatKey(resource.metadata.namespace, work.day)] : [];
        },
      },
    });
  }

  /**
   * Returns undefined for an object that is deleted, or finished but not yet reported by the watch on finished work.
   */
  get(namespace: string | undefined, name: string): R | undefined {
    return this.unfinished.get(namespace, name) ?? this.finished.get(namespace, name);
  }

  mutated(object: R): void {
    if (!isFinished(object)) {
      this.unfinished.mutated(object);
      return;
    }
    this.finished.mutated(object);
    // The watch on unfinished work reports its completion as a deletion.
    this.unfinished.deleted(object);
  }
}
