import { isFinished, type Batch, type GenerationJob } from '@trifold/crds';
import { FINISHED_WORK, UNFINISHED_WORK } from '@trifold/platform/records/usage/work-usage.ts';
import { Informer, type InformerOptions } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';

export interface WorkCacheOptions<R extends GenerationJob | Batch> extends Pick<
  InformerOptions<R>,
  'clock' | 'logger'
> {
  readonly client: ResourceClient<R>;
  /** Reduces a finished object to what its retention needs. */
  readonly reducedWhenFinished: (resource: R) => R;
  /** Indexes of the finished objects. */
  readonly finishedIndexes: InformerOptions<R>['indexes'];
}

/**
 * The jobs or batches of all accounts: the unfinished ones and the finished ones, each with a watch of its own, so that
 * unfinished work is known before finished work is read.
 */
export class WorkCache<R extends GenerationJob | Batch> implements MutableLister<R> {
  readonly unfinished: Informer<R>;
  /** Holds reduced objects. */
  readonly finished: Informer<R>;

  constructor({ client, reducedWhenFinished, finishedIndexes, ...shared }: WorkCacheOptions<R>) {
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
      transform: reducedWhenFinished,
      ...(finishedIndexes && { indexes: finishedIndexes }),
    });
  }

  /** Returns undefined for an object that is gone, or finished before the watch of finished work shows it. */
  get(namespace: string | undefined, name: string): R | undefined {
    return this.unfinished.get(namespace, name) ?? this.finished.get(namespace, name);
  }

  mutated(object: R): void {
    if (!isFinished(object)) {
      this.unfinished.mutated(object);
      return;
    }
    this.finished.mutated(object);
    // The watch of unfinished work reports its end as a deletion.
    this.unfinished.deleted(object);
  }
}
