import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Choice, Field, Options } from '../../../components/controls/field.tsx';
import { eInvoice as messages } from '../../../messages/e-invoices.ts';
import { editor as editorTexts } from '../../../messages/template-editor.ts';
import { CodeEditor } from '../../code/code-editor.tsx';
import {
  fittedSettings,
  withComparison,
  withEInvoice,
  type EInvoiceDraft,
} from '../../e-invoices/e-invoice-draft.ts';
import { mappingLanguage } from '../../e-invoices/mapping-language.ts';
import { SETTINGS } from '../../e-invoices/terms.ts';
import { useMarks } from '../../problems/find-problems.ts';
import { MAPPING } from '../../problems/problem.ts';
import type { PanelProps } from '../draft/edited-template.ts';
import { bindingsOf } from '../draft/template-bindings.ts';
import { PanelForm } from './panel-form.tsx';
import styles from '../editor.module.css';

/** The e-invoice: its profile, format, syntax and comparison, and the mapping as JSON. */
export function EInvoicePanel({ edited, readOnly }: PanelProps) {
  const { eInvoice } = edited.draft.value;
  const change = (changed: EInvoiceDraft) => edited.edit({ eInvoice: changed });
  return (
    <>
      <PanelForm label={editorTexts.parts.e_invoice} readOnly={readOnly}>
        <Choice
          checked={eInvoice.enabled}
          onChange={({ currentTarget }) => change(withEInvoice(eInvoice, currentTarget.checked))}
        >
          {messages.isEInvoice} <span class="muted small">{messages.isEInvoiceHint}</span>
        </Choice>
        {eInvoice.enabled && <Settings eInvoice={eInvoice} onChange={change} />}
      </PanelForm>
      {eInvoice.enabled && <Mapping edited={edited} readOnly={readOnly} />}
    </>
  );
}

interface SettingsProps {
  readonly eInvoice: EInvoiceDraft;
  readonly onChange: (changed: EInvoiceDraft) => void;
}

/** Changing one setting also changes those that it does not allow. */
function Settings({ eInvoice, onChange }: SettingsProps) {
  const { settings } = eInvoice;
  const { profile, format, syntax } = settings;
  const allowed = SETTINGS[profile];
  const syntaxes = allowed.filter((combination) => combination.format === format);
  const change = (changed: Partial<EInvoiceDraft['settings']>) =>
    onChange({ ...eInvoice, settings: fittedSettings({ ...settings, ...changed }) });
  return (
    <>
      <div class={styles.selects}>
        <Field label={messages.profile}>
          <select
            value={profile}
            onChange={({ currentTarget }) => change({ profile: currentTarget.value as typeof profile })}
          >
            <Options of={Object.entries(messages.profiles)} />
          </select>
        </Field>
        <Field label={messages.format}>
          <select
            value={format}
            onChange={({ currentTarget }) => change({ format: currentTarget.value as typeof format })}
          >
            <Options of={choices(messages.formats, [format, ...allowed.map((each) => each.format)])} />
          </select>
        </Field>
        <Field label={messages.syntax}>
          <select
            value={syntax}
            onChange={({ currentTarget }) => change({ syntax: currentTarget.value as typeof syntax })}
          >
            <Options of={choices(messages.syntaxes, [syntax, ...syntaxes.map((each) => each.syntax)])} />
          </select>
        </Field>
      </div>
      {format === 'factur-x' && (
        <Choice
          checked={settings.compare !== false}
          onChange={({ currentTarget }) => onChange(withComparison(eInvoice, currentTarget.checked))}
        >
          {messages.compare} <span class="muted small">{messages.compareHint}</span>
        </Choice>
      )}
    </>
  );
}

/** Returns the labels of some values, in the order of the labels. */
function choices<Value extends string>(labels: Readonly<Record<Value, string>>, values: readonly Value[]) {
  return (Object.entries(labels) as [Value, string][]).filter(([value]) => values.includes(value));
}

function Mapping({ edited, readOnly }: PanelProps) {
  const value = useComputed(() => edited.draft.value.eInvoice.mapping);
  const problems = useMarks(edited.problems, MAPPING);
  const language = useMemo(
    () =>
      mappingLanguage(
        () => bindingsOf(edited),
        () => edited.draft.peek().eInvoice.settings.profile,
      ),
    [],
  );
  const change = (mapping: string) => edited.edit({ eInvoice: { ...edited.draft.peek().eInvoice, mapping } });
  return (
    <CodeEditor
      label={messages.mapping}
      value={value}
      onChange={change}
      extensions={language}
      path={MAPPING}
      problems={problems}
      readOnly={readOnly}
    />
  );
}
