import { useSignal } from '@preact/signals';
import type { CompiledEmail } from '@trifold/client';
import type { ComponentChildren } from 'preact';
import { classes } from '../components/classes.ts';
import { CodeBlock } from '../components/content/code-block.tsx';
import { Switch } from '../components/controls/switch.tsx';
import { emails as messages } from '../messages/emails.ts';
import { theme, type Theme } from '../shell/theme.ts';
import { HtmlFrame } from '../templates/preview/html-frame.tsx';
import styles from './emails.module.css';

interface EmailResultProps {
  readonly email: Pick<CompiledEmail, 'subject' | 'preheader' | 'html' | 'text'>;
  /** More sections. */
  readonly children: ComponentChildren;
}

/** An email as inboxes show it, and as plain text. */
export function EmailResult({ email, children }: EmailResultProps) {
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
      {children}
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
