import type { DeliveryEntry } from '@trifold/client';
import { Badge } from '../../components/content/badge.tsx';
import type { Column } from '../../components/content/data-table.tsx';
import { Time } from '../../components/content/time.tsx';
import { formatNumber } from '../../components/format.ts';
import { useResource } from '../../loading/resource.ts';
import { deliveries as messages } from '../../messages/webhooks.ts';
import { useSession } from '../../session/session.ts';
import styles from './deliveries.module.css';

const KINDS = { pending: 'neutral', delivered: 'success', failed: 'danger' } as const;

export function DeliveryStatus({ status }: Pick<DeliveryEntry, 'status'>) {
  return <Badge kind={KINDS[status]}>{messages.states[status]}</Badge>;
}

type Schedule = Pick<DeliveryEntry, 'status' | 'next_attempt_at'>;

/** Whether an attempt failed and the next one is scheduled for later; one that is due may be in flight. */
export function isWaiting({ status, next_attempt_at: at }: Schedule): boolean {
  return status === 'pending' && at !== null && Date.parse(at) > Date.now();
}

/** Time of a pending delivery's next attempt. */
export function NextAttempt({ status, next_attempt_at: at }: Schedule) {
  if (status !== 'pending') return <span class="muted">–</span>;
  return at === null ? <>{messages.dueNow}</> : <Time at={at} isFuture />;
}

/** An account has at most 49 hooks. */
const MAX_HOOKS = 50;

/** Display names of the account's endpoints, by a delivery's `endpoint`: the webhook first, then the hooks. */
export function useEndpointNames(): ReadonlyMap<string, string> {
  const { client } = useSession();
  const hooks = useResource(async (signal) => client.webhooks.hooks.page({ limit: MAX_HOOKS }, { signal }));
  const ofHooks = (hooks.value.value?.data ?? []).map(({ id, url }) => [id, url] as const);
  return new Map([['account', messages.account], ...ofHooks]);
}

/** Returns the name of an endpoint, or the ID of a deleted hook. */
export function endpointName(endpoint: string | null, names: ReadonlyMap<string, string>): string {
  return endpoint === null ? messages.callback : (names.get(endpoint) ?? endpoint);
}

/** Columns of every list of deliveries. */
export function deliveryColumns(endpoints: ReadonlyMap<string, string>): Column<DeliveryEntry>[] {
  return [
    {
      label: messages.event,
      isHeading: true,
      cell: ({ id, event_type }) => (
        <a class={styles.event} href={`/dashboard/webhooks/deliveries/${id}`}>
          {event_type}
        </a>
      ),
    },
    {
      label: messages.endpoint,
      cell: ({ endpoint }) => <Endpoint name={endpointName(endpoint, endpoints)} />,
    },
    { label: messages.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
    { label: messages.attempts, cell: ({ attempts }) => formatNumber(attempts) },
    { label: messages.created, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

/** The name in at most two lines; the delivery page shows all of it. */
function Endpoint({ name }: { readonly name: string }) {
  return (
    <span class={styles.endpoint} title={name}>
      {name}
    </span>
  );
}
