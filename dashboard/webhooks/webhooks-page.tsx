import { Page } from '../components/page.tsx';
import { webhooks as messages } from '../messages/webhooks.ts';
import { AccountWebhook } from './account-webhook.tsx';
import { HooksSection } from './hooks-section.tsx';

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
