import { useSignal } from '@preact/signals';
import { Button } from '../../components/controls/button.tsx';
import { formatAgo } from '../../components/format.ts';
import { ConfirmDialog } from '../../components/notices/dialog.tsx';
import { Notice } from '../../components/notices/notice.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import type { EditedTemplate } from './draft/edited-template.ts';

/** Says that the editor continues the changes of an earlier visit, and lets the person discard them. */
export function RestoredNotice({ edited }: { readonly edited: EditedTemplate }) {
  const isAsking = useSignal(false);
  const stored = edited.restored.value;
  if (!stored) return null;
  const { version } = edited.saved.value;
  const discard = async () => {
    isAsking.value = false;
    edited.replace(edited.saved.value);
  };
  return (
    <Notice kind="warning">
      <div class="row">
        <span>
          {messages.restored(formatAgo(stored.at))}
          {stored.baseVersion !== version && ` ${messages.restoredOld(stored.baseVersion, version)}`}
        </span>
        <Button onClick={() => void (isAsking.value = true)}>{messages.discard}</Button>
        <Button kind="quiet" onClick={() => void (edited.restored.value = undefined)}>
          {text.common.dismiss}
        </Button>
      </div>
      {isAsking.value && (
        <ConfirmDialog
          title={messages.discardTitle}
          confirm={messages.discard}
          onConfirm={discard}
          onClose={() => void (isAsking.value = false)}
        >
          <p>{messages.discardText(version)}</p>
        </ConfirmDialog>
      )}
    </Notice>
  );
}
