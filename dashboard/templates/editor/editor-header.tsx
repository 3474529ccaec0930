import { useEffect } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Badge } from '../../components/content/badge.tsx';
import { BackLink } from '../../components/content/page.tsx';
import { Button, ButtonLink } from '../../components/controls/button.tsx';
import { editor as messages, templates as templatesTexts } from '../../messages/template-editor.ts';
import { history as historyTexts } from '../../messages/template-pages.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { StatusBadge } from '../status-badge.tsx';
import { historyPath } from '../paths.ts';
import type { EditorProps } from './editor-tasks.ts';
import styles from './editor.module.css';

export function EditorHeader({ edited, tasks }: EditorProps) {
  const { allows } = useSession();
  const { status, version, published_version } = edited.saved.value;
  const { name } = edited.draft.value;
  useEffect(() => {
    document.title = `${name} · ${text.common.appName}`;
  }, [name]);
  return (
    <header class={styles.header}>
      <div class={styles.title}>
        <BackLink path="/dashboard/templates" title={templatesTexts.title} />
        <h1>{name}</h1>
      </div>
      <div class="row">
        <StatusBadge status={status} />
        <Badge>{messages.version(version)}</Badge>
        {published_version !== undefined && (
          <Badge kind="info">{messages.published(published_version)}</Badge>
        )}
        {!allows('templates:write') && (
          <span title={text.errors.forbidden('templates:write')}>
            <Badge>{text.session.readOnly}</Badge>
          </span>
        )}
        {edited.isChanged.value && <Badge kind="warning">{messages.unsaved}</Badge>}
      </div>
      <div class={classes(styles.actions, 'row')}>
        <Actions edited={edited} tasks={tasks} />
      </div>
    </header>
  );
}

/** Template actions: call the API, generate a document, publish and save. */
function Actions({ edited, tasks }: EditorProps) {
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
