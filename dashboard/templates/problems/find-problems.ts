import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { Diagnostic } from '@codemirror/lint';
import { Text, type EditorState } from '@codemirror/state';
import { useComputed, useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import type { PreviewError } from '@trifold/client';
import { problems as messages } from '../../messages/problems.ts';
import { parsedJson, type ParsedText } from '../code/text-position.ts';
import type { FindProblems } from '../code/use-code-view.ts';
import { findMissingTexts } from '../editor/draft/draft.ts';
import type { EditedTemplate } from '../editor/draft/edited-template.ts';
import { parseObject } from '../json-text.ts';
import { MAPPING, problemsOf, rangeIn, type Problem } from './problem.ts';
import { cssSupport } from './css-support.ts';
import { findPropertyProblems, stylesIn } from './property-problems.ts';
import { findTagProblems, type TextProblem } from './tag-problems.ts';

/** Milliseconds without a change before text that the user types is checked. */
const PAUSE_MS = 400;

/** Keeps a template's problems up to date, except while the user types. */
export function useProblems(edited: EditedTemplate): void {
  const isPaused = useSignal(false);
  useSignalEffect(() => {
    void edited.draft.value;
    void edited.data.value;
    isPaused.value = false;
    const timer = setTimeout(() => void (isPaused.value = true), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  useSignalEffect(() => {
    // Previews and rejected saves also change the problems.
    void edited.result.value;
    void edited.rejected.value;
    if (isPaused.value) edited.problems.value = findProblems(edited);
  });
}

/** Returns the extension that marks the problems in one text. */
export function useMarks(
  problems: ReadonlySignal<readonly Problem[]>,
  path: string,
): ReadonlySignal<FindProblems> {
  return useComputed((): FindProblems => {
    const own = problems.value.filter((problem) => problem.path === path);
    return (state) => {
      let kept: ParsedText | undefined;
      const parsed = () => (kept ??= parsedIn(state));
      return own.flatMap(({ severity, message, places }) =>
        places.map((place): Diagnostic => ({ ...rangeIn(state.doc, place, parsed), severity, message })),
      );
    };
  });
}

/** Maximum time to complete the syntax tree of an editor for a mark, in milliseconds. */
const MAX_PARSE_MS = 200;

/** Returns an editor's text and syntax tree, which the editor updates where the user types. */
function parsedIn(state: EditorState): ParsedText {
  const { doc } = state;
  const tree = ensureSyntaxTree(state, doc.length, MAX_PARSE_MS) ?? syntaxTree(state);
  return { text: doc.toString(), tree };
}

function findProblems({ draft, data, result, rejected }: EditedTemplate): Problem[] {
  const { html, css, schema, options, eInvoice } = draft.peek();
  const invalid = [
    ...jsonProblems('schema', '/schema', schema),
    ...jsonProblems('data', '/data', data.peek()),
    ...jsonProblems('options', '/default_options', options),
    ...(eInvoice.enabled ? jsonProblems('e_invoice', MAPPING, eInvoice.mapping) : []),
    ...findMissingTexts(draft.peek()).flatMap(missingProblem),
  ];
  // The preview shows the last valid text.
  const isCurrent = ({ path = '' }: Problem) =>
    invalid.every((problem) => !path.startsWith(problem.path ?? ''));
  const { errors = [], warnings = [] } = result.peek() ?? {};
  const ofSave = rejected.peek()?.draft === draft.peek() ? (rejected.peek()?.errors ?? []) : [];
  const isNew = ({ path, message }: PreviewError) =>
    errors.every((error) => error.path !== path || error.message !== message);
  const found = problemsOf({ errors: [...errors, ...ofSave.filter(isNew)], warnings });
  const ofPreview = found.filter(isCurrent).map(placedInMapping(eInvoice.mapping));
  const hasHtmlErrors = ofPreview.some(({ path, severity }) => path === '/html' && severity === 'error');
  return [
    ...invalid,
    ...ofPreview,
    ...(hasHtmlErrors ? [] : problemsOfText('html', html, findTagProblems(html))),
    ...problemsOfText('html', html, findPropertyProblems(stylesIn(html), cssSupport())),
    ...problemsOfText('css', css, findPropertyProblems(css, cssSupport())),
  ];
}

/**
 * Returns a function that adds the position in the text, which the user may have formatted differently from the
 * service. The text is parsed once.
 */
function placedInMapping(mapping: string): (problem: Problem) => Problem {
  const doc = Text.of(mapping.split('\n'));
  let parsed: ParsedText | undefined;
  const parse = (): ParsedText => (parsed ??= parsedJson(mapping));
  return (problem) => {
    if (problem.path !== MAPPING) return problem;
    const [first, ...others] = problem.places;
    const { from } = rangeIn(doc, first, parse);
    const { number, from: start } = doc.lineAt(from);
    return { ...problem, places: [{ ...first, line: number, column: from - start + 1 }, ...others] };
  };
}

function jsonProblems(part: Problem['part'], path: string, json: string): Problem[] {
  const parsed = parseObject(json);
  if (!('problem' in parsed)) return [];
  const message = messages.notJson(parsed.problem);
  return [{ severity: 'error', part, path, message, remedy: messages.notJsonRemedy, places: [{}] }];
}

/** The name is not part of the preview; its field says what is wrong. */
function missingProblem({ part, path, remedy }: ReturnType<typeof findMissingTexts>[number]): Problem[] {
  if (part !== 'html' && part !== 'email') return [];
  const named = part === 'email' ? 'email.subject' : part;
  return [{ severity: 'error', part: named, path, message: remedy, places: [{ line: 1, column: 1 }] }];
}

function problemsOfText(part: 'html' | 'css', text: string, found: readonly TextProblem[]): Problem[] {
  return found.map(({ from, to, ...problem }) => {
    const lines = text.slice(0, from).split('\n');
    const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, range: { from, to } };
    return { severity: 'warning', part, path: `/${part}`, places: [place], ...problem };
  });
}
