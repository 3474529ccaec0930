import type { Diagnostic } from '@codemirror/lint';
import type { Preview, PreviewError } from '@trifold/client';
import { rangeAt, rangeOfPointer, rangeOfSyntaxError, type TextRange } from '../../code/text-position.ts';
import type { FindProblems } from '../../code/use-code-view.ts';
import { parseObject } from '../../json-text.ts';
import type { Part } from './draft.ts';

/** Where a preview's errors of a part are, as the first member of their path. */
const MEMBERS: Readonly<Partial<Record<Part, string>>> = {
  html: 'html',
  css: 'css',
  schema: 'schema',
  data: 'data',
  options: 'default_options',
  email: 'email',
};

/** Returns the errors of a preview that are about a part. */
export function errorsOf(part: Part, result: Preview | undefined): readonly PreviewError[] {
  const member = MEMBERS[part];
  if (!result || member === undefined) return [];
  return result.errors.filter(({ path }) => path === `/${member}` || path?.startsWith(`/${member}/`));
}

/** Shows the errors of a preview in the text of a part. */
export function findProblems(part: Part, result: Preview | undefined): FindProblems {
  const errors = errorsOf(part, result);
  if (part === 'html' || part === 'css') return findTextProblems(errors);
  return findJsonProblems(errors, `/${MEMBERS[part]}`);
}

/** Shows the errors of a template's text at their line and column. */
export function findTextProblems(errors: readonly PreviewError[]): FindProblems {
  return ({ doc }) =>
    errors.map(({ message, line, column }) => diagnostic(rangeAt(doc, line ?? 1, column ?? 1), message));
}

/** Shows that a text is not JSON, otherwise the errors of its values. `root`: pointer of the text in the errors. */
function findJsonProblems(errors: readonly PreviewError[], root: string): FindProblems {
  return ({ doc }) => {
    const json = doc.toString();
    const parsed = parseObject(json);
    if ('problem' in parsed) return [diagnostic(rangeOfSyntaxError(json), parsed.problem)];
    return errors.map(({ message, path }) =>
      diagnostic(rangeOfPointer(json, (path ?? '').slice(root.length)), message),
    );
  };
}

function diagnostic({ from, to }: TextRange, message: string): Diagnostic {
  return { from, to, severity: 'error', message };
}
