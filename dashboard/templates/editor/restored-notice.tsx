import { Button } from '../../components/controls/button.tsx';
import { formatAgo } from '../../components/format.ts';
import { ConfirmButton } from '../../components/notices/dialog.tsx';
import { Notice } from '../../components/notices/notice.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import type { EditedTemplate } from './draft/edited-template.ts';

/** Says that the editor restored changes from an earlier visit, and lets the user discard them. */
export function RestoredNotice({ edited }: { readonly edited: EditedTemplate }) {
  const stored = edited.restored.value;
  if (!stored) return null;
  const { version } = edited.saved.value;
  return (
    <Notice kind="warning">
      <div class="row">
        <span>
          {messages.restored(formatAgo(stored.at))}
          {stored.baseVersion !== version && ` ${messages.restoredOld(stored.baseVersion, version)}`}
        </span>
        <ConfirmButton
          label={messages.discard}
          title={messages.discardTitle}
          onConfirm={async () => edited.replace(edited.saved.value)}
        >
          <p>{messages.discardText(version)}</p>
        </ConfirmButton>
        <Button kind="quiet" onClick={() => void (edited.restored.value = undefined)}>
          {text.common.dismiss}
        </Button>
      </div>
    </Notice>
  );
}
