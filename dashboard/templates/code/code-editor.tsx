import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { ReadonlySignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { editor as messages } from '../../messages/template-editor.ts';
import { longTextSetup } from './editor-setup.ts';
import { useCodeView, type FindProblems } from './use-code-view.ts';
import styles from './code-editor.module.css';

interface CodeEditorProps {
  /** Accessible name of the editor. */
  readonly label: string;
  readonly value: ReadonlySignal<string>;
  readonly onChange: (text: string) => void;
  /** Language, completions and other extensions for the text. */
  readonly extensions: Extension;
  readonly problems: ReadonlySignal<FindProblems>;
  /** JSON Pointer to the text in the preview request. */
  readonly path: string;
  /** @default false */
  readonly readOnly?: boolean;
}

/** Multi-line text editor. Tab indents; Escape followed by Tab moves the focus. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, extensions, problems, path, readOnly = false } = props;
  const hintId = useId();
  const { parent } = useCodeView({
    value,
    onChange,
    extensions: [
      longTextSetup,
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': hintId }),
      extensions,
    ],
    problems,
    path,
    readOnly,
  });
  return (
    <>
      <div class={styles.editor} ref={parent} />
      <p class={classes(styles.hint, 'small muted')} id={hintId}>
        {messages.tabHint}
      </p>
    </>
  );
}
