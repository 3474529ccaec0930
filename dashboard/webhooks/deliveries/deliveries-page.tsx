import { useSignal } from '@preact/signals';
import type { DeliveryEntry, DeliveryQuery } from '@trifold/client';
import { actionsColumn, DataTable, type Column } from '../../components/content/data-table.tsx';
import { Page } from '../../components/content/page.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Filters, SelectFilter } from '../../components/controls/filters.tsx';
import { formatTime } from '../../components/format.ts';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { useAction } from '../../loading/action.ts';
import { useLiveList } from '../../loading/paged-list.ts';
import { deliveries as messages, webhooks as webhooksTexts } from '../../messages/webhooks.ts';
import { useSession } from '../../session/session.ts';
import { useFilters } from '../../shell/address.ts';
import { deliveryColumns, isWaiting, NextAttempt, useEndpointNames } from './delivery-status.tsx';
import { RetryAllDialog } from './retry-all-dialog.tsx';

const EVENTS = [
  ...Object.keys(webhooksTexts.eventMeanings),
  'generation.completed',
  'generation.failed',
  'webhook.test',
].map((event) => [event, event] as const);

/** The delivery log, with filters kept in the URL. */
export function DeliveriesPage() {
  const { client, allows } = useSession();
  const filters = useFilters('status', 'event', 'endpoint');
  const filter = filters.filter as Pick<DeliveryQuery, 'status' | 'event' | 'endpoint'>;
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
      <Filters>
        <SelectFilter
          {...filters.field('status')}
          label={messages.status}
          options={Object.entries(messages.states)}
        />
        <SelectFilter {...filters.field('event')} label={messages.event} options={EVENTS} />
        <SelectFilter {...filters.field('endpoint')} label={messages.endpoint} options={endpoints} />
      </Filters>
      <ErrorNotice error={retry.error.value} />
      <DataTable
        label={messages.title}
        list={list}
        columns={columnsOf(endpoints, mayWrite ? retry.run : undefined)}
        rowKey={({ id }) => id}
        empty={mayWrite ? `${messages.empty} ${messages.emptyHint}` : messages.empty}
        emptyAction={mayWrite && { href: '/dashboard/webhooks', children: messages.toWebhooks }}
        filters={filters}
        noMatch={messages.emptyFiltered}
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

function columnsOf(
  endpoints: ReadonlyMap<string, string>,
  onRetry: ((delivery: DeliveryEntry) => void) | undefined,
): Column<DeliveryEntry>[] {
  return [
    ...deliveryColumns(endpoints),
    { label: messages.next, cell: (delivery) => <NextAttempt {...delivery} /> },
    actionsColumn(
      (delivery) =>
        onRetry &&
        (delivery.status === 'failed' || isWaiting(delivery)) && (
          <Button
            aria-label={messages.retryOne(delivery.event_type, formatTime(delivery.created_at))}
            onClick={() => onRetry(delivery)}
          >
            {isWaiting(delivery) ? messages.retryNow : messages.retry}
          </Button>
        ),
    ),
  ];
}
