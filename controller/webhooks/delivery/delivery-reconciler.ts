import { isRetryAsked, isSettled, type WebhookDelivery, type WebhookDeliveryStatus } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import {
  TerminalError,
  type Reconciler,
  type ReconcileResult,
} from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { retryOnConflict } from '@trifold/platform/kubernetes/controller/retry-on-conflict.ts';
import type { WebhooksConfig } from '../config.ts';
import type { Deliveries } from './deliveries.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import {
  attemptedStatus,
  givenUpStatus,
  keptFor,
  retriedStatus,
  type AttemptOutcome,
  type GivenUp,
} from './delivery-status.ts';
import { dueAt } from './next-attempt.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { LogLimit } from './log-limit.ts';
import type { EventSpool } from '../spool/event-spool.ts';
import type { WebhookMetrics } from '../webhook-metrics.ts';

export interface DeliveryDependencies {
  readonly deliveries: Pick<
    Deliveries,
    'get' | 'mutated' | 'find' | 'writeStatus' | 'delete' | 'inOrderWith'
  >;
  readonly subscriptions: Pick<Subscriptions, 'endpointOf'>;
  readonly queue: Pick<DeliveryQueue, 'stateOf' | 'add' | 'recorded' | 'forget'>;
  /** Whether the event's subject still exists; if so, it would cause the delivery to be created again. */
  readonly hasSubject: (delivery: WebhookDelivery) => boolean;
  readonly limit: LogLimit;
  /** Prevents a spooled event from recreating a deleted delivery. */
  readonly spool: Pick<EventSpool, 'outlive'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  readonly config: WebhooksConfig;
  readonly metrics: WebhookMetrics;
  readonly events: Pick<EventRecorder, 'warn'>;
}

/** Recheck interval of a delivery that is kept only because its document is. */
const SUBJECT_RECHECK_MS = 60_000;
/** Delay while a delivery is being created from the spool a second time. */
const SPOOL_RECHECK_MS = 1_000;
/** Delay before a status that the API server rejected is written again; nothing is sent in the meantime. */
const REJECTED_RETRY_MS = 60_000;

/** A delivery and its state during one reconcile. */
interface DeliveryContext {
  readonly delivery: WebhookDelivery;
  readonly signal: AbortSignal;
}

/**
 * Drives a WebhookDelivery to completion: runs an attempt when one is due, writes its outcome to the status, and
 * schedules the next one. The resource is the source of truth: it alone determines what is due. So everything continues
 * after a crash, and only attempts whose outcome was not written are repeated. A reconcile never waits for an attempt.
 */
export class DeliveryReconciler implements Reconciler {
  readonly #d: DeliveryDependencies;

  constructor(dependencies: DeliveryDependencies) {
    this.#d = dependencies;
  }

  async reconcile(key: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { deliveries, logger } = this.#d;
    try {
      return await retryOnConflict(key, { cache: deliveries, client: deliveries, signal }, (delivery) =>
        this.#reconcile(key, delivery, signal),
      );
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      // A pending delivery always needs a timer: nothing else triggers its next reconcile.
      logger.error({ ...key, err: error }, 'failed to write a delivery, retrying in a minute');
      return { requeueAfterMs: REJECTED_RETRY_MS };
    }
  }

