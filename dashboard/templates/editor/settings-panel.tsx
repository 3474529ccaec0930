import type { TemplateStatus } from '@trifold/client';
import { CodeBlock } from '../../components/code-block.tsx';
import { Field } from '../../components/field.tsx';
import { editor as messages, templates as templateTexts } from '../../messages/template-editor.ts';
import type { PanelProps } from './edited-template.ts';

const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 2000;

export function SettingsPanel({ edited, readOnly }: PanelProps) {
  const { name, description, status } = edited.draft.value;
  return (
    <fieldset class="editor-form stack" disabled={readOnly}>
      <legend class="visually-hidden">{messages.parts.settings}</legend>
      <Field label={templateTexts.name} error={name.trim() === '' ? messages.nameMissing : undefined}>
        <input
          value={name}
          maxLength={LONGEST_NAME}
          required
          onInput={({ currentTarget }) => edited.edit({ name: currentTarget.value })}
        />
      </Field>
      <Field label={messages.description} hint={messages.descriptionHint}>
        <textarea
          rows={3}
          maxLength={LONGEST_DESCRIPTION}
          value={description}
          onInput={({ currentTarget }) => edited.edit({ description: currentTarget.value })}
        />
      </Field>
      <Field label={templateTexts.status} hint={messages.statusHint}>
        <select
          value={status}
          onChange={({ currentTarget }) => edited.edit({ status: currentTarget.value as TemplateStatus })}
        >
          {Object.entries(templateTexts.statuses).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <div class="stack settings-id">
        <h2>{messages.id}</h2>
        <CodeBlock code={edited.id} label={messages.id} />
      </div>
    </fieldset>
  );
}
