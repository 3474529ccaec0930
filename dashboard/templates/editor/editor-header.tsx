import type { Template } from '@trifold/client';
import { useEffect } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { Badge } from '../../components/content/badge.tsx';
import { Button, ButtonLink } from '../../components/controls/button.tsx';
import type { Action } from '../../loading/action.ts';
import { editor as messages, templates as templatesTexts } from '../../messages/template-editor.ts';
import { text } from '../../messages/text.ts';
import { historyPath } from '../paths.ts';
import { StatusBadge } from '../status-badge.tsx';
import type { EditedTemplate } from './draft/edited-template.ts';
import styles from './editor.module.css';

interface EditorHeaderProps {
  readonly edited: EditedTemplate;
  readonly mayWrite: boolean;
  readonly save: Action<[over?: Template]>;
}

export function EditorHeader({ edited, mayWrite, save }: EditorHeaderProps) {
  const { id, status, version, published_version } = edited.saved.value;
  const { name } = edited.draft.value;
  useEffect(() => {
    document.title = `${name} · ${text.common.appName}`;
  }, [name]);
  return (
    <header class={styles.header}>
      <div class={styles.title}>
        <a href="/dashboard/templates">{templatesTexts.title}</a>
        <span class="muted" aria-hidden="true">
          /
        </span>
        <h1>{name}</h1>
      </div>
      <div class="row">
        <StatusBadge status={status} />
        <Badge>{messages.version(version)}</Badge>
        {published_version !== undefined && (
          <Badge kind="info">{messages.published(published_version)}</Badge>
        )}
        {!mayWrite && (
          <span title={text.errors.forbidden('templates:write')}>
            <Badge>{text.session.readOnly}</Badge>
          </span>
        )}
        {edited.isChanged.value && <Badge kind="warning">{messages.unsaved}</Badge>}
      </div>
      <div class={classes(styles.actions, 'row')}>
        <ButtonLink icon="history" href={historyPath(id)}>
          {messages.history}
        </ButtonLink>
        {mayWrite && (
          <Button
            kind="primary"
            busy={save.running.value}
            aria-keyshortcuts="Control+S Meta+S"
            onClick={() => save.run()}
          >
            {text.common.save}
          </Button>
        )}
      </div>
    </header>
  );
}
