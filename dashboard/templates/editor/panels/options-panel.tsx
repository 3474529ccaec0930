import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { panelAttributes, Tabs } from '../../../components/controls/tabs.tsx';
import { Notice } from '../../../components/notices/notice.tsx';
import { options as messages } from '../../../messages/template-editor.ts';
import { htmlTemplate, jsonTemplate } from '../../code/template-language.ts';
import { parseObject } from '../../json-text.ts';
import { isShownAtField, OptionsForm } from '../../options/options-form.tsx';
import type { PanelProps } from '../draft/edited-template.ts';
import { errorsOf } from '../draft/part-problems.ts';
import { pageBindingsOf } from '../draft/template-bindings.ts';
import { TextPanel } from './text-panels.tsx';
import styles from '../editor.module.css';

const PREFIX = 'options';
const VIEWS = [
  { id: 'form', label: messages.form },
  { id: 'json', label: messages.json },
] as const;

/** The default options: as a form, and as the JSON that the form writes. */
export function OptionsPanel(props: PanelProps) {
  const view = useSignal<'form' | 'json'>('form');
  return (
    <>
      <Tabs label={messages.views} tabs={VIEWS} selected={view} prefix={PREFIX} />
      <div class={styles.panel} {...panelAttributes(PREFIX, 'form', view.value)}>
        <FormView {...props} />
      </div>
      <div class={styles.panel} {...panelAttributes(PREFIX, 'json', view.value)}>
        <JsonView {...props} />
      </div>
    </>
  );
}

function FormView({ edited, readOnly }: PanelProps) {
  const parsed = parseObject(edited.draft.value.options);
  const language = useMemo(() => htmlTemplate(() => pageBindingsOf(edited)), []);
  const errors = useComputed(() => errorsOf('options', edited.result.value));
  if ('problem' in parsed) return <Notice kind="danger">{messages.invalid(parsed.problem)}</Notice>;
  const options = parsed.value ?? {};
  return (
    <>
      {errors.value
        .filter(({ path }) => !isShownAtField(options, path))
        .map(({ path, message }) => (
          <Notice kind="danger" key={`${path} ${message}`}>
            {message}
          </Notice>
        ))}
      <OptionsForm
        options={options}
        errors={errors}
        onChange={(json) => edited.edit({ options: json })}
        readOnly={readOnly}
        language={language}
      />
    </>
  );
}

function JsonView(props: PanelProps) {
  const language = useMemo(() => jsonTemplate(() => pageBindingsOf(props.edited)), []);
  return <TextPanel {...props} part="options" extensions={language} />;
}
