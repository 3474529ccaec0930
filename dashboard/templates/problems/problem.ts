import type { Text } from '@codemirror/state';
import type { Preview, PreviewError } from '@trifold/client';
import { eInvoice as eInvoiceMessages } from '../../messages/e-invoices.ts';
import { problems as messages } from '../../messages/problems.ts';
import {
  firstLineOf,
  parsedJson,
  rangeAt,
  rangeOfPointer,
  rangeOfProperty,
  rangeOfSyntaxError,
  type ParsedText,
  type TextRange,
} from '../code/text-position.ts';
import { propertyOfTerm } from '../e-invoices/mapping-tree.ts';

type PreviewWarning = Preview['warnings'][number];

/** Part of a template, used as a heading for problems. `document`: a problem that belongs to no specific part. */
export type ProblemPart = keyof typeof messages.parts;

/** Location of a problem in a string. */
export interface Place {
  readonly line?: number;
  readonly column?: number;
  /** JSON Pointer within a JSON text. */
  readonly pointer?: string;
  readonly range?: TextRange;
  /** In an e-invoice's mapping: JSON Pointer to a property, or the number and name of a business term. */
  readonly property?: string;
  readonly term?: string;
}

/** One problem in a template; the same problem in several list items counts as one. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly part: ProblemPart;
  /** JSON Pointer to its text in the preview request; undefined if it does not belong to any text. */
  readonly path?: string;
  /** At least one; only the first is shown. */
  readonly places: readonly [Place, ...Place[]];
  readonly message: string;
  readonly code?: string;
  /** Binding, URL, helper, element, property, or path in the data. */
  readonly name?: string;
  /** The remedy, if it does not follow from the code; empty if there is none. */
  readonly remedy?: string;
  /** The correct name. */
  readonly suggestion?: string;
}

/** Paths of strings that are not JSON, and of strings that are. */
const TEXTS = /^\/(?:html|css|email\/\w+|default_options\/(?:header|footer)\/(?:\w+\/)?content)$/;
/** The text of an e-invoice's mapping. */
export const MAPPING = '/e_invoice/mapping';
const JSON_TEXTS = /^(\/(?:schema|data|default_options))(\/.*)?$/;

/** Returns the errors and warnings from a preview. Repeats across list items are merged into one. */
export function problemsOf({ errors, warnings }: Pick<Preview, 'errors' | 'warnings'>): Problem[] {
  return grouped([...errors.map(problemOfError), ...warnings.map(problemOfWarning)]);
}

function problemOfError(error: PreviewError): Problem {
  const { code, path, message, part } = error;
  if (code === 'invoice_invalid') return problemOfInvoice(error);
  const { inText, pointer } = textAt(path ?? '', part);
  return {
    severity: 'error',
    part: part ?? 'document',
    code,
    message: isOfField(code) && path !== null ? messages.invalid(fieldName(pointer, part), message) : message,
    places: [placeOfError(error, pointer)],
    ...(inText !== undefined && { path: inText }),
    ...nameOfError(error),
    ...remedyOfError(error),
  };
}

/** A rule that the e-invoice breaks: the term's line in the mapping shows it. */
function problemOfInvoice({ code, message, name, rule, term }: PreviewError): Problem {
  return {
    severity: 'error',
    part: 'e_invoice',
    path: MAPPING,
    code,
    message,
    places: [{ term: term ?? '' }],
    ...(rule !== null && { name: rule }),
    remedy: name === null ? '' : eInvoiceMessages.inData(name),
  };
}

/** A mistake in a mapping names the term or group that contains it. */
function nameOfError({ name, path, part }: PreviewError): Pick<Problem, 'name'> {
  const term = part === 'e_invoice' ? path?.split('/').findLast((key) => /^B[TG]-\d/.test(key)) : undefined;
  const shown = name ?? term;
  return shown === undefined ? {} : { name: shown };
}

