import type { Generation } from '@trifold/client';
import { ConfirmDialog } from '../components/notices/dialog.tsx';
import { showToast } from '../components/notices/toasts.tsx';
import { documents as messages } from '../messages/documents.ts';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import { isUnfinished } from './work-parts.tsx';

interface DeleteDialogProps {
  readonly document: Generation;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before deleting a document. */
export function DeleteDialog({ document, onDeleted, onClose }: DeleteDialogProps) {
  const { client } = useSession();
  const remove = async () => {
    await client.documents.delete(document.id);
    onDeleted();
    showToast(messages.deleted);
  };
  return (
    <ConfirmDialog
      title={messages.deleteTitle}
      confirm={text.common.delete}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <code>{document.id}</code>
      </p>
      <p>{isUnfinished(document) ? messages.deleteUnfinished : messages.deleteText}</p>
    </ConfirmDialog>
  );
}
