import type { WebhookDelivery } from '@trifold/client';
import { CodeBlock } from '../../components/content/code-block.tsx';
import { DescriptionList } from '../../components/content/description-list.tsx';
import { Page } from '../../components/content/page.tsx';
import { Time } from '../../components/content/time.tsx';
import { Button } from '../../components/controls/button.tsx';
import { Loaded } from '../../components/notices/loading.tsx';
import { ErrorNotice } from '../../components/notices/notice.tsx';
import { ErrorText } from '../../documents/problem.tsx';
import { useAction } from '../../loading/action.ts';
import { useReloadWhile } from '../../loading/reload-while.ts';
import { useResource } from '../../loading/resource.ts';
import { deliveries as messages } from '../../messages/webhooks.ts';
import { useSession } from '../../session/session.ts';
import type { PathParameters } from '../../shell/address.ts';
import { Attempts } from './attempts.tsx';
import {
  DeliveryStatus,
  endpointName,
  isWaiting,
  NextAttempt,
  useEndpointNames,
} from './delivery-status.tsx';

/** Error codes of failed deliveries that the service does not retry. */
const FINAL_ERRORS = new Set(['endpoint_deleted', 'superseded']);

/** One delivery with its attempts. It reloads while the delivery is pending. */
export function DeliveryPage({ id = '' }: PathParameters) {
  const { client, allows } = useSession();
  const delivery = useResource(async (signal) => client.webhooks.deliveries.get(id, { signal }), [id]);
  const current = delivery.value.value;
  useReloadWhile(current?.status === 'pending', delivery.reload);
  const retry = useAction(async () => {
    delivery.set(await client.webhooks.deliveries.retry(id));
    return messages.retried;
  });
  const retryButton = current && isRetryable(current) && allows('webhooks:write') && (
    <Button kind="primary" icon="retry" busy={retry.running.value} onClick={() => retry.run()}>
      {isWaiting(current) ? messages.retryNow : messages.retry}
    </Button>
  );
  return (
    <Page
      back={{ path: '/dashboard/webhooks/deliveries', title: messages.title }}
      title={current?.event_type ?? messages.detail}
      actions={retryButton}
    >
      <ErrorNotice error={retry.error.value} />
      <Loaded resource={delivery}>{(loaded) => <Details delivery={loaded} />}</Loaded>
    </Page>
  );
}

function isRetryable(delivery: WebhookDelivery): boolean {
  const { status, error } = delivery;
  return isWaiting(delivery) || (status === 'failed' && !FINAL_ERRORS.has(error?.code ?? ''));
}

function Details({ delivery }: { readonly delivery: WebhookDelivery }) {
  const endpoints = useEndpointNames();
  const { endpoint, url, error, status, subject, finished_at } = delivery;
  const [label, list] = delivery.event_type.startsWith('batch.')
    ? [messages.batch, 'batches']
    : [messages.document, 'documents'];
  return (
    <>
      <DescriptionList
        card
        entries={[
          [messages.status, <DeliveryStatus status={status} />],
          [
            messages.endpoint,
            <>
              {endpointName(endpoint, endpoints)}
              {url && <p class="small">{url}</p>}
            </>,
          ],
          [messages.created, <Time at={delivery.created_at} isExact />],
          [messages.next, status === 'pending' && <NextAttempt {...delivery} />],
          [messages.finished, finished_at && <Time at={finished_at} isExact />],
          [messages.error, error && <ErrorText error={error} />],
          [label, subject !== null && <a href={`/dashboard/${list}/${subject}`}>{subject}</a>],
          [messages.eventId, <code>{delivery.event_id}</code>],
        ]}
      />
      <section class="stack">
        <h2>{messages.payload}</h2>
        <p class="small muted">{messages.payloadNote}</p>
        <CodeBlock code={readable(delivery.payload)} label={messages.payload} />
      </section>
      <Attempts delivery={delivery} />
    </>
  );
}

/** Returns the JSON with line breaks, or the payload itself if it is not JSON. */
function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), undefined, 2);
  } catch {
    return payload;
  }
}
