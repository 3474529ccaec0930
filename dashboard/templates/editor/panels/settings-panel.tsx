import type { TemplateStatus } from '@trifold/client';
import { classes } from '../../../components/classes.ts';
import { CodeBlock } from '../../../components/content/code-block.tsx';
import { Field, Options } from '../../../components/controls/field.tsx';
import { editor as messages, templates as templateTexts } from '../../../messages/template-editor.ts';
import type { PanelProps } from '../draft/edited-template.ts';
import { PanelForm } from './panel-form.tsx';
import styles from '../editor.module.css';

const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 2000;

export function SettingsPanel({ edited, readOnly }: PanelProps) {
  const { name, description, status } = edited.draft.value;
  return (
    <PanelForm label={messages.parts.settings} readOnly={readOnly}>
      <Field label={templateTexts.name} error={name.trim() === '' ? messages.nameMissing : undefined}>
        <input
          value={name}
          maxLength={MAX_NAME_LENGTH}
          required
          onInput={({ currentTarget }) => edited.edit({ name: currentTarget.value })}
        />
      </Field>
      <Field label={messages.description} hint={messages.descriptionHint}>
        <textarea
          rows={3}
          maxLength={MAX_DESCRIPTION_LENGTH}
          value={description}
          onInput={({ currentTarget }) => edited.edit({ description: currentTarget.value })}
        />
      </Field>
      <Field label={templateTexts.status} hint={messages.statusHint}>
        <select
          value={status}
          onChange={({ currentTarget }) => edited.edit({ status: currentTarget.value as TemplateStatus })}
        >
          <Options of={Object.entries(templateTexts.statuses)} />
        </select>
      </Field>
      <div class={classes(styles.id, 'stack')}>
        <h2>{messages.id}</h2>
        <CodeBlock code={edited.id} label={messages.id} />
      </div>
    </PanelForm>
  );
}
