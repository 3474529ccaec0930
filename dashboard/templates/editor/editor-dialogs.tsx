import type { Generation } from '@trifold/client';
import { useRef } from 'preact/hooks';
import { Button, ButtonLink } from '../../components/controls/button.tsx';
import { formatBytes, formatNumber } from '../../components/format.ts';
import { ConfirmDialog, Dialog, DialogActions } from '../../components/notices/dialog.tsx';
import { Notice } from '../../components/notices/notice.tsx';
import { ActionError, Failure } from '../../documents/problem.tsx';
import { useDownload } from '../../documents/save-download.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import { history as historyTexts } from '../../messages/template-pages.ts';
import { useSession } from '../../session/session.ts';
import { ShortcutsDialog } from '../palette/shortcuts-dialog.tsx';
import { ApiCallDialog, type EditedDialogProps } from './api-call-dialog.tsx';
import { EditorPalette } from './editor-palette.tsx';
import type { EditorProps } from './editor-tasks.ts';

export function EditorDialogs(props: EditorProps) {
  const { edited, tasks } = props;
  const { shown, generated } = tasks;
  const close = () => void (shown.value = undefined);
  return (
    <>
      {shown.value === 'publish' && <PublishDialog edited={edited} onClose={close} />}
      {shown.value === 'call' && <ApiCallDialog edited={edited} onClose={close} />}
      {shown.value === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      <EditorPalette {...props} onClose={close} />
      {generated.value && (
        <GeneratedDialog
          document={generated.value}
          version={edited.saved.value.version}
          onClose={() => void (generated.value = undefined)}
        />
      )}
    </>
  );
}

/** Saves and publishes. */
function PublishDialog({ edited, onClose }: EditedDialogProps) {
  // The dialog does not change during the save.
  const { current: isChanged } = useRef(edited.isChanged.peek());
  const publish = async () => {
    if (edited.isChanged.peek()) await edited.save();
    const published = await edited.publish();
    onClose();
    return historyTexts.isPublished(formatNumber(published.version));
  };
  const { version } = edited.saved.value;
  return (
    <ConfirmDialog
      title={isChanged ? messages.saveAndPublishTitle : historyTexts.publishTitle(formatNumber(version))}
      confirm={isChanged ? messages.saveAndPublish : historyTexts.publish}
      isHarmless
      onConfirm={publish}
      onClose={onClose}
    >
      <p>{isChanged ? messages.saveAndPublishText : historyTexts.publishText(formatNumber(version))}</p>
    </ConfirmDialog>
  );
}

interface GeneratedDialogProps {
  readonly document: Generation;
  /** The saved version, which the document is generated from. */
  readonly version: number;
  readonly onClose: () => void;
}

/** The generated document, or the error. */
function GeneratedDialog({ document, version, onClose }: GeneratedDialogProps) {
  const { client } = useSession();
  const { id, status } = document;
  const download = useDownload(async () => client.documents.download(id));
  return (
    <Dialog title={messages.generatedTitles[status]} onClose={onClose}>
      {document.status === 'failed' && <Failure error={document.error} />}
      {document.status === 'completed' && (
        <p>{messages.generated(formatNumber(version), formatBytes(document.file_size))}</p>
      )}
      {(status === 'pending' || status === 'processing') && <Notice>{messages.stillGenerating}</Notice>}
      <ActionError error={download.error.value} />
      <DialogActions>
        <ButtonLink href={`/dashboard/documents/${encodeURIComponent(id)}`}>
          {messages.openDocument}
        </ButtonLink>
        {status === 'completed' && (
          <Button
            kind="primary"
            icon="download"
            busy={download.running.value}
            onClick={() => download.run()}
            autofocus
          >
            {messages.download}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
