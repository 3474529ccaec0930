import './code-editor.css';
import type { ReadonlySignal } from '@preact/signals';
import { forceLinting, linter, lintGutter, type Diagnostic } from '@codemirror/lint';
import { StateEffect, type EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { ComponentChildren } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { text } from '../../messages/text.ts';
import { longTextSetup } from './editor-setup.ts';
import { useCodeView } from './use-code-view.ts';

/** Returns the problems of the text in an editor. */
export type FindProblems = (state: EditorState) => readonly Diagnostic[];

interface CodeEditorProps {
  /** What the text is, for screen readers. */
  readonly label: string;
  readonly value: ReadonlySignal<string>;
  readonly onChange: (text: string) => void;
  /** Language, completions and what else the text needs. */
  readonly extensions: Extension;
  /** Problems of the text. They are shown again when the signal or the text changes. */
  readonly problems?: ReadonlySignal<FindProblems>;
  /** @default false */
  readonly readOnly?: boolean;
  /** What is above the text while it can be changed. */
  readonly toolbar?: (view: EditorView) => ComponentChildren;
}

const problemsChanged = StateEffect.define();
const LINT_DELAY_MS = 200;

/** Editor of a long text. Tab indents; Escape and then Tab moves the focus on. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, onChange, extensions, problems, readOnly = false, toolbar } = props;
  const hintId = useId();
  const { parent, view } = useCodeView({
    value,
    onChange,
    extensions: [
      longTextSetup,
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': hintId }),
      problems ? showProblems(problems) : [],
      extensions,
    ],
    readOnly,
  });
  useEffect(() => {
    const shown = view.value;
    if (!shown) return undefined;
    return problems?.subscribe(() => {
      shown.dispatch({ effects: problemsChanged.of(null) });
      forceLinting(shown);
    });
  }, [view.value]);
  return (
    <>
      {!readOnly && view.value && toolbar?.(view.value)}
      <div class="code-editor" ref={parent} />
      <p class="small muted code-editor-hint" id={hintId}>
        {text.editor.tabHint}
      </p>
    </>
  );
}

function showProblems(problems: ReadonlySignal<FindProblems>): Extension {
  return [
    lintGutter(),
    linter(({ state }) => problems.peek()(state), {
      delay: LINT_DELAY_MS,
      needsRefresh: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(problemsChanged))),
    }),
  ];
}
