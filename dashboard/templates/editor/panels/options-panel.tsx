import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { panelAttributes, Tabs } from '../../../components/controls/tabs.tsx';
import { Notice } from '../../../components/notices/notice.tsx';
import { options as messages } from '../../../messages/template-editor.ts';
import { htmlTemplate, jsonTemplate } from '../../code/template-language.ts';
import { parseObject } from '../../json-text.ts';
import { OptionsForm } from '../../options/options-form.tsx';
import type { PanelProps } from '../draft/edited-template.ts';
import { pageBindingsOf } from '../draft/template-bindings.ts';
import { TextPanel } from './text-panels.tsx';
import styles from '../editor.module.css';

const PREFIX = 'options';
const VIEWS = [
  { id: 'form', label: messages.form },
  { id: 'json', label: messages.json },
] as const;

type View = 'form' | 'json';

/** The default options: as a form and as the JSON that the form writes. */
export function OptionsPanel(props: PanelProps) {
  const view = useSignal<View>('form');
  useEffect(() => showWanted(props.edited, view), []);
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

/** Shows header and footer strings in the form, and other options in the JSON. */
function showWanted({ link }: PanelProps['edited'], view: Signal<View>): () => void {
  return link.revealTarget.subscribe((place) => {
    if (place?.path === '/default_options') view.value = 'json';
    else if (place?.path.startsWith('/default_options/')) view.value = 'form';
  });
}

function FormView({ edited, readOnly }: PanelProps) {
  const parsed = parseObject(edited.draft.value.options);
  const language = useMemo(() => htmlTemplate(() => pageBindingsOf(edited)), []);
  if ('problem' in parsed) return <Notice kind="danger">{messages.invalid(parsed.problem)}</Notice>;
  return (
    <OptionsForm
      options={parsed.value ?? {}}
      problems={edited.problems}
      onChange={(json) => edited.edit({ options: json })}
      readOnly={readOnly}
      extensions={language}
    />
  );
}

function JsonView(props: PanelProps) {
  const language = useMemo(() => jsonTemplate(() => pageBindingsOf(props.edited)), []);
  return <TextPanel {...props} part="options" extensions={language} />;
}
