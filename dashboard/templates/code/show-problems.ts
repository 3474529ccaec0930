import { forceLinting, linter, type Diagnostic } from '@codemirror/lint';
import { StateEffect, type EditorState, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { ReadonlySignal } from '@preact/signals';

/** Returns the problems of the text in an editor. */
export type FindProblems = (state: EditorState) => readonly Diagnostic[];

const problemsChanged = StateEffect.define();
const LINT_DELAY_MS = 200;

/** Marks the problems of a text. It finds them again when the text changes. */
export function showProblems(problems: ReadonlySignal<FindProblems>): Extension {
  return linter(({ state }) => problems.peek()(state), {
    delay: LINT_DELAY_MS,
    needsRefresh: ({ transactions }) =>
      transactions.some(({ effects }) => effects.some((effect) => effect.is(problemsChanged))),
  });
}

/** Finds the problems again, because the signal changed. */
export function refreshProblems(view: EditorView): void {
  view.dispatch({ effects: problemsChanged.of(null) });
  forceLinting(view);
}
