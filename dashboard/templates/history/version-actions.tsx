import { useSignal } from '@preact/signals';
import type { Template } from '@trifold/client';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatNumber } from '../../components/format.ts';
import { showToast } from '../../components/toasts.tsx';
import { history as messages } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';

interface VersionActionsProps {
  readonly template: Template;
  readonly version: number;
  readonly onRestore: (restored: Template) => void;
  readonly onPublish: (published: Template) => void;
}

/** Publishes and restores a version. Both ask. */
export function VersionActions({ template, version, onRestore, onPublish }: VersionActionsProps) {
  const { client } = useSession();
  const asking = useSignal<'restore' | 'publish' | undefined>(undefined);
  const close = () => void (asking.value = undefined);
  const number = formatNumber(version);
  const restore = async () => {
    const restored = await client.templates.versions.restore(template.id, version);
    close();
    showToast(messages.restored(number, formatNumber(restored.version)));
    onRestore(restored);
  };
  const publish = async () => {
    onPublish(await client.templates.publish(template.id, version));
    close();
    showToast(messages.isPublished(number));
  };
  return (
    <div class="row">
      {version !== template.published_version && (
        <Button onClick={() => void (asking.value = 'publish')}>{messages.publish}</Button>
      )}
      {version !== template.version && (
        <Button onClick={() => void (asking.value = 'restore')}>{messages.restore}</Button>
      )}
      {asking.value === 'restore' && (
        <ConfirmDialog
          title={messages.restoreTitle(number)}
          confirm={messages.restore}
          onConfirm={restore}
          onClose={close}
        >
          <p>{messages.restoreText(number, formatNumber(template.version + 1))}</p>
        </ConfirmDialog>
      )}
      {asking.value === 'publish' && (
        <ConfirmDialog
          title={messages.publishTitle(number)}
          confirm={messages.publish}
          onConfirm={publish}
          onClose={close}
        >
          <p>{messages.publishText(number)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
