import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { text } from '../../messages/text.ts';
import { Button } from '../controls/button.tsx';
import styles from './code-block.module.css';

interface CodeBlockProps {
  readonly code: string;
  /** What it is, for screen readers. */
  readonly label: string;
  /** Whether the button gets the focus when its dialog opens. */
  readonly autofocus?: boolean;
}

/** How long the button shows that the text was copied. */
const SHOWN_MS = 2000;

/**
 * Code or a command, with a button that copies it. Where the browser denies clipboard access, for example on a plain
 * HTTP page, the button selects the text for the user to copy.
 */
export function CodeBlock({ code, label, autofocus }: CodeBlockProps) {
  const element = useRef<HTMLElement>(null);
  const state = useSignal<'copy' | 'copied' | 'selected'>('copy');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      state.value = 'copied';
      setTimeout(() => void (state.value = 'copy'), SHOWN_MS);
    } catch {
      if (element.current) getSelection()?.selectAllChildren(element.current);
      state.value = 'selected';
    }
  };
  return (
    <div class={styles.block}>
      <pre role="region" aria-label={label} tabIndex={0}>
        <code ref={element}>{code}</code>
      </pre>
      <Button
        icon={state.value === 'copied' ? 'check' : 'copy'}
        aria-label={`${text.common.copy}: ${label}`}
        autofocus={autofocus}
        onClick={() => void copy()}
      >
        <span aria-live="polite">{text.common[state.value]}</span>
      </Button>
    </div>
  );
}
