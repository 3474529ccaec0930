import './code-editor.css';
import { useSignal, type ReadonlySignal } from '@preact/signals';
import { forceLinting, linter, lintGutter, type Diagnostic } from '@codemirror/lint';
import { Annotation, EditorState, StateEffect, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { text } from '../../messages/text.ts';
import { editorSetup } from './editor-setup.ts';

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

/** Marks a change that came from outside of the editor. */
const External = Annotation.define<true>();
const problemsChanged = StateEffect.define();
const LINT_DELAY_MS = 200;

/** A text editor. Tab indents; Escape and then Tab moves the focus on. */
export function CodeEditor(props: CodeEditorProps) {
  const element = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const shown = useSignal<EditorView | undefined>(undefined);
  useEffect(() => {
    if (!element.current) return;
    const view = createView(element.current, props, hintId);
    shown.value = view;
    const stops = [
      props.value.subscribe((value) => replaceText(view, value)),
      props.problems?.subscribe(() => {
        view.dispatch({ effects: problemsChanged.of(null) });
        forceLinting(view);
      }),
    ];
    return () => {
      for (const stop of stops) stop?.();
      view.destroy();
    };
  }, []);
  return (
    <>
      {!props.readOnly && shown.value && props.toolbar?.(shown.value)}
      <div class="code-editor" ref={element} />
      <p class="small muted code-editor-hint" id={hintId}>
        {text.editor.tabHint}
      </p>
    </>
  );
}

function createView(parent: HTMLElement, props: CodeEditorProps, hintId: string): EditorView {
  const { label, value, onChange, extensions, problems, readOnly = false } = props;
  return new EditorView({
    parent,
    doc: value.peek(),
    extensions: [
      editorSetup(),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': hintId }),
      EditorState.readOnly.of(readOnly),
      EditorView.updateListener.of((update) => {
        const isOwn = !update.transactions.some((transaction) => transaction.annotation(External));
        if (update.docChanged && isOwn) onChange(update.state.doc.toString());
      }),
      problems ? showProblems(problems) : [],
      extensions,
    ],
  });
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

function replaceText(view: EditorView, value: string): void {
  const { doc } = view.state;
  if (doc.length === value.length && doc.toString() === value) return;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: value },
    annotations: External.of(true),
  });
}
