import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import {
  controllerMetrics,
  type ControllerOptions,
} from '@trifold/platform/kubernetes/controller/controller.ts';
import {
  EVENT,
  EventRecorder,
  type CoreEvent,
} from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { OutboundClient } from '@trifold/platform/outbound/outbound-client.ts';
import type { RenderQueue } from '@trifold/platform/render-queue/port.ts';
import type { ControllerConfig } from './config.ts';

/** Client that sends webhooks; tests use one that finds receivers on this machine. */
export type Outbound = Pick<OutboundClient, 'post' | 'close'>;

export interface ControllersDependencies {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly queue: RenderQueue;
  /** Checks templates and data. Its creator stops it after the controllers. */
  readonly checkPool: CheckPool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ControllerConfig;
  readonly metrics: Metrics;
  /** Client that sends webhooks. @default built from the configuration */
  readonly outbound?: Outbound;
}

/** Dependencies shared by every part of the controller. */
export interface ControllerContext extends ControllersDependencies {
  readonly events: EventRecorder;
  /** Options that all controllers and periodic tasks of the process share. */
  readonly shared: Pick<ControllerOptions, 'clock' | 'logger' | 'metrics' | 'backoff'>;
}

/** A component that runs on the leader. Nothing runs before `start`. */
export interface Process {
  start(): void;
  /** Starts nothing new and gives in-flight work `graceMs` to finish. */
  stop(graceMs: number): Promise<void>;
}

const FIRST_RETRY_MS = 20;

export function contextOf(dependencies: ControllersDependencies): ControllerContext {
  const { kubernetes, clock, config, metrics } = dependencies;
  const logger = dependencies.logger.child({ service: 'controller' });
  const client = kubernetes.builtin<CoreEvent>(EVENT);
  return {
    ...dependencies,
    logger,
    events: new EventRecorder({ client, component: 'trifold-controller', clock, logger }),
    shared: {
      clock,
      logger,
      metrics: controllerMetrics(metrics),
      // After an outage of the store or the queue, a retry happens no later than a resync.
      backoff: { baseMs: FIRST_RETRY_MS, capMs: config.resyncMs },
    },
  };
}
