import { Table } from '../components/content/data-table.tsx';
import { Loaded } from '../components/notices/loading.tsx';
import { useReloadWhile } from '../loading/reload-while.ts';
import { useResource } from '../loading/resource.ts';
import { deliveries as messages } from '../messages/webhooks.ts';
import { useSession } from '../session/session.ts';
import { deliveryColumns, useEndpointNames } from '../webhooks/deliveries/delivery-status.tsx';

/** A document has one delivery for each endpoint, and one for its `webhook_url`. */
const MAX_DELIVERIES = 100;

/** The deliveries of the events about a document. */
export function DocumentDeliveries({ id }: { readonly id: string }) {
  const { client } = useSession();
  const endpoints = useEndpointNames();
  const deliveries = useResource(
    async (signal) => client.webhooks.deliveries.page({ subject: id, limit: MAX_DELIVERIES }, { signal }),
    [id],
  );
  const entries = deliveries.value.value?.data ?? [];
  useReloadWhile(
    entries.some(({ status }) => status === 'pending'),
    deliveries.reload,
  );
  return (
    <section class="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">{messages.title}</h2>
      <Loaded resource={deliveries}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted">{messages.noneOfDocument}</p>
          ) : (
            <Table
              label={messages.title}
              entries={data}
              columns={deliveryColumns(endpoints)}
              rowKey={(delivery) => delivery.id}
            />
          )
        }
      </Loaded>
    </section>
  );
}
