import type { Extension } from '@codemirror/state';
import { useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import { text } from '../../messages/text.ts';
import { TemplateInput } from '../code/template-input.tsx';
import { lineTemplate, textTemplate } from '../code/template-language.ts';
import type { EmailDraft } from './draft.ts';
import type { PanelProps } from './editor-parts.tsx';
import { errorsOf, findTextProblems } from './part-problems.ts';
import { bindingsOf } from './template-bindings.ts';

const { editor: messages } = text;

/** The parts of an email besides its HTML. */
export function EmailPanel({ edited, readOnly }: PanelProps) {
  const { email } = edited.draft.value;
  const [line, lines] = useMemo(() => {
    const shape = () => bindingsOf(edited);
    return [lineTemplate(shape), textTemplate(shape)];
  }, []);
  const field = { edited, readOnly };
  return (
    <fieldset class="editor-form stack" disabled={readOnly}>
      <legend class="visually-hidden">{messages.parts.email}</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={email.enabled}
          onChange={({ currentTarget }) => editEmail(edited, { enabled: currentTarget.checked })}
        />
        <span>
          {messages.isEmail} <span class="muted small">{messages.isEmailHint}</span>
        </span>
      </label>
      {email.enabled && (
        <>
          <EmailField
            {...field}
            part="subject"
            label={messages.subject}
            hint={messages.subjectHint}
            language={line}
          />
          <EmailField
            {...field}
            part="preheader"
            label={messages.preheader}
            hint={messages.preheaderHint}
            language={line}
          />
          <EmailField
            {...field}
            part="text"
            label={messages.emailText}
            hint={messages.emailTextHint}
            language={lines}
            lines={10}
          />
        </>
      )}
    </fieldset>
  );
}

interface EmailFieldProps extends PanelProps {
  readonly part: Exclude<keyof EmailDraft, 'enabled'>;
  readonly label: string;
  readonly hint: string;
  readonly language: Extension;
  readonly lines?: number;
}

function EmailField({ edited, readOnly, part, label, hint, language, lines = 1 }: EmailFieldProps) {
  const errors = useComputed(() =>
    errorsOf('email', edited.result.value).filter(({ path }) => path === `/email/${part}`),
  );
  const problems = useComputed(() => findTextProblems(errors.value));
  return (
    <Field label={label} hint={hint} error={errors.value[0]?.message}>
      <TemplateInput
        value={edited.draft.value.email[part]}
        onChange={(written) => editEmail(edited, { [part]: written })}
        extensions={language}
        problems={problems}
        readOnly={readOnly}
        lines={lines}
        spellcheck
      />
    </Field>
  );
}

function editEmail(edited: PanelProps['edited'], members: Partial<EmailDraft>): void {
  edited.edit({ email: { ...edited.draft.value.email, ...members } });
}
