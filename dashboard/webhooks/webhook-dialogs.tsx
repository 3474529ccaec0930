import type { WebhookDestination, WebhookSettings } from '@trifold/client';
import { ConfirmDialog, Dialog } from '../components/notices/dialog.tsx';
import { text } from '../messages/text.ts';
import { webhooks as messages } from '../messages/webhooks.ts';
import { useSession } from '../session/session.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** Dialog for the account's webhook. */
export type OpenDialog =
  | { readonly name: 'form' | 'rotate' | 'delete' }
  | { readonly name: 'secret'; readonly secret: string }
  | undefined;

interface WebhookDialogsProps {
  /** Settings before the change; null if the account has no webhook. */
  readonly current: WebhookSettings | null;
  readonly open: OpenDialog;
  readonly onShow: (dialog: OpenDialog) => void;
  readonly onChanged: (settings: WebhookSettings | null) => void;
}

export function WebhookDialogs({ current, open, onShow, onChanged }: WebhookDialogsProps) {
  const { client } = useSession();
  const close = () => onShow(undefined);
  const save = async (destination: WebhookDestination, rotate = false) => {
    const { secret, ...saved } = await client.webhooks.settings.set({
      ...destination,
      rotate_secret: rotate,
    });
    onChanged(saved);
    onShow(secret === undefined ? undefined : { name: 'secret', secret });
    return secret === undefined ? messages.saved : undefined;
  };
  const remove = async () => {
    await client.webhooks.settings.delete();
    close();
    onChanged(null);
    return messages.deleted;
  };
  switch (open?.name) {
    case 'form':
      return (
        <Dialog title={current ? messages.editTitle : messages.add} onClose={close}>
          <EndpointForm
            current={current ?? undefined}
            submit={text.common.save}
            onSubmit={async (destination) => save(destination)}
            onClose={close}
          />
        </Dialog>
      );
    case 'rotate':
      return (
        <ConfirmDialog
          title={messages.rotateTitle}
          confirm={messages.rotateConfirm}
          onConfirm={async () => (current ? save(destinationOf(current), true) : undefined)}
          onClose={close}
        >
          <p>{messages.rotateText}</p>
        </ConfirmDialog>
      );
    case 'delete':
      return (
        <ConfirmDialog
          title={messages.deleteTitle}
          confirm={text.common.delete}
          onConfirm={remove}
          onClose={close}
        >
          <p>{messages.deleteText}</p>
        </ConfirmDialog>
      );
    case 'secret':
      return <SecretDialog secret={open.secret} onClose={close} />;
    case undefined:
      return null;
  }
}

function destinationOf({ url, events }: WebhookSettings): WebhookDestination {
  const isAll = events.length === Object.keys(messages.eventMeanings).length;
  return { url, ...(!isAll && { events }) };
}
