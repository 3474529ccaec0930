import { isolateHistory } from '@codemirror/commands';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { editorSetup } from './editor-setup.ts';
import { reveal, RevealTargetContext } from './reveal-target.ts';

interface CodeViewOptions {
  readonly value: ReadonlySignal<string>;
  readonly onChange: (text: string) => void;
  /** Added to the setup of every editor. Later changes are ignored. */
  readonly extensions: Extension;
  /** Marked when the signal changes; the marks move with the text. A different signal is ignored. */
  readonly problems?: ReadonlySignal<FindProblems> | undefined;
  readonly readOnly: boolean;
  /** JSON Pointer to the text in the preview request, for ranges to show to the user. */
  readonly path?: string | undefined;
}

/** Marks a change that came from outside the editor. */
const External = Annotation.define<true>();

/** Shows a text editor in the element `parent`, from the first effect on, and keeps it in sync with the value. */
export function useCodeView(options: CodeViewOptions) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useSignal<EditorView | undefined>(undefined);
  const latest = useRef(options);
  latest.current = options;
  const revealTarget = useContext(RevealTargetContext);
  useEffect(() => {
    if (!parent.current) return;
    const { value, extensions, problems, readOnly, path } = options;
    /** The text that the editor shows, if the user typed it. */
    let typed: string | undefined;
    // Text inserted before the user places the cursor must not precede the doctype.
    const [head = ''] = /^[^]*?<body\b[^>]{0,999}>/i.exec(value.peek()) ?? [];
    const created = new EditorView({
      parent: parent.current,
      doc: value.peek(),
      selection: { anchor: head.length },
      extensions: [
        editorSetup(),
        extensions,
        EditorState.readOnly.of(readOnly),
        EditorView.updateListener.of((update) => {
          const isOwn = !update.transactions.some((transaction) => transaction.annotation(External));
          if (!update.docChanged) return;
          typed = isOwn ? update.state.doc.toString() : undefined;
          if (typed !== undefined) latest.current.onChange(typed);
        }),
      ],
    });
    view.value = created;
    const stops = [
      value.subscribe((text) => {
        if (text !== typed) replaceText(created, text);
      }),
      problems?.subscribe((find) =>
        created.dispatch(setDiagnostics(created.state, [...find(created.state)])),
      ),
      path !== undefined && revealTarget && reveal(created, path, revealTarget),
    ];
    return () => {
      for (const stop of stops) if (stop) stop();
      created.destroy();
    };
  }, []);
  return { parent, view };
}

function replaceText(view: EditorView, value: string): void {
  const { doc } = view.state;
  if (doc.length === value.length && doc.toString() === value) return;
  view.dispatch({
    changes: changeBetween(doc.toString(), value),
    // Undo reverts it alone, not together with what the user typed just before.
    annotations: [External.of(true), isolateHistory.of('full')],
  });
}

/** Returns the problems in an editor's text. */
export type FindProblems = (state: EditorState) => readonly Diagnostic[];

/** Keeps the common prefix and suffix of both strings, which preserves the cursor, the folds and the undo history. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < most - from && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
