import { storableWarnings, type DocumentWarning, type ProblemPart } from '@trifold/crds';
import { positionOf } from '@trifold/platform/templating/syntax/template-bounds.ts';
import { ConformanceError } from '../pdf/standards/conformance-error.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import { conformanceWarning } from './conformance-warnings.ts';

/** Source strings of a template, by part. */
export type Sources = Readonly<Partial<Record<ProblemPart, string | undefined>>>;

/** Maximum number of characters between a property and a family in its value. */
const MAX_VALUE = 300;
/** Maximum number of occurrences of a literal that are examined. */
const MAX_TRIES = 100;
/** Maximum number of segments in a relative URL whose location is searched for. */
const MAX_ENDS = 6;

/** Neither matches the start or the end of an HTML comment. */
const CUSTOM_PROPERTY = /(?<![\w!-])--[\w-]+\s*:/;
const VAR_WITH_FALLBACK = /\bvar\(\s*--[\w-]+\s*,/g;

/** Returns warnings for a status, each once and with its location. A part may have the same problem several times. */
export function placedWarnings(warnings: readonly FoundWarning[], sources: Sources): DocumentWarning[] {
  const bySubject = Map.groupBy(warnings, subjectOf).values();
  const all = [...bySubject].flatMap(([first]) => (first ? placed(first, sources) : []));
  return storableWarnings(all.filter(({ code, part }) => code !== 'font_missing' || part !== undefined));
}

/** Returns an error with the location of its cause, if the template contains the cause verbatim. */
export function placedError(error: unknown, sources: Sources): unknown {
  if (!(error instanceof ConformanceError)) return error;
  const { violation, others } = error;
  const { part, line, column } = placed(conformanceWarning(violation), sources);
  if (part === undefined || line === undefined || column === undefined) return error;
  return new ConformanceError(violation, others, { part, line, column });
}

/** Embedded files and broken rules have no distinguishing name. */
function subjectOf({ code, part, name, literal, message }: FoundWarning): string {
  const isUnnamed = code === 'resource_broken' || code === 'conformance_broken';
  return JSON.stringify([code, part, name, isUnnamed && [message, [literal].flat()[0]]]);
}

/**
 * Adds the location of a warning's literal. Output of data or helpers has no location, nor does a tag that occurs more
 * than once.
 */
function placed({ literal, after, ...warning }: FoundWarning, sources: Sources): DocumentWarning {
  for (const text of literalsOf(literal, warning, sources)) {
    for (const [part, source] of Object.entries(sources)) {
      if (source === undefined || (warning.part !== undefined && warning.part !== part)) continue;
      const index = placeOf(text, source, after);
      if (index === undefined || (needsOnePlace(warning, text) && source.lastIndexOf(text) !== index))
        continue;
      return { ...warning, part: part as ProblemPart, ...positionOf(source, index) };
    }
  }
  return warning;
}

/** Below `<base href>`, the template has only the end of a URL. */
function literalsOf(
  literal: FoundWarning['literal'],
  { code }: DocumentWarning,
  sources: Sources,
): readonly string[] {
  const literals = [literal ?? []].flat();
  const [url = ''] = literals;
  const hasBase = () => Object.values(sources).some((source) => /<base\b/i.test(source ?? ''));
  if (code !== 'resource_blocked' || !/^https?:/i.test(url) || !hasBase()) return literals;
  const ends = Array.from(url.matchAll(/\/(?=[^/])/g), ({ index }) => url.slice(index + 1));
  const befores = ['"', "'", '(', '=', '/'];
  return [...literals, ...ends.slice(-MAX_ENDS).flatMap((end) => befores.map((before) => before + end))];
}

/** A start tag identifies the element only if it is unique. */
function needsOnePlace({ code }: DocumentWarning, literal: string): boolean {
  if (code === 'conformance_broken') return literal.startsWith('<');
  return /^(?:content|docx|heading|table)_/.test(code) || code === 'page_empty';
}

/** With `after`, matches where the literal is the first item of a value, a custom property or a `var()` fallback. */
function placeOf(literal: string, source: string, after: string | undefined): number | undefined {
  if (literal === '') return undefined;
  let at = source.indexOf(literal);
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries += 1) {
    if (after === undefined) return at;
    const before = source.slice(Math.max(0, at - MAX_VALUE), at);
    const declaration = before
      .slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('{')) + 1)
      .replaceAll(VAR_WITH_FALLBACK, '');
    const property = Math.max(declaration.lastIndexOf(after), declaration.search(CUSTOM_PROPERTY));
    if (property >= 0 && !declaration.includes(',', property)) return at;
    at = source.indexOf(literal, at + literal.length);
  }
  return undefined;
}
