import { useSignal } from '@preact/signals';
import type { Hook, NewHook, WebhookDestination } from '@trifold/client';
import { classes } from '../components/classes.ts';
import { actionsColumn, DataTable, type Column } from '../components/content/data-table.tsx';
import { Button } from '../components/controls/button.tsx';
import { Field, Options } from '../components/controls/field.tsx';
import { ConfirmButton } from '../components/notices/dialog.tsx';
import type { Perform } from '../loading/action.ts';
import { usePagedList } from '../loading/paged-list.ts';
import { useReloadWhile } from '../loading/reload-while.ts';
import { text } from '../messages/text.ts';
import { webhooks as messages } from '../messages/webhooks.ts';
import { useSession } from '../session/session.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointStatus, eventsText, LastDelivery } from './endpoint-status.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import styles from './webhooks.module.css';

/** The hooks of the account. */
export function HooksSection() {
  const { client, allows } = useSession();
  const list = usePagedList<Hook>(async (cursor, signal) =>
    client.webhooks.hooks.page({ cursor }, { signal }),
  );
  useReloadWhile(list.entries?.some(({ status }) => status === 'pending') ?? false, list.reload);
  const isAdding = useSignal(false);
  const closeForm = () => void (isAdding.value = false);
  const secret = useSignal<string | undefined>(undefined);
  const mayWrite = allows('webhooks:write');
  const create = async (destination: WebhookDestination, values: FormData) => {
    const source = values.get('source') as NewHook['source'];
    const created = await client.webhooks.hooks.create({ ...destination, source });
    isAdding.value = false;
    secret.value = created.secret;
    list.reload();
  };
  const remove = async ({ id }: Hook) => {
    await client.webhooks.hooks.delete(id);
    list.reload();
    return messages.hookDeleted;
  };
  return (
    <section class={classes(styles.hooks, 'stack')} aria-labelledby="hooks">
      <div class="row spread">
        <div>
          <h2 id="hooks">{messages.hooks}</h2>
          <p class="muted">{messages.hooksLead}</p>
        </div>
        {mayWrite && (
          <Button icon="plus" onClick={() => void (isAdding.value = true)}>
            {messages.addHook}
          </Button>
        )}
      </div>
      <DataTable
        label={messages.hooks}
        list={list}
        columns={columnsOf(mayWrite ? remove : undefined)}
        rowKey={({ id }) => id}
        empty={messages.noHooks}
      />
      {isAdding.value && (
        <EndpointForm
          title={messages.addHook}
          submit={text.common.create}
          onSubmit={create}
          onClose={closeForm}
        >
          <Field label={messages.source}>
            <select name="source">
              <Options of={Object.entries(messages.sources)} />
            </select>
          </Field>
        </EndpointForm>
      )}
      {secret.value !== undefined && (
        <SecretDialog secret={secret.value} onClose={() => void (secret.value = undefined)} />
      )}
    </section>
  );
}

function columnsOf(onDelete: Perform<[hook: Hook]> | undefined): Column<Hook>[] {
  return [
    { label: messages.url, isHeading: true, cell: ({ url }) => url },
    { label: messages.source, cell: ({ source }) => messages.sources[source] },
    { label: messages.events, cell: ({ events }) => eventsText(events) },
    { label: messages.status, cell: (hook) => <EndpointStatus {...hook} /> },
    { label: messages.lastDelivery, cell: (hook) => <LastDelivery last={hook.last_delivery} /> },
    actionsColumn(
      (hook) =>
        onDelete && (
          <ConfirmButton
            label={text.common.delete}
            icon="delete"
            isIconOnly
            aria-label={messages.deleteHook(hook.url)}
            title={messages.deleteHookTitle}
            onConfirm={async () => onDelete(hook)}
          >
            <p>
              <code>{hook.url}</code>
            </p>
            <p>{messages.deleteText}</p>
          </ConfirmButton>
        ),
    ),
  ];
}
