import type { Text } from '@codemirror/state';
import type { Preview, PreviewError } from '@trifold/client';
import type { problems as messages } from '../../messages/problems.ts';
import { rangeAt, rangeOfPointer, rangeOfSyntaxError, type TextRange } from '../code/text-position.ts';

type PreviewWarning = Preview['warnings'][number];

/** Part of a template as a title of problems. `document`: a problem of no part. */
export type ProblemPart = keyof typeof messages.parts;

/** Where a problem is in a text. */
export interface Place {
  readonly line?: number;
  readonly column?: number;
  /** JSON Pointer in a JSON text. */
  readonly pointer?: string;
  readonly range?: TextRange;
}

/** One problem of a template, or the same one of several items of a list. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly part: ProblemPart;
  /** JSON Pointer of the text that has it, in the request of a preview; undefined if no text has it. */
  readonly path?: string;
  /** At least one; the first one is shown. */
  readonly places: readonly [Place, ...Place[]];
  readonly message: string;
  readonly code?: string;
  /** Binding, URL, helper, element, property, or path in the data. */
  readonly name?: string;
  /** What to do, if that does not follow from the code. */
  readonly remedy?: string;
  /** What the name should be. */
  readonly suggestion?: string;
}

/** Paths of texts that are not JSON, and of those that are. */
const TEXTS = /^\/(?:html|css|email\/\w+|default_options\/(?:header|footer)\/(?:\w+\/)?content)$/;
const JSON_TEXTS = /^(\/(?:schema|data|default_options))(\/.*)?$/;

/** Returns the errors and warnings of a preview. Those of several items of a list are one. */
export function problemsOf({ errors, warnings }: Preview): Problem[] {
  return grouped([...errors.map(problemOfError), ...warnings.map(problemOfWarning)]);
}

function problemOfError({ code, path, message, name, part, line, column }: PreviewError): Problem {
  const { inText, pointer } = textAt(path ?? '', part);
  return {
    severity: 'error',
    part: part ?? 'document',
    code,
    message,
    places: [line === null ? { pointer } : { line, column: column ?? 1 }],
    ...(inText !== undefined && { path: inText }),
    ...(name !== null && { name }),
  };
}

/** Returns the path of the text that an error is in, and its place if the text is JSON. */
function textAt(path: string, part: PreviewError['part']): { inText?: string; pointer: string } {
  if (TEXTS.test(path)) return { inText: path, pointer: '' };
  const [, json, pointer = ''] = JSON_TEXTS.exec(path) ?? [];
  if (json !== undefined) return { inText: json, pointer };
  return { ...(part && { inText: pathOf(part) }), pointer };
}

function problemOfWarning({ code, message, name, part, line, column }: PreviewWarning): Problem {
  return {
    severity: 'warning',
    part: part ?? 'document',
    code,
    message,
    name,
    places: [
      line === undefined
        ? { pointer: part === 'properties' ? '/properties' : '' }
        : { line, column: column ?? 1 },
    ],
    ...(part && { path: pathOf(part) }),
  };
}

/** Path of the text of a part. */
function pathOf(part: NonNullable<PreviewWarning['part']>): string {
  if (part === 'options' || part === 'properties') return '/default_options';
  const path = part.replace('.', '/');
  return /^(?:header|footer)/.test(part) ? `/default_options/${path}/content` : `/${path}`;
}

/** Makes one problem of those that differ only in the item of a list. */
export function grouped(problems: readonly Problem[]): Problem[] {
  const groups = new Map<string, Problem>();
  for (const problem of problems) {
    const name = problem.name?.replaceAll(/\[\d+\]/g, '[*]');
    const key = JSON.stringify([problem.severity, problem.part, problem.code, name, problem.message]);
    const group = groups.get(key);
    if (group && name !== undefined) {
      groups.set(key, { ...group, name, places: [...group.places, ...problem.places] });
    } else {
      groups.set(group ? `${key} ${groups.size}` : key, problem);
    }
  }
  return [...groups.values()];
}

/** Returns where a text has a problem at a place. */
export function rangeIn(doc: Text, { line, column, pointer, range }: Place): TextRange {
  if (range) return { from: Math.min(range.from, doc.length), to: Math.min(range.to, doc.length) };
  if (line !== undefined) return untilEndOfExpression(doc, rangeAt(doc, line, column ?? 1));
  return pointer === undefined ? rangeOfSyntaxError(doc.toString()) : rangeOfPointer(doc.toString(), pointer);
}

/** Marks an expression, not what follows in its line. */
function untilEndOfExpression(doc: Text, { from, to }: TextRange): TextRange {
  const text = doc.sliceString(from, to);
  const end = text.startsWith('{{') ? text.indexOf('}}') : -1;
  return { from, to: end < 0 ? to : from + text.indexOf('}}') + (text.startsWith('{{{') ? 3 : 2) };
}
