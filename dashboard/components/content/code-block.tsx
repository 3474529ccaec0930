import { useSignal } from '@preact/signals';
import { text } from '../../messages/text.ts';
import { Button } from '../controls/button.tsx';
import styles from './code-block.module.css';

/** Code or a command, with a button that copies it. `label`: what it is, for screen readers. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div class={styles.block}>
      <pre role="region" aria-label={label} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton value={code} label={label} />
    </div>
  );
}

const SHOWN_MS = 2000;

/** Copies a text, and says so for two seconds. `label`: what it copies, for screen readers. */
function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    copied.value = true;
    setTimeout(() => void (copied.value = false), SHOWN_MS);
  };
  return (
    <Button aria-label={`${text.common.copy}: ${label}`} onClick={() => void copy()}>
      <span aria-live="polite">{copied.value ? text.common.copied : text.common.copy}</span>
    </Button>
  );
}
