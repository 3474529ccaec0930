import type { WebhookSettings } from '@trifold/client';
import { Badge } from '../components/content/badge.tsx';
import { Time } from '../components/content/time.tsx';
import { formatMilliseconds } from '../components/format.ts';
import { webhooks as messages } from '../messages/webhooks.ts';

const KINDS = { active: 'success', pending: 'neutral', failing: 'danger', unusable: 'danger' } as const;

type Health = Pick<WebhookSettings, 'status' | 'message' | 'last_delivery'>;

/** Whether deliveries reach the endpoint, with the reason if they do not and `LastDelivery` does not show it. */
export function EndpointStatus({ status, message, last_delivery: last }: Health) {
  const isShown = status === 'active' || (status === 'failing' && typeof last?.status === 'number');
  return (
    <>
      <Badge kind={KINDS[status]}>{messages.states[status]}</Badge>
      {!isShown && message && <p class="small">{message}</p>}
    </>
  );
}

/** Result and time of the last finished attempt. */
export function LastDelivery({ last }: { readonly last: WebhookSettings['last_delivery'] }) {
  if (!last) return <span class="muted">{messages.noDelivery}</span>;
  const duration = formatMilliseconds(last.duration_ms);
  return (
    <>
      <Time at={last.at} />{' '}
      <span class="small muted">
        {last.status === null ? messages.noAnswer(duration) : messages.answered(last.status, duration)}
      </span>
    </>
  );
}

/** Short description of an endpoint's events. */
export function eventsText(events: WebhookSettings['events']): string {
  return events.length === Object.keys(messages.eventMeanings).length
    ? messages.allEvents
    : events.join(', ');
}
