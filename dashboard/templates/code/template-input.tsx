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
  /** Language and completions. Later values are ignored. */
  readonly extensions: Extension;
  /** Another signal is ignored. */
  readonly problems?: ReadonlySignal<FindProblems>;
  /** JSON Pointer of the text in the request of a preview. */
  readonly path?: string;
  readonly readOnly: boolean;
  /** Height in lines without a scrollbar. One line takes no line breaks. @default 1 */
  readonly lines?: number;
  /** Whether the text is prose. @default false */
  readonly spellcheck?: boolean;
  /** From Field, as the two below. */
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

/** Control of a Field for a text with bindings, which it highlights and completes. Tab moves the focus on. */
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
  // Before the next key: an older value must not replace what it writes.
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
