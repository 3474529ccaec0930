import { useMemo } from 'preact/hooks';
import { Field } from '../../components/field.tsx';
import { text } from '../../messages/text.ts';
import { TemplateInput } from '../code/template-input.tsx';
import { lineTemplate, textTemplate } from '../code/template-language.ts';
import type { EmailDraft } from './draft.ts';
import type { PanelProps } from './editor-parts.tsx';
import { errorsOf } from './part-problems.ts';
import { bindingsOf } from './template-bindings.ts';

const { editor: messages } = text;

/** The parts of an email besides its HTML. */
export function EmailPanel({ edited, readOnly }: PanelProps) {
  const { email } = edited.draft.value;
  const [line, lines] = useMemo(() => {
    const shape = () => bindingsOf(edited);
    return [lineTemplate(shape), textTemplate(shape)];
  }, []);
  const change = (members: Partial<EmailDraft>) => edited.edit({ email: { ...email, ...members } });
  const errors = errorsOf('email', edited.result.value);
  const errorOf = (member: string) => errors.find(({ path }) => path === `/email/${member}`)?.message;
  return (
    <fieldset class="editor-form stack" disabled={readOnly}>
      <legend class="visually-hidden">{messages.parts.email}</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={email.enabled}
          onChange={({ currentTarget }) => change({ enabled: currentTarget.checked })}
        />
        <span>
          {messages.isEmail} <span class="muted small">{messages.isEmailHint}</span>
        </span>
      </label>
      {email.enabled && (
        <>
          <Field label={messages.subject} hint={messages.subjectHint} error={errorOf('subject')}>
            <TemplateInput
              value={email.subject}
              onChange={(subject) => change({ subject })}
              extensions={line}
              readOnly={readOnly}
              spellcheck
            />
          </Field>
          <Field label={messages.preheader} hint={messages.preheaderHint} error={errorOf('preheader')}>
            <TemplateInput
              value={email.preheader}
              onChange={(preheader) => change({ preheader })}
              extensions={line}
              readOnly={readOnly}
              spellcheck
            />
          </Field>
          <Field label={messages.emailText} hint={messages.emailTextHint} error={errorOf('text')}>
            <TemplateInput
              value={email.text}
              onChange={(written) => change({ text: written })}
              extensions={lines}
              readOnly={readOnly}
              lines={10}
              spellcheck
            />
          </Field>
        </>
      )}
    </fieldset>
  );
}
