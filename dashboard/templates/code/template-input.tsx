import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { classes } from '../../components/classes.ts';
import { singleLine } from './editor-setup.ts';
import { useCodeView, type FindProblems } from './use-code-view.ts';
import styles from './code-editor.module.css';

export interface TemplateInputProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Language and completions. Later changes are ignored. */
  readonly extensions: Extension;
  /** A different signal is ignored. */
  readonly problems?: ReadonlySignal<FindProblems>;
  /** JSON Pointer to the text in the preview request. */
  readonly path?: string;
  readonly readOnly: boolean;
  /** Height in lines without a scrollbar. With one line, line breaks are not allowed. @default 1 */
  readonly lines?: number;
  /** Whether the text is prose. @default false */
  readonly spellcheck?: boolean;
  /** Set by Field, like the two properties below. */
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

/** Field control for text with bindings, which it highlights and completes. Tab moves the focus. */
export function TemplateInput(props: TemplateInputProps) {
  const { value, onChange, extensions, problems, path, readOnly, lines = 1, spellcheck = false } = props;
  const shown = useSignal(value);
  const { parent, view } = useCodeView({
    value: shown,
    onChange,
    extensions: [
      lines === 1 ? singleLine : [],
      EditorView.contentAttributes.of({ spellcheck: String(spellcheck) }),
      extensions,
    ],
    problems,
    path,
    readOnly,
  });
  // Runs before the next key press: an older value must not overwrite it.
  useLayoutEffect(() => void (shown.value = value), [value]);
  const { id = '', 'aria-describedby': describedBy, 'aria-invalid': invalid } = props;
  useLayoutEffect(() => {
    const content = view.value?.contentDOM;
    if (!content) return;
    content.id = id;
    content.setAttribute('aria-labelledby', `${id}-label`);
    content.removeAttribute('aria-describedby');
    if (describedBy !== undefined) content.setAttribute('aria-describedby', describedBy);
    content.setAttribute('aria-invalid', String(invalid ?? false));
  }, [view.value, describedBy, invalid]);
  return (
    <div
      class={classes(styles.editor, styles.input, invalid && styles.invalid)}
      ref={parent}
      style={{ '--lines': String(lines) }}
    />
  );
}
