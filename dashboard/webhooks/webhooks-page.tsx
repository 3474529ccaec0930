import { useSignal } from '@preact/signals';
import { Empty } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Button, ButtonLink } from '../components/controls/button.tsx';
import { Loaded } from '../components/notices/loading.tsx';
import { useReloadWhile } from '../loading/reload-while.ts';
import { useResource } from '../loading/resource.ts';
import { webhooks as messages } from '../messages/webhooks.ts';
import { useSession } from '../session/session.ts';
import { HooksSection } from './hooks-section.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookDialogs, type OpenDialog } from './webhook-dialogs.tsx';

/** Destinations for the account's events. */
export function WebhooksPage() {
  const log = (
    <ButtonLink icon="history" href="/dashboard/webhooks/deliveries">
      {messages.log}
    </ButtonLink>
  );
  return (
    <Page title={messages.title} lead={messages.lead} actions={log}>
      <AccountWebhook />
      <HooksSection />
    </Page>
  );
}

/** The account's webhook, or a button to add one. */
function AccountWebhook() {
  const { client } = useSession();
  const settings = useResource(async (signal) => client.webhooks.settings.find({ signal }));
  const open = useSignal<OpenDialog>(undefined);
  useReloadWhile(settings.value.value?.status === 'pending', settings.reload);
  const show = (dialog: OpenDialog) => void (open.value = dialog);
  return (
    <section class="stack" aria-labelledby="account-webhook">
      <h2 id="account-webhook">{messages.account}</h2>
      <Loaded resource={settings}>
        {(current) => (
          <>
            {current ? (
              <WebhookCard
                key={current.updated_at}
                settings={current}
                onChange={show}
                onTested={settings.reload}
              />
            ) : (
              <NoWebhook onAdd={() => show({ name: 'form' })} />
            )}
            <WebhookDialogs current={current} open={open.value} onShow={show} onChanged={settings.set} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function NoWebhook({ onAdd }: { readonly onAdd: () => void }) {
  const { allows } = useSession();
  const mayWrite = allows('webhooks:write');
  return (
    <Empty>
      <p>
        {messages.none} {mayWrite && messages.noneHint}
      </p>
      {mayWrite && (
        <p>
          <Button kind="primary" icon="plus" onClick={onAdd}>
            {messages.add}
          </Button>
        </p>
      )}
    </Empty>
  );
}
