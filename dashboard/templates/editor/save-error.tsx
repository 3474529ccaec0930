import { useSignal, useSignalEffect } from '@preact/signals';
import { ConflictError, type Template } from '@trifold/client';
import { Button } from '../../components/controls/button.tsx';
import { formatAgo } from '../../components/format.ts';
import { Dialog, DialogActions } from '../../components/notices/dialog.tsx';
import { Loading } from '../../components/notices/loading.tsx';
import { ErrorNotice, Notice } from '../../components/notices/notice.tsx';
import type { Action } from '../../loading/action.ts';
import { useResource } from '../../loading/resource.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { historyPath } from '../paths.ts';
import { changedParts, draftOf, partOfPath } from './draft/draft.ts';
import { InvalidPartError, type EditedTemplate } from './draft/edited-template.ts';

interface SaveErrorProps {
  readonly error: unknown;
  /** Whether this browser has stored the changes. */
  readonly isKept: boolean;
}

/** The reason that the last save failed, and whether the changes are safe. A version conflict opens a dialog. */
export function SaveError({ error, isKept }: SaveErrorProps) {
  return (
    <>
      {error instanceof InvalidPartError ? (
        <Notice kind="danger">{error.message}</Notice>
      ) : (
        error !== undefined && !isVersionConflict(error) && <ErrorNotice error={error} labelOf={labelOf} />
      )}
      {!isKept && <Notice kind="warning">{messages.notKept}</Notice>}
    </>
  );
}

/** For example "Options, margins.top". */
function labelOf(path: string): string | undefined {
  const part = partOfPath(path);
  const [, , ...names] = path.split('/');
  return part && [messages.parts[part], names.join('.')].filter(Boolean).join(', ');
}

function isVersionConflict(error: unknown): boolean {
  return error instanceof ConflictError && error.code === 'version_conflict';
}

interface ConflictDialogProps {
  readonly edited: EditedTemplate;
  readonly save: Action<[over?: Template]>;
}

/** Shown when another user saved first: the user decides whose template to keep. */
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
      <DialogActions>
        <Button onClick={onClose}>{text.common.cancel}</Button>
        <Button onClick={useTheirs}>{messages.useTheirs}</Button>
        <Button kind="danger" busy={save.running.value} onClick={() => save.run(template)}>
          {messages.overwrite}
        </Button>
      </DialogActions>
    </>
  );
}