  async #reconcile(
    key: ObjectKey,
    delivery: WebhookDelivery | undefined,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { queue, limit } = this.#d;
    const isGone = !delivery || delivery.metadata.deletionTimestamp !== undefined;
    queue.forget(key, isGone ? undefined : delivery.metadata.uid);
    if (isGone) return limit.forget(key);
    const context = { delivery, signal };
    const { outcome } = queue.stateOf(delivery);
    if (outcome) return this.#record(context, outcome);
    return isSettled(delivery) ? this.#leave(context) : this.#pursue(context);
  }

  async #pursue(context: DeliveryContext): Promise<ReconcileResult> {
    const { clock, config, subscriptions, queue } = this.#d;
    const { delivery, signal } = context;
    const { sending, notBefore } = queue.stateOf(delivery);
    // The attempt may still succeed; its end triggers the next step.
    if (sending) return;
    const endpoint = await subscriptions.endpointOf(delivery, signal);
    if (endpoint === 'deleted') return this.#giveUp(context, 'EndpointDeleted');
    if (this.#isSuperseded(delivery)) return this.#giveUp(context, 'Superseded');
    if (isRetryAsked(delivery)) return this.#retry(context);
    const scheduledInMs = dueAt(delivery, config.retrySchedule) - clock.now().getTime();
    const dueInMs = Math.max(scheduledInMs, notBefore - clock.monotonicMs());
    if (dueInMs > 0) return { requeueAfterMs: dueInMs };
    queue.add(delivery, endpoint);
  }

  async #record(context: DeliveryContext, outcome: AttemptOutcome): Promise<ReconcileResult> {
    const { clock, config, queue } = this.#d;
    const whole = await this.#whole(context);
    if (!whole) return;
    const isWritten = hasAttempt(whole.delivery, outcome);
    if (isSettled(whole.delivery) && !isWritten) {
      // Another client has settled it in the meantime; that status is kept.
      queue.recorded(whole.delivery);
      return this.#leave(whole);
    }
    const now = clock.now();
    const written = isWritten
      ? whole.delivery
      : await this.#write(whole, attemptedStatus(whole.delivery, outcome, config.retrySchedule, now));
    queue.recorded(whole.delivery);
    if (!isSettled(written)) return this.#pursue({ ...whole, delivery: written });
    this.#report(written, now);
    return this.#leave({ ...whole, delivery: written });
  }

  #report(delivery: WebhookDelivery, now: Date): void {
    const { metrics, events } = this.#d;
    const { event } = delivery.spec;
    const { phase, attemptCount, lastError } = delivery.status ?? {};
    if (phase === 'Delivered') {
      const sinceEventMs = attemptCount === 1 ? now.getTime() - Date.parse(event.createdAt) : undefined;
      metrics.ended(event.type, 'delivered', sinceEventMs);
      return;
    }
    metrics.ended(event.type, 'exhausted');
    const message = `failed after ${attemptCount} attempts: ${lastError?.code}: ${lastError?.message}`;
    events.warn(delivery, 'DeliveryFailed', message);
  }

  async #giveUp(context: DeliveryContext, why: GivenUp): Promise<ReconcileResult> {
    const { queue, clock, metrics } = this.#d;
    queue.forget(context.delivery.metadata);
    const whole = await this.#whole(context);
    if (!whole) return;
    if (isSettled(whole.delivery)) return this.#leave(whole);
    const written = await this.#write(whole, givenUpStatus(whole.delivery, why, clock.now()));
    metrics.ended(written.spec.event.type, why === 'Superseded' ? 'superseded' : 'endpoint_deleted');
    return this.#leave({ ...whole, delivery: written });
  }

  /**
   * Keeps a settled delivery as a log entry for a while, and at least as long as its subject, which would otherwise
   * recreate it.
   */
  async #leave(context: DeliveryContext): Promise<ReconcileResult> {
    const { clock, config, deliveries, hasSubject, limit, queue, spool } = this.#d;
    const { delivery, signal } = context;
    if (isToRetry(delivery)) return this.#retry(context);
    if (!queue.stateOf(delivery).sending) queue.forget(delivery.metadata);
    limit.note(delivery);
    const left = limit.isSurplus(delivery) ? 0 : keptFor(delivery, config, clock.now());
    if (left > 0) return { requeueAfterMs: left };
    if (hasSubject(delivery)) return { requeueAfterMs: SUBJECT_RECHECK_MS };
    const isDeleted = await spool.outlive(delivery, () => deliveries.delete(delivery, signal));
    if (!isDeleted) return { requeueAfterMs: SPOOL_RECHECK_MS };
  }

  async #retry(context: DeliveryContext): Promise<ReconcileResult> {
    const whole = await this.#whole(context);
    if (!whole) return;
    const isDone = !isRetryAsked(whole.delivery) || whole.delivery.status?.phase === 'Delivered';
    if (isDone) return isSettled(whole.delivery) ? this.#leave(whole) : this.#pursue(whole);
    const written = await this.#write(whole, retriedStatus(whole.delivery, this.#d.clock.now()));
    this.#d.limit.note(written);
    return this.#pursue({ ...whole, delivery: written });
  }

  /** Reads the whole delivery. The cache omits most of it and may be stale: the result may have a different phase. */
  async #whole(context: DeliveryContext): Promise<DeliveryContext | undefined> {
    const { namespace, name, uid } = context.delivery.metadata;
    const delivery = await this.#d.deliveries.find(namespace, name, context.signal);
    return delivery?.metadata.uid === uid ? { ...context, delivery } : undefined;
  }

  /** Whether a later event to the same endpoint supersedes this one. */
  #isSuperseded(delivery: WebhookDelivery): boolean {
    const { event, sequence } = delivery.spec;
    if (event.type !== 'batch.progress' || sequence === undefined) return false;
    return this.#d.deliveries.inOrderWith(delivery).some(({ spec }) => (spec.sequence ?? 0) > sequence);
  }

  #write({ delivery, signal }: DeliveryContext, status: WebhookDeliveryStatus): Promise<WebhookDelivery> {
    return this.#d.deliveries.writeStatus(delivery, status, signal);
  }
}

/** Whether the attempt is already in the log: it was written, but the response to the write was lost. */
function hasAttempt({ status }: WebhookDelivery, { attempt }: AttemptOutcome): boolean {
  return status?.attempts?.at(-1)?.deliveryId === attempt.deliveryId;
}

/** Whether the delivery has failed and one more attempt was requested. */
function isToRetry(delivery: WebhookDelivery): boolean {
  return delivery.status?.phase === 'Failed' && isRetryAsked(delivery);
}
