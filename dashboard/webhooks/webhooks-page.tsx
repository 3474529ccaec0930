import { useSignal } from '@preact/signals';
import type { WebhookDestination, WebhookSettings } from '@trifold/client';
import { Empty } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Button, ButtonLink } from '../components/controls/button.tsx';
import { Loaded } from '../components/notices/loading.tsx';
import { useReloadWhile } from '../loading/reload-while.ts';
import { useResource } from '../loading/resource.ts';
import { text } from '../messages/text.ts';
import { webhooks as messages } from '../messages/webhooks.ts';
import { useSession } from '../session/session.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { HooksSection } from './hooks-section.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookCard } from './webhook-card.tsx';

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
  const isEditing = useSignal(false);
  const secret = useSignal<string | undefined>(undefined);
  useReloadWhile(settings.value.value?.status === 'pending', settings.reload);
  const edit = () => void (isEditing.value = true);
  const closeForm = () => void (isEditing.value = false);
  const save = async (destination: WebhookDestination, rotate_secret = false) => {
    const { secret: shown, ...saved } = await client.webhooks.settings.set({ ...destination, rotate_secret });
    settings.set(saved);
    secret.value = shown;
    closeForm();
    return shown === undefined ? messages.saved : undefined;
  };
  const remove = async () => {
    await client.webhooks.settings.delete();
    settings.set(null);
    return messages.deleted;
  };
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
                onEdit={edit}
                onRotate={async () => save(destinationOf(current), true)}
                onDelete={remove}
                onTested={settings.reload}
              />
            ) : (
              <NoWebhook onAdd={edit} />
            )}
            {isEditing.value && (
              <EndpointForm
                title={current ? messages.editTitle : messages.add}
                current={current ?? undefined}
                submit={text.common.save}
                onSubmit={async (destination) => save(destination)}
                onClose={closeForm}
              />
            )}
          </>
        )}
      </Loaded>
      {secret.value !== undefined && (
        <SecretDialog secret={secret.value} onClose={() => void (secret.value = undefined)} />
      )}
    </section>
  );
}

function destinationOf({ url, events }: WebhookSettings): WebhookDestination {
  const isAll = events.length === Object.keys(messages.eventMeanings).length;
  return { url, ...(!isAll && { events }) };
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
