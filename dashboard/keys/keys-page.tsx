import { useSignal } from '@preact/signals';
import type { ApiKey } from '@trifold/client';
import { Badge } from '../components/content/badge.tsx';
import { actionsColumn, DataTable, type Column } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Time } from '../components/content/time.tsx';
import { Button } from '../components/controls/button.tsx';
import { ConfirmButton } from '../components/notices/dialog.tsx';
import { usePagedList } from '../loading/paged-list.ts';
import { keys as messages } from '../messages/keys.ts';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

const SCOPES = Object.keys(messages.scopeMeanings);

/** The API keys of the account. */
export function KeysPage() {
  const { client, allows, signedIn } = useSession();
  const list = usePagedList<ApiKey>(async (cursor, signal) => client.apiKeys.page({ cursor }, { signal }));
  const isCreating = useSignal(false);
  const mayWrite = allows('api-keys:write');
  const revoke = async ({ id, name }: ApiKey) => {
    await client.apiKeys.revoke(id);
    list.reload();
    return messages.revoked(name);
  };
  const create = (
    <Button kind="primary" icon="plus" onClick={() => void (isCreating.value = true)}>
      {messages.create}
    </Button>
  );
  const columns: Column<ApiKey>[] = [
    { label: messages.name, isHeading: true, cell: (key) => <KeyName apiKey={key} /> },
    {
      label: messages.type,
      cell: ({ type }) => <Badge kind={type === 'live' ? 'success' : 'warning'}>{messages[type]}</Badge>,
    },
    {
      label: messages.scopes,
      cell: ({ scopes }) =>
        scopes.length === SCOPES.length ? (
          messages.allScopes
        ) : (
          <span class="whole-words">{scopes.join(', ')}</span>
        ),
    },
    { label: messages.created, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      label: messages.lastUsed,
      cell: ({ last_used_at }) => (last_used_at === null ? text.common.never : <Time at={last_used_at} />),
    },
    actionsColumn(
      (key) =>
        mayWrite && (
          <ConfirmButton
            label={messages.revoke}
            aria-label={messages.revokeOne(key.name)}
            title={messages.revokeTitle(key.name)}
            onConfirm={async () => revoke(key)}
          >
            <p>{messages.revokeText}</p>
            {key.id === signedIn.value?.key.id && <p>{messages.revokeOwn}</p>}
          </ConfirmButton>
        ),
    ),
  ];
  return (
    <Page title={messages.title} lead={messages.lead} actions={mayWrite && create}>
      <DataTable
        label={messages.title}
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={messages.empty}
      />
      {isCreating.value && (
        <NewKeyDialog onCreated={list.reload} onClose={() => void (isCreating.value = false)} />
      )}
    </Page>
  );
}

function KeyName({ apiKey }: { readonly apiKey: ApiKey }) {
  const { signedIn } = useSession();
  return (
    <>
      {apiKey.name} <code class="muted">…{apiKey.last_four}</code>{' '}
      {apiKey.id === signedIn.value?.key.id && <Badge kind="info">{messages.thisSession}</Badge>}
      {apiKey.description && <p class="small muted">{apiKey.description}</p>}
    </>
  );
}
