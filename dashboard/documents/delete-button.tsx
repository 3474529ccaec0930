import type { Generation } from '@trifold/client';
import { ConfirmButton } from '../components/notices/dialog.tsx';
import { showToast } from '../components/notices/toasts.tsx';
import { documents as messages } from '../messages/documents.ts';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import { isUnfinished } from './work-parts.tsx';

/** Page with the document list. It confirms deletions. */
export const DOCUMENTS_PATH = '/dashboard/documents';

interface DeleteButtonProps {
  readonly document: Generation;
  /** Whether the button is in a list, where it shows only an icon. */
  readonly isInList: boolean;
  readonly onDeleted: () => void;
}

/** Deletes a document after confirmation. */
export function DeleteButton({ document, isInList, onDeleted }: DeleteButtonProps) {
  const { client } = useSession();
  const { id } = document;
  const remove = async () => {
    await client.documents.delete(id);
    onDeleted();
    showToast(messages.deleted, DOCUMENTS_PATH);
  };
  return (
    <ConfirmButton
      label={text.common.delete}
      icon="delete"
      isIconOnly={isInList}
      aria-label={isInList ? messages.deleteOne(id) : text.common.delete}
      title={messages.deleteTitle}
      onConfirm={remove}
    >
      <p>
        <code>{id}</code>
      </p>
      <p>{isUnfinished(document) ? messages.deleteUnfinished : messages.deleteText}</p>
    </ConfirmButton>
  );
}
