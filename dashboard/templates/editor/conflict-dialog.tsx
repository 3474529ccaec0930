import { useSignal, useSignalEffect } from '@preact/signals';
import type { Template } from '@trifold/client';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { formatAgo } from '../../components/format.ts';
import { Loading } from '../../components/loading.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import type { Action } from '../../loading/action.ts';
import { useResource } from '../../loading/resource.ts';
import { historyPath } from '../paths.ts';
import { changedParts, draftOf } from './draft.ts';
import type { EditedTemplate } from './edited-template.ts';
import { isVersionConflict } from './save-error.tsx';

interface ConflictDialogProps {
  readonly edited: EditedTemplate;
  readonly save: Action<[over?: Template]>;
}

/** Shown when somebody else saved first: the person decides whose template stays. */
export function ConflictDialog({ edited, save }: ConflictDialogProps) {
  const isOpen = useSignal(false);
  useSignalEffect(() => void (isOpen.value = isVersionConflict(save.error.value)));
  if (!isOpen.value) return null;
  const close = () => void (isOpen.value = false);
  return (
    <Dialog title={messages.conflictTitle} onClose={close}>
      <Choice edited={edited} save={save} onClose={close} />
    </Dialog>
  );
}

function Choice({ edited, save, onClose }: ConflictDialogProps & { readonly onClose: () => void }) {
  const { client } = useSession();
  const theirs = useResource(async (signal) => client.templates.get(edited.id, { signal }));
  if (theirs.error.value) return <ErrorNotice error={theirs.error.value} onRetry={theirs.reload} />;
  const template = theirs.value.value;
  if (!template) return <Loading />;
  const parts = [...changedParts(draftOf(template), draftOf(edited.saved.value))];
  const useTheirs = () => {
    edited.replace(template);
    onClose();
  };
  return (
    <>
      <p>{messages.conflictText(template.version, formatAgo(template.updated_at))}</p>
      {parts.length > 0 && (
        <p>{messages.conflictParts(parts.map((part) => messages.parts[part]).join(', '))}</p>
      )}
      <p>
        <a href={historyPath(edited.id, template.version)} target="_blank" rel="noreferrer">
          {messages.seeTheirs}
        </a>
      </p>
      <div class="dialog-actions">
        <Button onClick={onClose}>{text.common.cancel}</Button>
        <Button onClick={useTheirs}>{messages.useTheirs}</Button>
        <Button kind="danger" busy={save.running.value} onClick={() => save.run(template)}>
          {messages.overwrite}
        </Button>
      </div>
    </>
  );
}
