import { Button, ButtonLink } from '../../components/controls/button.tsx';
import { editor as messages } from '../../messages/template-editor.ts';
import { history as historyTexts } from '../../messages/template-pages.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { historyPath } from '../paths.ts';
import type { EditedTemplate } from './draft/edited-template.ts';
import type { EditorTasks } from './editor-tasks.ts';

interface EditorActionsProps {
  readonly edited: EditedTemplate;
  readonly tasks: EditorTasks;
}

/** Template actions: call the API, generate a document, publish and save. */
export function EditorActions({ edited, tasks }: EditorActionsProps) {
  const { allows, signedIn } = useSession();
  const { save, savedFor } = tasks;
  const isBusy = (what: typeof savedFor.value) => save.running.value && savedFor.value === what;
  return (
    <>
      <ButtonLink icon="history" href={historyPath(edited.id)}>
        <span>{messages.history}</span>
      </ButtonLink>
      <Button onClick={() => void (tasks.shown.value = 'call')}>{messages.apiCall}</Button>
      {allows('templates:write') && (
        <>
          {allows('documents:generate') && (
            <Button busy={isBusy('generate')} title={messages.generateHint} onClick={tasks.generate}>
              {signedIn.value?.key.type === 'test' ? messages.generateTest : messages.generate}
            </Button>
          )}
          <Button onClick={tasks.askPublish}>{historyTexts.publish}</Button>
          <Button
            kind="primary"
            busy={isBusy('save')}
            aria-keyshortcuts="Control+S Meta+S"
            onClick={tasks.startSave}
          >
            {text.common.save}
          </Button>
        </>
      )}
    </>
  );
}
