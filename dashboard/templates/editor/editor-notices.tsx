import { useSignal } from '@preact/signals';
import type { Template } from '@trifold/client';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../components/controls/button.tsx';
import { formatAgo, formatNumber } from '../../components/format.ts';
import { ConfirmButton } from '../../components/notices/dialog.tsx';
import { errorMessage, Notice } from '../../components/notices/notice.tsx';
import { showToast } from '../../components/notices/toasts.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { historyPath, templatePath } from '../paths.ts';
import type { EditedTemplate } from './draft/edited-template.ts';

interface EditorNoticeProps {
  readonly edited: EditedTemplate;
}

/** Says that the editor shows the data of a document, and lets the user return to the sample data. */
export function OpenedNotice({ edited }: EditorNoticeProps) {
  const { document } = edited.opened.value ?? {};
  if (!document) return null;
  const { template_version: version } = document;
  const isOther = version !== null && version !== edited.saved.value.version;
  return (
    <Notice>
      <div class="row">
        <span>
          {messages.opened}{' '}
          <a href={`/dashboard/documents/${encodeURIComponent(document.id)}`}>{messages.openedDocument}</a>
          {'. '}
          {messages.openedNote}
          {isOther && ` ${messages.openedVersion(formatNumber(version))}`}
        </span>
        <Button onClick={() => edited.closeDocument()}>{messages.closeDocument}</Button>
      </div>
    </Notice>
  );
}

/** Says that the editor restored changes from an earlier visit, and lets the user discard them. */
export function RestoredNotice({ edited }: EditorNoticeProps) {
  const stored = edited.restored.value;
  if (!stored) return null;
  const { version } = edited.saved.value;
  const note = stored.baseVersion !== version && messages.restoredOld(stored.baseVersion, version);
  return (
    <DismissibleNotice onDismiss={() => void (edited.restored.value = undefined)}>
      <span>
        {messages.restored(formatAgo(stored.at))} {note}
      </span>
      <ConfirmButton
        label={messages.discard}
        title={messages.discardTitle}
        onConfirm={async () => edited.replace(edited.saved.value)}
      >
        <p>{messages.discardText(version)}</p>
      </ConfirmButton>
    </DismissibleNotice>
  );
}

/** Says that another user saved a version. The editor checks for it when the user returns to the page. */
export function NewerVersionNotice({ edited }: EditorNoticeProps) {
  const { client } = useSession();
  const found = useSignal<Template | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      // A failure surfaces when the user saves.
      client.templates.get(edited.id).then(
        (template) => void (found.value = template),
        () => undefined,
      );
    };
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, []);
  const newer = found.value;
  if (!newer || newer.version <= edited.saved.value.version) return null;
  const isChanged = edited.isChanged.value;
  const load = () =>
    void edited
      .load(newer)
      .catch((error: unknown) => showToast(errorMessage(error), templatePath(edited.id)));
  return (
    <DismissibleNotice onDismiss={() => void (found.value = undefined)}>
      <span>
        {messages.newerVersion(newer.version, formatAgo(newer.updated_at))}
        {isChanged && ` ${messages.newerVersionChanged}`}
      </span>
      <a href={historyPath(edited.id, newer.version)} target="_blank" rel="noreferrer">
        {messages.seeTheirs}
      </a>
      <Button onClick={load}>{isChanged ? messages.discardAndLoad : messages.loadNewer}</Button>
    </DismissibleNotice>
  );
}

interface DismissibleNoticeProps {
  readonly onDismiss: () => void;
  readonly children: ComponentChildren;
}

function DismissibleNotice({ onDismiss, children }: DismissibleNoticeProps) {
  return (
    <Notice kind="warning">
      <div class="row">
        {children}
        <Button kind="quiet" onClick={onDismiss}>
          {text.common.dismiss}
        </Button>
      </div>
    </Notice>
  );
}
