import { text } from '../../messages/text.ts';
import { Button } from '../controls/button.tsx';
import { useCopy } from './use-copy.ts';
import styles from './code-block.module.css';

interface CodeBlockProps {
  readonly code: string;
  /** Accessible name of the code block. */
  readonly label: string;
  /** Whether the button gets the focus when its dialog opens. */
  readonly autofocus?: boolean;
}

/**
 * Code or a command, with a button that copies it. Where the browser denies clipboard access, for example on a plain
 * HTTP page, the button selects the text for the user to copy.
 */
export function CodeBlock({ code, label, autofocus }: CodeBlockProps) {
  const { element, state, copy } = useCopy<HTMLElement>(code);
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
