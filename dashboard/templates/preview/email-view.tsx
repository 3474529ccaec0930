import { useSignal } from '@preact/signals';
import { classes } from '../../components/classes.ts';
import { Switch } from '../../components/controls/switch.tsx';
import { preview as messages } from '../../messages/template-pages.ts';
import { useLabel } from './caption.ts';
import { HtmlFrame } from './html-frame.tsx';
import type { ShownPreview } from './use-preview.ts';
import styles from './preview.module.css';

const PARTS = [
  { value: 'html', label: messages.emailHtml },
  { value: 'text', label: messages.emailText },
] as const;

interface EmailViewProps {
  readonly html: string;
  readonly email: ShownPreview['email'];
}

/** An email: its subject, its preview text, and its HTML or its text alternative. */
export function EmailView({ html, email }: EmailViewProps) {
  const label = useLabel(messages.emailText);
  const part = useSignal<'html' | 'text'>('html');
  return (
    <div class={styles.email}>
      <dl>
        <dt>{messages.subject}</dt>
        <dd>{email?.subject}</dd>
        <dt>{messages.preheader}</dt>
        <dd>{email?.preheader}</dd>
      </dl>
      <Switch
        label={messages.emailPart}
        choices={PARTS}
        value={part.value}
        onChange={(value) => void (part.value = value)}
      />
      {part.value === 'html' ? (
        <HtmlFrame html={html} />
      ) : (
        <pre class={classes(styles.scroll, styles.text)} role="region" aria-label={label} tabIndex={0}>
          {email?.text}
        </pre>
      )}
    </div>
  );
}
