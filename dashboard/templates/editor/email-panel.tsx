import { Field } from '../../components/field.tsx';
import { text } from '../../messages/text.ts';
import type { EmailDraft } from './draft.ts';
import type { PanelProps } from './editor-parts.tsx';
import { errorsOf } from './part-problems.ts';

const { editor: messages } = text;

/** The parts of an email besides its HTML. */
export function EmailPanel({ edited, readOnly }: PanelProps) {
  const { email } = edited.draft.value;
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
            <input
              value={email.subject}
              onInput={({ currentTarget }) => change({ subject: currentTarget.value })}
            />
          </Field>
          <Field label={messages.preheader} hint={messages.preheaderHint} error={errorOf('preheader')}>
            <input
              value={email.preheader}
              onInput={({ currentTarget }) => change({ preheader: currentTarget.value })}
            />
          </Field>
          <Field label={messages.emailText} hint={messages.emailTextHint} error={errorOf('text')}>
            <textarea
              rows={10}
              value={email.text}
              onInput={({ currentTarget }) => change({ text: currentTarget.value })}
            />
          </Field>
        </>
      )}
    </fieldset>
  );
}
