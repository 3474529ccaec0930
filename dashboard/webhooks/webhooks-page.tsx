import { Page } from '../components/page.tsx';
import { text } from '../messages/text.ts';
import { AccountWebhook } from './account-webhook.tsx';
import { HooksSection } from './hooks-section.tsx';

const { webhooks: messages } = text;

/** Where the events of the account go. */
export function WebhooksPage() {
  const log = (
    <a class="button secondary" href="/dashboard/webhooks/deliveries">
      {messages.log}
    </a>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={log}>
      <AccountWebhook />
      <HooksSection />
    </Page>
  );
}
