import { findSyntaxProblem } from '@trifold/platform/templates/syntax.ts';
import Handlebars from 'handlebars';
import { LRUCache } from 'lru-cache';
import type { MergeFailureCode, MergeReply, MergeRequest, MergeSource } from './merge-messages.ts';
import { insertStylesheet, styleElement } from './stylesheet.ts';

type CompiledTemplate = (data: Record<string, unknown>) => string;

/** Compiled templates that are kept: so many, and so many characters of source. */
const COMPILED_LIMIT = 500;
const COMPILED_SOURCE_LIMIT = 32 * 1024 * 1024;

/** Stands in the template where the stylesheet goes, which is not bound. */
const STYLESHEET_HELPER = 'trifoldStylesheet';

/** Errors of Handlebars' own helpers, which say what is wrong with the template and hold no data. */
const TELLING = /^(?:#\w+ requires exactly one argument|Must pass iterator to #each)$/;

/** Merges templates with data. Handlebars' defaults hold: values are escaped for HTML, prototypes cannot be reached. */
export class TemplateMerger {
  readonly #handlebars = isolatedHandlebars();
  readonly #compiled = new LRUCache<string, CompiledTemplate>({
    max: COMPILED_LIMIT,
    maxSize: COMPILED_SOURCE_LIMIT,
  });

  /** Never throws for a reason of the template's or the data's own. */
  merge({ revisionKey, source, data, maxBytes }: Omit<MergeRequest, 'timeoutMs'>): MergeReply {
    try {
      const template = this.#compiled.get(revisionKey) ?? (source && this.#compile(revisionKey, source));
      if (!template) return { status: 'source_needed' };
      const html = template(parseData(data));
      if (Buffer.byteLength(html) > maxBytes) throw new MergeFailure('merge_too_large', tooLarge(maxBytes));
      return { status: 'merged', html };
    } catch (error) {
      const { code, message } = failureOf(error, maxBytes);
      return { status: 'failed', code, message };
    }
  }

  #compile(revisionKey: string, { html, css }: MergeSource): CompiledTemplate {
    // An object would be taken for a syntax tree, and with it for code.
    if (typeof html !== 'string') throw new MergeFailure('template_invalid', 'the template is not a text');
    const problem = findSyntaxProblem(html);
    if (problem) {
      const { line, column, message } = problem;
      throw new MergeFailure(
        'template_invalid',
        `the template does not compile: line ${line}, column ${column}: ${message}`,
      );
    }
    const style = new Handlebars.SafeString(css === undefined || css === '' ? '' : styleElement(css));
    const text = insertStylesheet(html, `{{{${STYLESHEET_HELPER}}}}`);
    // The compiler takes `log` for known even where it is not there; to a template it is a name as any other.
    const template = this.#handlebars.compile(text, { knownHelpers: { log: false } });
    const helpers = { [STYLESHEET_HELPER]: () => style };
    const compiled: CompiledTemplate = (data) => template(data, { helpers });
    this.#compiled.set(revisionKey, compiled, { size: html.length + (css?.length ?? 0) + 1 });
    return compiled;
  }
}

class MergeFailure extends Error {
  readonly code: MergeFailureCode;

  constructor(code: MergeFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Handlebars without what would let document data reach a log. */
function isolatedHandlebars(): typeof Handlebars {
  Handlebars.logger.log = () => undefined;
  const handlebars = Handlebars.create();
  handlebars.unregisterHelper('log');
  return handlebars;
}

function parseData(data: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString());
  } catch {
    // The parser's message quotes the data.
    throw new MergeFailure('data_invalid', 'the stored data is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MergeFailure('data_invalid', 'the stored data is not a JSON object');
  }
  return value as Record<string, unknown>;
}

function failureOf(error: unknown, maxBytes: number): { code: MergeFailureCode; message: string } {
  if (error instanceof MergeFailure) return error;
  if (!(error instanceof Error)) return { code: 'merge_failed', message: 'the template failed' };
  if (/invalid string length/i.test(error.message)) {
    return { code: 'merge_too_large', message: tooLarge(maxBytes) };
  }
  if (error instanceof RangeError) {
    return { code: 'merge_failed', message: 'the template nests too deep: a partial calls itself, perhaps' };
  }
  if (error.message.startsWith('The partial ')) {
    return { code: 'merge_failed', message: 'the template calls a partial that is not defined' };
  }
  const reason = TELLING.test(error.message) ? `: ${error.message}` : '';
  return { code: 'merge_failed', message: `the template failed when it was merged with the data${reason}` };
}

/** Also for a process that ran out of memory. */
export function tooLarge(maxBytes: number): string {
  return `the merged document is larger than the limit of ${maxBytes} bytes of html`;
}
