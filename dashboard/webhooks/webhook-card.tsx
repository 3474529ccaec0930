import { useSignal } from '@preact/signals';
import type { WebhookSettings, WebhookTestResult } from '@trifold/client';
import { DescriptionList } from '../components/content/description-list.tsx';
import { Time } from '../components/content/time.tsx';
import { Button } from '../components/controls/button.tsx';
import { formatMilliseconds, formatNumber } from '../components/format.ts';
import { ConfirmButton } from '../components/notices/dialog.tsx';
import { ErrorNotice, Notice } from '../components/notices/notice.tsx';
import { useAction, type Perform } from '../loading/action.ts';
import { text } from '../messages/text.ts';
import { webhooks as messages } from '../messages/webhooks.ts';
import { useSession } from '../session/session.ts';
import { EndpointStatus, eventsText, LastDelivery } from './endpoint-status.tsx';

interface WebhookCardProps {
  readonly settings: WebhookSettings;
  /** Opens the form. */
  readonly onEdit: () => void;
  readonly onRotate: Perform;
  readonly onDelete: Perform;
  /** Called after a test event. */
  readonly onTested: () => void;
}

/** The settings and health of the account's webhook, with the available actions. */
export function WebhookCard({ settings, onEdit, onRotate, onDelete, onTested }: WebhookCardProps) {
  const { client, allows } = useSession();
  const { pending, spooled, failing_since, previous_secret_until: previousUntil } = settings;
  const result = useSignal<WebhookTestResult | undefined>(undefined);
  const test = useAction(async () => {
    result.value = undefined;
    result.value = await client.webhooks.settings.test();
    onTested();
  });
  const since = settings.status === 'failing' && failing_since;
  return (
    <div class="card stack">
      <DescriptionList
        entries={[
          [messages.url, <code>{settings.url}</code>],
          [messages.events, eventsText(settings.events)],
          [messages.status, <EndpointStatus {...settings} />],
          [messages.failingSince, since && <Time at={since} />],
          [messages.lastDelivery, <LastDelivery last={settings.last_delivery} />],
          [messages.waiting, messages.waitingCount(formatNumber(pending + spooled))],
          [messages.previousSecret, previousUntil && <Time at={previousUntil} isFuture />],
          [messages.changed, <Time at={settings.updated_at} />],
        ]}
      />
      {result.value && <TestResult result={result.value} />}
      <ErrorNotice error={test.error.value} />
      {allows('webhooks:write') && (
        <div class="row">
          <Button kind="primary" icon="send" busy={test.running.value} onClick={() => test.run()}>
            {messages.test}
          </Button>
          <Button icon="edit" onClick={onEdit}>
            {messages.edit}
          </Button>
          <ConfirmButton
            label={messages.rotate}
            icon="retry"
            title={messages.rotateTitle}
            confirm={messages.rotateConfirm}
            onConfirm={onRotate}
          >
            <p>{messages.rotateText}</p>
          </ConfirmButton>
          <ConfirmButton
            label={text.common.delete}
            icon="delete"
            title={messages.deleteTitle}
            onConfirm={onDelete}
          >
            <p>{messages.deleteText}</p>
          </ConfirmButton>
        </div>
      )}
    </div>
  );
}

/** The endpoint's response to a test event. */
function TestResult({ result }: { readonly result: WebhookTestResult }) {
  const { delivered, status, error, duration_ms } = result;
  const duration = formatMilliseconds(duration_ms);
  if (delivered && status !== null) {
    return <Notice kind="success">{messages.tested(status, duration)}</Notice>;
  }
  return (
    <Notice kind="danger">
      <p>
        {messages.testFailed(duration, error?.message ?? '')} {error && <code>{error.code}</code>}
      </p>
      <p>{messages.testRemedy}</p>
    </Notice>
  );
}
