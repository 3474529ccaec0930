import { useMemo } from 'preact/hooks';
import { Choice } from '../../../components/controls/field.tsx';
import { editor as messages } from '../../../messages/template-editor.ts';
import { lineTemplate, textTemplate } from '../../code/template-language.ts';
import type { EmailDraft } from '../draft/draft.ts';
import type { PanelProps } from '../draft/edited-template.ts';
import { bindingsOf } from '../draft/template-bindings.ts';
import { PanelForm } from './panel-form.tsx';
import { TemplateField } from './template-field.tsx';

/** The parts of an email other than its HTML. */
export function EmailPanel({ edited, readOnly }: PanelProps) {
  const { email } = edited.draft.value;
  const [line, lines] = useMemo(() => {
    const shape = () => bindingsOf(edited);
    return [lineTemplate(shape), textTemplate(shape)];
  }, []);
  const field = (part: Exclude<keyof EmailDraft, 'enabled'>, label: string) => ({
    label,
    problems: edited.problems,
    path: `/email/${part}`,
    value: email[part],
    onChange: (written: string) => editEmail(edited, { [part]: written }),
    readOnly,
    spellcheck: true,
  });
  return (
    <PanelForm label={messages.parts.email} readOnly={readOnly}>
      <Choice
        checked={email.enabled}
        onChange={({ currentTarget }) => editEmail(edited, { enabled: currentTarget.checked })}
      >
        {messages.isEmail} <span class="muted small">{messages.isEmailHint}</span>
      </Choice>
      {email.enabled && (
        <>
          <TemplateField
            {...field('subject', messages.subject)}
            hint={messages.subjectHint}
            extensions={line}
          />
          <TemplateField
            {...field('preheader', messages.preheader)}
            hint={messages.preheaderHint}
            extensions={line}
          />
          <TemplateField
            {...field('text', messages.emailText)}
            hint={messages.emailTextHint}
            extensions={lines}
            lines={10}
          />
        </>
      )}
    </PanelForm>
  );
}

function editEmail(edited: PanelProps['edited'], members: Partial<EmailDraft>): void {
  edited.edit({ email: { ...edited.draft.value.email, ...members } });
}
