import { useSignal } from '@preact/signals';
import type { CompiledEmail } from '@trifold/client';
import { classes } from '../components/classes.ts';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Button } from '../components/controls/button.tsx';
import { Switch } from '../components/controls/switch.tsx';
import { ErrorNotice } from '../components/notices/notice.tsx';
import { useAction } from '../loading/action.ts';
import { emails as messages } from '../messages/emails.ts';
import { useSession } from '../session/session.ts';
import { theme, type Theme } from '../shell/theme.ts';
import { HtmlFrame } from '../templates/preview/html-frame.tsx';
import type { Data } from './email-form.tsx';
import styles from './emails.module.css';

interface EmailResultProps {
  readonly email: Pick<CompiledEmail, 'subject' | 'preheader' | 'html' | 'text'>;
  readonly templateId: string;
  readonly data: Data;
}

/** An email as inboxes show it, as plain text, and as providers expect it. */
export function EmailResult({ email, templateId, data }: EmailResultProps) {
  return (
    <>
      <section class={classes(styles.part, 'stack')}>
        <h2>{messages.email}</h2>
        <dl class={styles.parts}>
          <dt>{messages.subject}</dt>
          <dd>{email.subject}</dd>
          <dt>{messages.preheader}</dt>
          <dd>{email.preheader || <span class="muted">{messages.none}</span>}</dd>
        </dl>
        <InboxView html={email.html} />
      </section>
      <section class={classes(styles.part, 'stack')}>
        <h2>{messages.textAlternative}</h2>
        <CodeBlock code={email.text} label={messages.textAlternative} />
      </section>
      <Payloads key={JSON.stringify(data)} templateId={templateId} data={data} />
    </>
  );
}

type Width = keyof typeof messages.widths;

/**
 * An email's HTML in the width and theme of an inbox. The theme is the frame's color scheme, which its media queries
 * match.
 */
function InboxView({ html }: { readonly html: string }) {
  const width = useSignal<Width>('wide');
  const inboxTheme = useSignal<Theme>(theme.value);
  return (
    <div class="stack">
      <div class="row">
        <Switch
          label={messages.width}
          choices={messages.widths}
          value={width.value}
          onChange={(value) => void (width.value = value)}
        />
        <Switch
          label={messages.theme}
          choices={messages.themes}
          value={inboxTheme.value}
          onChange={(value) => void (inboxTheme.value = value)}
        />
      </div>
      <div
        class={classes(styles.inbox, styles[width.value], styles[inboxTheme.value])}
        role="region"
        aria-label={messages.email}
        tabIndex={0}
      >
        <HtmlFrame html={html} />
      </div>
      <p class="small muted">
        {messages.themeNote} {messages.imagesNote}
      </p>
    </div>
  );
}

type Provider = keyof CompiledEmail['providers'];

/** The requests to providers. They are compiled only on a button press: a compiled email counts as usage. */
function Payloads({ templateId, data }: Omit<EmailResultProps, 'email'>) {
  const { client } = useSession();
  const provider = useSignal<Provider>('resend');
  const compiled = useSignal<CompiledEmail | undefined>(undefined);
  const compile = useAction(async () => {
    compiled.value = await client.emails.compile({ template_id: templateId, data });
  });
  return (
    <section class={classes(styles.part, 'stack')}>
      <div>
        <h2>{messages.payloads}</h2>
        <p class="muted">{messages.payloadsLead}</p>
      </div>
      {compiled.value ? (
        <>
          <Switch
            label={messages.provider}
            choices={messages.providers}
            value={provider.value}
            onChange={(value) => void (provider.value = value)}
          />
          <CodeBlock
            code={JSON.stringify(compiled.value.providers[provider.value], null, 2)}
            label={messages.payloadOf(messages.providers[provider.value])}
          />
        </>
      ) : (
        <div class="row">
          <Button busy={compile.running.value} onClick={() => compile.run()}>
            {messages.compile}
          </Button>
          <span class="small muted">{messages.compileNote}</span>
        </div>
      )}
      <ErrorNotice error={compile.error.value} />
    </section>
  );
}
