import { forceLinting, linter, type Diagnostic } from '@codemirror/lint';
import { Annotation, EditorState, StateEffect, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { editorSetup } from './editor-setup.ts';

interface CodeViewOptions {
  readonly value: ReadonlySignal<string>;
  readonly onChange: (text: string) => void;
  /** Added to the setup of every editor. Later values are ignored. */
  readonly extensions: Extension;
  /** Shown again when the signal or the text changes. Another signal is ignored. */
  readonly problems?: ReadonlySignal<FindProblems> | undefined;
  readonly readOnly: boolean;
}

interface CodeView {
  /** Element that contains the editor. */
  readonly parent: RefObject<HTMLDivElement | null>;
  /** Undefined before the first effect. */
  readonly view: ReadonlySignal<EditorView | undefined>;
}

/** Marks a change that came from outside of the editor. */
const External = Annotation.define<true>();

/** Shows a text editor in an element. It follows the value. */
export function useCodeView(options: CodeViewOptions): CodeView {
  const parent = useRef<HTMLDivElement>(null);
  const view = useSignal<EditorView | undefined>(undefined);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (!parent.current) return;
    const { value, extensions, problems, readOnly } = options;
    const created = new EditorView({
      parent: parent.current,
      doc: value.peek(),
      extensions: [
        editorSetup(),
        problems ? showProblems(problems) : [],
        extensions,
        EditorState.readOnly.of(readOnly),
        EditorView.updateListener.of((update) => {
          const isOwn = !update.transactions.some((transaction) => transaction.annotation(External));
          if (update.docChanged && isOwn) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    view.value = created;
    const stops = [
      value.subscribe((text) => replaceText(created, text)),
      problems?.subscribe(() => refreshProblems(created)),
    ];
    return () => {
      for (const stop of stops) stop?.();
      created.destroy();
    };
  }, []);
  return { parent, view };
}

function replaceText(view: EditorView, value: string): void {
  const { doc } = view.state;
  if (doc.length === value.length && doc.toString() === value) return;
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: value },
    annotations: External.of(true),
  });
}

/** Returns the problems of the text in an editor. */
export type FindProblems = (state: EditorState) => readonly Diagnostic[];

const problemsChanged = StateEffect.define();
const LINT_DELAY_MS = 200;

/** Marks the problems of a text. It finds them again when the text changes. */
function showProblems(problems: ReadonlySignal<FindProblems>): Extension {
  return linter(({ state }) => problems.peek()(state), {
    delay: LINT_DELAY_MS,
    needsRefresh: ({ transactions }) =>
      transactions.some(({ effects }) => effects.some((effect) => effect.is(problemsChanged))),
  });
}

/** Finds the problems again, because the signal changed. */
function refreshProblems(view: EditorView): void {
  view.dispatch({ effects: problemsChanged.of(null) });
  forceLinting(view);
}