function placeOfError({ path, part, line, column }: PreviewError, pointer: string): Place {
  if (line === null) return { pointer };
  const position = { line, column: column ?? 1 };
  // The position is in the mapping as the service formats it.
  return part === 'e_invoice' ? { ...position, property: (path ?? '').slice(MAPPING.length) } : position;
}

/** Whether the message continues the name of the field, which only the path contains. */
function isOfField(code: string): boolean {
  return code === 'invalid_request' || code === 'invalid_schema';
}

function fieldName(pointer: string, part: PreviewError['part']): string {
  return pointer === '' ? messages.parts[part ?? 'document'] : pointer.slice(1).replaceAll('/', '.');
}

/** The remedy for the codes whose own remedy refers to the response, which the user does not see. */
function remedyOfError({ code, part, line, column }: PreviewError): Pick<Problem, 'remedy'> {
  if (isOfField(code) || part === 'e_invoice') return { remedy: '' };
  if (code !== 'template_does_not_compile' || line === null) return {};
  return { remedy: messages.fixAt(String(line), String(column ?? 1)) };
}

/** Returns the path of the text that an error is in, and its location if the text is JSON. */
function textAt(path: string, part: PreviewError['part']): { inText?: string; pointer: string } {
  if (TEXTS.test(path)) return { inText: path, pointer: '' };
  const [, json, pointer = ''] = JSON_TEXTS.exec(path) ?? [];
  if (json !== undefined) return { inText: json, pointer };
  return { ...(part && { inText: pathOf(part) }), pointer };
}

/** A broken rule fails the document, as the error about the first one says. */
function problemOfWarning(warning: PreviewWarning): Problem {
  const { code, message, name, part } = warning;
  return {
    severity: code === 'conformance_broken' ? 'error' : 'warning',
    part: part ?? 'document',
    code,
    message,
    name,
    places: [placeOfWarning(warning)],
    ...(part && { path: pathOf(part) }),
  };
}

function placeOfWarning({ code, name, part, line, column }: PreviewWarning): Place {
  if (line !== undefined) return { line, column: column ?? 1 };
  if (code === 'invoice_differs') return { term: name };
  return { pointer: part === 'properties' ? '/properties' : '' };
}

/** Returns the path of a part's text. */
export function pathOf(part: NonNullable<PreviewWarning['part']>): string {
  if (part === 'options' || part === 'properties') return '/default_options';
  if (part === 'e_invoice') return MAPPING;
  const path = part.replace('.', '/');
  return /^(?:header|footer)/.test(part) ? `/default_options/${path}/content` : `/${path}`;
}

/** Merges problems that differ only in the list item. */
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

/** Returns the range of a problem in a string. `parsed`: returns the text as JSON. */
export function rangeIn(doc: Text, place: Place, parsed = () => parsedJson(doc.toString())): TextRange {
  const { line, column, pointer, range, property, term } = place;
  if (range) return { from: Math.min(range.from, doc.length), to: Math.min(range.to, doc.length) };
  if (property !== undefined) return rangeOfProperty(parsed(), property);
  if (term !== undefined) return rangeOfTerm(parsed(), term);
  if (line !== undefined) return firstPart(doc, rangeAt(doc, line, column ?? 1));
  return pointer === undefined ? rangeOfSyntaxError(parsed()) : rangeOfPointer(parsed(), pointer);
}

function rangeOfTerm({ text, tree }: ParsedText, term: string): TextRange {
  return firstLineOf(propertyOfTerm(tree, text, term) ?? { from: 0, to: 0 }, text);
}

/** An expression, a tag or a word. */
const FIRST_PART = /^\{\{\{.*?\}\}\}|^\{\{.*?\}\}|^\{\{[^\s{}]*|^<[^>]*>?|^[^\s<{]+|^\S/;

/** Marks the construct that begins there, but not the rest of its line. */
function firstPart(doc: Text, { from, to }: TextRange): TextRange {
  const text = doc.sliceString(from, to);
  const start = to - text.trimStart().length;
  const part = FIRST_PART.exec(text.trimStart())?.[0] ?? '';
  return { from: start, to: start + part.length };
}
