import { useSignal } from '@preact/signals';
import type { CompiledEmail } from '@trifold/client';
import { classes } from '../components/classes.ts';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Switch, type Choice } from '../components/controls/switch.tsx';
import { emails as messages } from '../messages/emails.ts';
import { theme, type Theme } from '../shell/theme.ts';
import { HtmlFrame } from '../templates/preview/html-frame.tsx';
import styles from './emails.module.css';

type Provider = keyof CompiledEmail['providers'];

const PROVIDERS = choicesOf<Provider>(messages.providers);

/** A compiled email: as inboxes show it, as plain text, and as requests to providers. */
export function EmailResult({ email }: { readonly email: CompiledEmail }) {
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
      <Payloads providers={email.providers} />
    </>
  );
}

function Payloads({ providers }: Pick<CompiledEmail, 'providers'>) {
  const provider = useSignal<Provider>('resend');
  return (
    <section class={classes(styles.part, 'stack')}>
      <div>
        <h2>{messages.payloads}</h2>
        <p class="muted">{messages.payloadsLead}</p>
      </div>
      <Switch
        label={messages.provider}
        choices={PROVIDERS}
        value={provider.value}
        onChange={(value) => void (provider.value = value)}
      />
      <CodeBlock
        code={JSON.stringify(providers[provider.value], null, 2)}
        label={messages.payloadOf(messages.providers[provider.value])}
      />
    </section>
  );
}

type Width = keyof typeof messages.widths;

const WIDTHS = choicesOf<Width>(messages.widths);
const THEMES = choicesOf<Theme>(messages.themes);

/**
 * The HTML of an email in the width and the theme of an inbox. The theme is the colour scheme of the frame, which media
 * queries in it match.
 */
function InboxView({ html }: { readonly html: string }) {
  const width = useSignal<Width>('wide');
  const inboxTheme = useSignal<Theme>(theme.value);
  return (
    <div class="stack">
      <div class="row">
        <Switch
          label={messages.width}
          choices={WIDTHS}
          value={width.value}
          onChange={(value) => void (width.value = value)}
        />
        <Switch
          label={messages.theme}
          choices={THEMES}
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

function choicesOf<Value extends string>(labels: Readonly<Record<Value, string>>): readonly Choice<Value>[] {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
}
