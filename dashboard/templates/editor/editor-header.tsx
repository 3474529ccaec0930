import { useEffect } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Badge } from '../../components/content/badge.tsx';
import { BackLink } from '../../components/content/page.tsx';
import { editor as messages, templates as templatesTexts } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { StatusBadge } from '../status-badge.tsx';
import type { EditedTemplate } from './draft/edited-template.ts';
import { EditorActions } from './editor-actions.tsx';
import type { EditorTasks } from './editor-tasks.ts';
import styles from './editor.module.css';

interface EditorHeaderProps {
  readonly edited: EditedTemplate;
  readonly tasks: EditorTasks;
}

export function EditorHeader({ edited, tasks }: EditorHeaderProps) {
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
        <EditorActions edited={edited} tasks={tasks} />
      </div>
    </header>
  );
}
