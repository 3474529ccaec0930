import { useSignal } from '@preact/signals';
import { classes } from '../../components/classes.ts';
import { Switch } from '../../components/controls/switch.tsx';
import { preview as messages } from '../../messages/template-pages.ts';
import { useLabel } from './caption.ts';
import { HtmlFrame } from './html-frame.tsx';
import type { ShownPreview } from './use-preview.ts';
import styles from './preview.module.css';

interface EmailViewProps {
  readonly html: string;
  readonly email: ShownPreview['email'];
}

/** An email: its subject, its preview text, and its HTML or its text alternative. */
export function EmailView({ html, email }: EmailViewProps) {
  const label = useLabel(messages.emailParts.text);
  const part = useSignal<keyof typeof messages.emailParts>('html');
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
        choices={messages.emailParts}
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
