import { useSignal } from '@preact/signals';
import type { DeliveryEntry } from '@trifold/client';
import { DataTable, NoMatch, type Column } from '../../components/content/data-table.tsx';
import { Page } from '../../components/content/page.tsx';
import { Time } from '../../components/content/time.tsx';
import { Button, ButtonLink } from '../../components/controls/button.tsx';
import { formatNumber, formatTime } from '../../components/format.ts';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useAction } from '../../loading/action.ts';
import { useLiveList } from '../../loading/live-list.ts';
import { text } from '../../messages/text.ts';
import { deliveries as messages } from '../../messages/webhooks.ts';
import { useSession } from '../../session/session.ts';
import { useFilters } from '../../shell/address.ts';
import { DeliveryFilters, type DeliveryFilter } from './delivery-filters.tsx';
import {
  DeliveryStatus,
  endpointName,
  isWaiting,
  NextAttempt,
  useEndpointNames,
} from './delivery-status.tsx';
import { RetryAllDialog } from './retry-all-dialog.tsx';
import styles from './deliveries.module.css';

/** The delivery log, with filters kept in the URL. */
export function DeliveriesPage() {
  const { client, allows } = useSession();
  const { filter: found, isFiltered, change, clear } = useFilters('status', 'event', 'endpoint');
  const filter = found as DeliveryFilter;
  const { status, event, endpoint } = filter;
  const endpoints = useEndpointNames();
  const isRetryingAll = useSignal(false);
  const list = useLiveList<DeliveryEntry>(
    async (cursor, signal) => client.webhooks.deliveries.page({ ...filter, cursor }, { signal }),
    ({ status }) => status === 'pending',
    [status, event, endpoint],
  );
  const retry = useAction(async ({ id }: DeliveryEntry) => {
    await client.webhooks.deliveries.retry(id);
    list.reload();
    return messages.retried;
  });
  const mayWrite = allows('webhooks:write');
  const actions = mayWrite && (
    <Button icon="retry" onClick={() => void (isRetryingAll.value = true)}>
      {messages.retryAll}
    </Button>
  );
  return (
    <Page
      back={{ path: '/dashboard/webhooks', title: messages.back }}
      title={messages.title}
      lead={messages.lead}
      actions={actions}
    >
      <DeliveryFilters filter={filter} endpoints={endpoints} onChange={change} />
      {retry.error.value !== undefined && <ErrorNotice error={retry.error.value} />}
      <DataTable
        label={messages.title}
        list={list}
        columns={columnsOf(endpoints, mayWrite ? retry.run : undefined)}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <NoMatch message={messages.emptyFiltered} onClear={clear} />
          ) : (
            <>
              <p>
                {messages.empty} {mayWrite && messages.emptyHint}
              </p>
              {mayWrite && (
                <p>
                  <ButtonLink kind="primary" href="/dashboard/webhooks">
                    {messages.toWebhooks}
                  </ButtonLink>
                </p>
              )}
            </>
          )
        }
      />
      {isRetryingAll.value && (
        <RetryAllDialog
          filter={{ event, endpoint }}
          endpoints={endpoints}
          onRetried={list.reload}
          onClose={() => void (isRetryingAll.value = false)}
        />
      )}
    </Page>
  );
}

/** The name in at most two lines; the delivery page shows all of it. */
function Endpoint({ name }: { readonly name: string }) {
  return (
    <span class={styles.endpoint} title={name}>
      {name}
    </span>
  );
}

function columnsOf(
  endpoints: ReadonlyMap<string, string>,
  onRetry: ((delivery: DeliveryEntry) => void) | undefined,
): Column<DeliveryEntry>[] {
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
    { label: messages.status, cell: (delivery) => <DeliveryStatus status={delivery.status} /> },
    { label: messages.attempts, cell: ({ attempts }) => formatNumber(attempts) },
    { label: messages.created, cell: ({ created_at }) => <Time at={created_at} /> },
    { label: messages.next, cell: (delivery) => <NextAttempt {...delivery} /> },
    {
      label: text.common.actions,
      hideLabel: true,
      cell: (delivery) =>
        onRetry &&
        (delivery.status === 'failed' || isWaiting(delivery)) && (
          <Button
            aria-label={messages.retryOne(delivery.event_type, formatTime(delivery.created_at))}
            onClick={() => onRetry(delivery)}
          >
            {isWaiting(delivery) ? messages.retryNow : messages.retry}
          </Button>
        ),
    },
  ];
}
