import type { WebhookEndpoint, WebhookEndpointStatus } from '@trifold/crds';
import { observed, type Observation } from '@trifold/platform/kubernetes/controller/observed.ts';
import type { Health } from './endpoint-health.ts';

/** Consecutive failures after which an endpoint is not ready; one that recovers on the second attempt remains ready. */
export const FAILURES_UNTIL_UNREADY = 3;

/** Reason why nothing can be sent to an endpoint. */
export type EndpointProblem = Pick<Observation, 'reason' | 'message'>;

/** State of an endpoint that its resource does not contain. */
interface EndpointState {
  readonly health: Health;
  readonly pending: number;
  /** Number of events waiting in the object store, or undefined if the endpoint is not backlogged. */
  readonly spooled: number | undefined;
  readonly problem: EndpointProblem | undefined;
}

export function endpointStatus(
  endpoint: WebhookEndpoint,
  { health, pending, spooled, problem }: EndpointState,
  now: Date,
): WebhookEndpointStatus {
  const conditions = [readyOf(health, pending, problem), backloggedOf(pending, spooled)];
  const { lastDelivery, failures, failingSince } = health;
  return {
    ...observed(endpoint, conditions, now),
    ...(lastDelivery && { lastDelivery }),
    failures: failures ?? 0,
    ...(failingSince !== undefined && { failingSince }),
    pending,
    spooled: spooled ?? 0,
  };
}

function backloggedOf(pending: number, spooled: number | undefined): Observation {
  if (spooled === undefined) {
    const message = 'no events are waiting in the object store';
    return { type: 'Backlogged', status: 'False', reason: 'NothingSpooled', message };
  }
  const message = `${spooled} events are waiting in the object store behind ${pending} pending deliveries`;
  return { type: 'Backlogged', status: 'True', reason: 'Spooled', message };
}

function readyOf(
  { lastDelivery, failures = 0, failingSince }: Health,
  pending: number,
  problem: EndpointProblem | undefined,
): Observation {
  if (problem) return { type: 'Ready', status: 'False', ...problem };
  if (failures >= FAILURES_UNTIL_UNREADY) {
    const why =
      lastDelivery?.status === undefined
        ? lastDelivery?.code
        : `the endpoint returned ${lastDelivery.status}`;
    const message = `every attempt has failed since ${failingSince}; reason for the last failure: ${why}; pending deliveries: ${pending}`;
    return { type: 'Ready', status: 'False', reason: 'Failing', message };
  }
  if (!lastDelivery) {
    const message = 'no attempt yet';
    return { type: 'Ready', status: 'True', reason: 'NotTried', message };
  }
  if (failures > 0) {
    const message = `the last ${failures === 1 ? 'attempt' : `${failures} attempts`} failed`;
    return { type: 'Ready', status: 'True', reason: 'Retrying', message };
  }
  return { type: 'Ready', status: 'True', reason: 'Delivering', message: 'the last attempt succeeded' };
}
