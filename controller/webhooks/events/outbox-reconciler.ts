import type { Draft, KubernetesObject, WebhookDelivery } from '@trifold/crds';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Outbox } from './outbox.ts';

export interface OutboxReconcilerOptions<R extends KubernetesObject> {
  readonly kind: string;
  readonly cache: { get(namespace: string | undefined, name: string): R | undefined };
  readonly outbox: Pick<Outbox, 'make' | 'forget'>;
  /** Returns the deliveries that the status asks for, always the same for the same status. */
  readonly deliveriesOf: (subject: R) => Draft<WebhookDelivery>[];
}

/** Creates the deliveries that the status of jobs or batches asks for, as soon as it does. */
export class OutboxReconciler<R extends KubernetesObject> implements Reconciler {
  readonly #options: OutboxReconcilerOptions<R>;

  constructor(options: OutboxReconcilerOptions<R>) {
    this.#options = options;
  }

  async reconcile(key: ObjectKey): Promise<ReconcileResult> {
    const { kind, cache, outbox, deliveriesOf } = this.#options;
    const subject = cache.get(key.namespace, key.name);
    if (subject) await outbox.make(subject, deliveriesOf(subject));
    else outbox.forget(kind, key);
  }
}
