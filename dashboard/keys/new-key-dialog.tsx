import { useSignal } from '@preact/signals';
import type { CreatedApiKey, NewApiKey, Scope } from '@trifold/client';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Button } from '../components/controls/button.tsx';
import { Choices, Field } from '../components/controls/field.tsx';
import { Dialog, DialogActions } from '../components/notices/dialog.tsx';
import { FormDialog } from '../components/notices/form-dialog.tsx';
import { Notice } from '../components/notices/notice.tsx';
import { useAction } from '../loading/action.ts';
import { keys as messages } from '../messages/keys.ts';
import { useSession } from '../session/session.ts';

/** Scopes that a program needs to generate documents, including from a template in its request. */
const FIRST_SCOPES: readonly Scope[] = ['templates:read', 'templates:write', 'documents:generate'];

interface NewKeyDialogProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

/** Asks what the new key may do, creates it, and shows it once. */
export function NewKeyDialog({ onCreated, onClose }: NewKeyDialogProps) {
  const { client, signedIn } = useSession();
  const created = useSignal<CreatedApiKey | undefined>(undefined);
  const nameMissing = useSignal(false);
  const scopesMissing = useSignal(false);
  const create = useAction(async (request: NewApiKey) => {
    created.value = await client.apiKeys.create(request);
    onCreated();
  });
  const own = signedIn.value;
  if (!own) return null;
  if (created.value) return <CreatedKey key="created" created={created.value} onClose={onClose} />;
  const submit = (values: FormData) => {
    const name = (values.get('name') as string).trim();
    const scopes = values.getAll('scopes') as Scope[];
    nameMissing.value = name === '';
    scopesMissing.value = scopes.length === 0;
    if (name === '' || scopes.length === 0) return;
    create.run({ name, scopes, type: values.get('type') as 'live' | 'test' });
  };
  return (
    <FormDialog
      key="form"
      title={messages.create}
      submit={messages.create}
      action={create}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={messages.name}
        hint={messages.nameHint}
        error={nameMissing.value ? messages.nameMissing : undefined}
      >
        <input name="name" maxLength={100} autocomplete="off" required />
      </Field>
      <Field label={messages.type} hint={messages.typeHint}>
        <select name="type">
          {own.key.type === 'live' && <option value="live">{messages.live}</option>}
          <option value="test">{messages.test}</option>
        </select>
      </Field>
      <Choices
        label={messages.scopes}
        name="scopes"
        chosen={FIRST_SCOPES}
        choices={own.scopes.map((scope) => [scope, messages.scopeMeanings[scope]] as const)}
        error={scopesMissing.value ? messages.scopesMissing : undefined}
      />
    </FormDialog>
  );
}

interface CreatedKeyProps {
  readonly created: CreatedApiKey;
  readonly onClose: () => void;
}

/** Shows the key once. Only the button closes the dialog. */
function CreatedKey({ created: { key }, onClose }: CreatedKeyProps) {
  return (
    <Dialog title={messages.createdTitle} onClose={undefined}>
      <Notice kind="warning">{messages.shownOnce}</Notice>
      <CodeBlock code={key} label={messages.theKey} autofocus />
      <h3>{messages.tryIt}</h3>
      <CodeBlock code={curlWith(key)} label={messages.tryIt} />
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {messages.stored}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function curlWith(key: string): string {
  return `curl -sS ${location.origin}/v1/templates \\\n  -H 'Authorization: Bearer ${key}'`;
}
