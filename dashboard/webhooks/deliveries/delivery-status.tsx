import type { DeliveryEntry } from '@trifold/client';
import { Badge } from '../../components/badge.tsx';
import { Time } from '../../components/time.tsx';
import { deliveries as messages } from '../../messages/webhooks.ts';

const KINDS = { pending: 'neutral', delivered: 'success', failed: 'danger' } as const;

export function DeliveryStatus({ status }: Pick<DeliveryEntry, 'status'>) {
  return <Badge kind={KINDS[status]}>{messages.states[status]}</Badge>;
}

/** Time of the next attempt of a pending delivery. */
export function NextAttempt({
  status,
  next_attempt_at: at,
}: Pick<DeliveryEntry, 'status' | 'next_attempt_at'>) {
  if (status !== 'pending') return <span class="muted">–</span>;
  return at === null ? <>{messages.dueNow}</> : <Time at={at} />;
}
