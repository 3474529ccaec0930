import Handlebars from 'handlebars';
import { findSyntaxProblem } from '../syntax/syntax.ts';
import type { TemplateSource } from '../revisions/revision.ts';
import { eachByName, templateHelpers, type HelperDelegates } from '../helpers/handlebars-helpers.ts';
import type { LocaleOptions } from '../locale-options.ts';
import { insertionIn, withPosition, MergeFailure, type Insertion } from './merge-failure.ts';
import { marked, BindingFindings, RECORDING_HELPERS, type BindingFinding } from './binding-findings.ts';
import { insertStylesheet, styleElement } from './stylesheet.ts';

/**
 * Merges data into a template. The options are the helpers' defaults. Can throw any Handlebars error (see
 * `mergeFailureOf`).
 */
export type CompiledTemplate = (data: Record<string, unknown>, options?: LocaleOptions) => string;

/** A document's CSS rules, in addition to its template's. */
export interface DocumentRules {
  /** Override the template's own `@page` rules. Omitted when the template has none. */
  readonly pageRules?: string | undefined;
  /**
   * A stylesheet before the template's CSS. Its important declarations in a layer override everything except earlier
   * layers.
   */
  readonly rules?: string | undefined;
}

/** A compiled HTML page. */
export type CompiledPage = (data: Record<string, unknown>, options?: DocumentRules & LocaleOptions) => string;

type Merge = (
  data: Record<string, unknown>,
  options: LocaleOptions | undefined,
  helpers?: HelperDelegates,
) => string;

/**
 * Placeholders for the page number and the number of pages in a merged header or footer: private-use characters, which
 * no font draws.
 */
export const PAGE_TOKENS = { page: '\u{f0001}p\u{f0002}', pages: '\u{f0001}n\u{f0002}' } as const;

/** Internal helper that marks the position of the stylesheet in the template. */
const STYLESHEET_HELPER = 'trifoldStylesheet';
const STYLESHEET_CALL = `{{{${STYLESHEET_HELPER}}}}`;

/** Matches a template with its own `@page` rules. */
const OWN_PAGE = /@page\b/i;

const PAGE_HELPERS = {
  page: () => new Handlebars.SafeString(PAGE_TOKENS.page),
  pages: () => new Handlebars.SafeString(PAGE_TOKENS.pages),
};

/**
 * Compiles templates, in a dedicated process. Uses Handlebars' defaults: values are escaped for HTML, prototypes are
 * not accessible.
 */
export class TemplateCompiler {
  readonly #handlebars = isolatedHandlebars();
  readonly #missing: BindingFindings | undefined;

  /** `recordsMissing`: whether `takeBindingFindings` returns anything. @default false */
  constructor({ recordsMissing = false } = {}) {
    this.#missing = recordsMissing ? new BindingFindings(this.#handlebars) : undefined;
  }

  /** Also records suspicious values. For previews and test documents. */
  lookAtValues(isWanted: boolean): void {
    if (this.#missing) this.#missing.looksAtValues = isWanted;
  }

  /**
   * Returns the bindings missing from the data in merges since the last call, at most MAX_FOUND_WARNINGS, each path
   * once per code.
   */
  takeBindingFindings(): BindingFinding[] {
    return this.#missing?.take() ?? [];
  }

  /** Compiles an HTML page with its CSS. Throws MergeFailure `template_invalid`. */
  compilePage({ html, css = '' }: TemplateSource): CompiledPage {
    check(html);
    const whole = insertStylesheet(html, STYLESHEET_CALL);
    const insertion = insertionIn(html, whole, STYLESHEET_CALL);
    const template = this.#compile(whole, { insertion, helpers: [STYLESHEET_HELPER] });
    const hasOwnPage = OWN_PAGE.test(html) || OWN_PAGE.test(css);
    return (data, options = {}) => {
      const { pageRules = '', rules = '' } = options;
      const styles = styleElements([rules, hasOwnPage ? css + pageRules : css]);
      let isInserted = false;
      const insertStyles = () => {
        isInserted = true;
        return new Handlebars.SafeString(styles);
      };
      const merged = template(data, options, { [STYLESHEET_HELPER]: insertStyles });
      // The call may be in a block that is skipped for this data.
      return isInserted || styles === '' ? merged : insertStylesheet(merged, styles);
    };
  }

  /**
   * Compiles a header or a footer. `{{page}}` and `{{pages}}` become PAGE_TOKENS even if the data has fields with these
   * names. Throws MergeFailure `template_invalid`.
   */
  compileDecoration(content: string): CompiledTemplate {
    check(content);
    const template = this.#compile(content, { helpers: Object.keys(PAGE_HELPERS) });
    return (data, options) => template(data, options, PAGE_HELPERS);
  }

  /** Compiles plain text: values are not escaped. Throws MergeFailure `template_invalid`. */
  compilePlainText(text: string): CompiledTemplate {
    check(text);
    return this.#compile(text, { noEscape: true });
  }

  #compile(text: string, { noEscape = false, insertion, helpers: names = [] }: CompileOptions): Merge {
    const input = this.#missing ? marked(this.#handlebars.parseWithoutProcessing(text), names) : text;
    const template: HandlebarsTemplateDelegate = this.#handlebars.compile(input, {
      noEscape,
      // The compiler treats `log` as known even though it is removed; for a template it is an ordinary name.
      knownHelpers: { log: false, ...(this.#missing && RECORDING_HELPERS) },
    });
    return (data, options, helpers) => {
      this.#missing?.begin(insertion, options);
      try {
        return template(data, { helpers: { ...this.#helpersFor(options), ...helpers } });
      } catch (error) {
        throw withPosition(error, insertion);
      }
    };
  }

  /** Returns the helpers of one merge that differ from the registered ones. */
  #helpersFor({ locale, timeZone }: LocaleOptions = {}): HelperDelegates {
    if (locale === undefined && timeZone === undefined) return {};
    return templateHelpers(this.#handlebars, { locale, timeZone });
  }
}

interface CompileOptions {
  /** @default false */
  readonly noEscape?: boolean;
  readonly insertion?: Insertion;
  /** Names that are helpers without arguments, not bindings. @default none */
  readonly helpers?: readonly string[];
}

/** Parses the fields that templates bind, from JSON in UTF-8. Throws MergeFailure `data_invalid`. */
export function parseData(data: Uint8Array): Record<string, unknown> {
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

function styleElements(sheets: readonly string[]): string {
  return sheets.map((css) => (css === '' ? '' : styleElement(css))).join('');
}

function check(text: string): void {
  // Handlebars would treat an object as a syntax tree, and thus as code.
  if (typeof text !== 'string') throw new MergeFailure('template_invalid', 'the template is not a string');
  const problem = findSyntaxProblem(text);
  if (!problem) return;
  const { line, column, message } = problem;
  const sentence = `the template does not compile: line ${line}, column ${column}: ${message}`;
  throw new MergeFailure('template_invalid', sentence, { problem });
}

/** Returns a Handlebars environment that cannot write document data to a log. */
export function isolatedHandlebars(): typeof Handlebars {
  Handlebars.logger.log = () => undefined;
  const handlebars = Handlebars.create();
  handlebars.unregisterHelper('log');
  handlebars.registerHelper(templateHelpers(handlebars));
  handlebars.registerHelper('each', eachByName(handlebars.helpers['each'] as Handlebars.HelperDelegate));
  return handlebars;
}
