import { useSignal } from '@preact/signals';
import type { WebhookSettings, WebhookTestResult } from '@trifold/client';
import { Description, DescriptionList } from '../components/content/description-list.tsx';
import { Time } from '../components/content/time.tsx';
import { Button } from '../components/controls/button.tsx';
import { formatNumber, formatTime } from '../components/format.ts';
import { ErrorNotice, Notice } from '../components/notices/notice.tsx';
import { useAction } from '../loading/action.ts';
import { text } from '../messages/text.ts';
import { webhooks as messages } from '../messages/webhooks.ts';
import { useSession } from '../session/session.ts';
import { EndpointStatus, eventsText, LastDelivery } from './endpoint-status.tsx';
import type { OpenDialog } from './webhook-dialogs.tsx';

interface WebhookCardProps {
  readonly settings: WebhookSettings;
  /** Opens a dialog. */
  readonly onChange: (dialog: OpenDialog) => void;
  /** Called after a test event. */
  readonly onTested: () => void;
}

/** The settings and health of the account's webhook, with the available actions. */
export function WebhookCard({ settings, onChange, onTested }: WebhookCardProps) {
  const { client, allows } = useSession();
  const { pending, spooled, previous_secret_until: previousUntil } = settings;
  const result = useSignal<WebhookTestResult | undefined>(undefined);
  const test = useAction(async () => {
    result.value = undefined;
    result.value = await client.webhooks.settings.test();
    onTested();
  });
  return (
    <div class="card stack">
      <DescriptionList>
        <Description label={messages.url}>
          <code>{settings.url}</code>
        </Description>
        <Description label={messages.events}>{eventsText(settings.events)}</Description>
        <Description label={messages.status}>
          <EndpointStatus {...settings} />
        </Description>
        {settings.status === 'failing' && settings.failing_since && (
          <Description label={messages.failingSince}>
            <Time at={settings.failing_since} />
          </Description>
        )}
        <Description label={messages.lastDelivery}>
          <LastDelivery last={settings.last_delivery} />
        </Description>
        <Description label={messages.waiting}>
          {messages.waitingCount(formatNumber(pending + spooled))}
        </Description>
        {previousUntil && (
          <Description label={messages.previousSecret}>
            {messages.previousSecretUntil(formatTime(previousUntil))}
          </Description>
        )}
        <Description label={messages.changed}>
          <Time at={settings.updated_at} />
        </Description>
      </DescriptionList>
      {result.value && <TestResult result={result.value} />}
      {test.error.value !== undefined && <ErrorNotice error={test.error.value} />}
      {allows('webhooks:write') && (
        <div class="row">
          <Button kind="primary" icon="send" busy={test.running.value} onClick={() => test.run()}>
            {messages.test}
          </Button>
          <Button icon="edit" onClick={() => onChange({ name: 'form' })}>
            {messages.edit}
          </Button>
          <Button icon="retry" onClick={() => onChange({ name: 'rotate' })}>
            {messages.rotate}
          </Button>
          <Button kind="destructive" icon="delete" onClick={() => onChange({ name: 'delete' })}>
            {text.common.delete}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The endpoint's response to a test event. */
function TestResult({ result }: { readonly result: WebhookTestResult }) {
  const { delivered, status, error, duration_ms } = result;
  const milliseconds = formatNumber(duration_ms);
  if (delivered && status !== null) {
    return <Notice kind="success">{messages.tested(status, milliseconds)}</Notice>;
  }
  return (
    <Notice kind="danger">
      <p>
        {messages.testFailed(milliseconds, error?.message ?? '')} {error && <code>{error.code}</code>}
      </p>
      <p>{messages.testRemedy}</p>
    </Notice>
  );
}
