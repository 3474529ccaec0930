import { boundTextsOf, type EInvoice, type TemplateSchema, type TemplateSpec } from '@trifold/crds';
import { LRUCache } from 'lru-cache';
import { ChildProcessError } from '../../child-process/child-process-error.ts';
import type { MappingProblem } from '../../e-invoices/create-e-invoice.ts';
import { hasMoreBytes, nestsTooDeep } from '../../request-body/json-size.ts';
import { sha256Hex } from '../revisions/canonical-json.ts';
import { findLocaleProblem, type LocaleProblem } from '../locale-options.ts';
import { contentOf, revisionOfContent, type Revision, type TemplateSource } from '../revisions/revision.ts';
import { DataSchemaError, NESTS_TOO_DEEP } from '../schema/data-schema.ts';
import { findSyntaxProblem, type SyntaxProblem } from '../syntax/syntax.ts';
import type { SchemaProblem } from './check-messages.ts';
import type { CheckLimits, CheckPool } from './check-pool.ts';

/** Parts of a template that are checked; `html` may come from the object store. */
export type TemplateParts = {
  readonly [Part in 'html' | 'email' | 'defaultOptions' | 'schema' | 'eInvoice']?:
    | TemplateSpec[Part]
    | undefined;
};

/** A part that does not compile. */
export interface BindingProblem extends SyntaxProblem {
  readonly kind: 'syntax';
  /** Field names that lead to the part in the spec. */
  readonly path: readonly string[];
}

/** An e-invoice that no document can use. */
export interface EInvoiceMappingProblem {
  readonly kind: 'eInvoice';
  readonly problems: readonly [MappingProblem, ...MappingProblem[]];
  /** Whether the check ended at its time limit. @default false */
  readonly timedOut?: boolean;
}

/** Reason why a template cannot be used. */
export type TemplateProblem =
  | BindingProblem
  | EInvoiceMappingProblem
  | ({ readonly kind: 'schema' } & SchemaProblem)
  | ({ readonly kind: 'locale' } & LocaleProblem);

/**
 * Maximum length in characters of a source parsed in this process. At a given nesting depth, the parser takes linear
 * time, and 1,024 characters cannot nest deep enough to be slow: the worst case takes about 4 ms, or 17 ms before the
 * code is warm.
 */
const PARSED_HERE = 1_024;
/** Maximum size in bytes of a schema written as canonical JSON in this process: about 5 ms. */
const LITTLE_SCHEMA = 32 * 1024;
/** Number of valid sources and schemas that are remembered; each takes about 200 bytes. */
const REMEMBERED = 10_000;

/**
 * Checks templates and their parts. Everything except short sources is checked in the processes of a CheckPool. A valid
 * source or schema is remembered by its hash, so that it is checked only once. Every method rejects with a retryable
 * ChildProcessError if too many of the account's checks are waiting or a process was lost.
 */
export class TemplateChecker {
  readonly #pool: Pick<CheckPool, 'ask' | 'limits'>;
  readonly #correct = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(pool: Pick<CheckPool, 'ask' | 'limits'>) {
    this.#pool = pool;
  }

  /** Returns the position and reason of a Handlebars compile error; undefined if the source compiles. */
  async findSyntaxProblem(text: string, account: string): Promise<SyntaxProblem | undefined> {
    const hash = sha256Hex(text);
    if (this.#correct.has(hash)) return undefined;
    const problem =
      text.length <= PARSED_HERE ? findSyntaxProblem(text) : await this.#askSyntax(text, account);
    if (!problem) this.#correct.set(hash, true);
    return problem;
  }

  /** Returns the first problem in a template; undefined when it can be used. */
  async findProblem(parts: TemplateParts, account: string): Promise<TemplateProblem | undefined> {
    const binding = await this.findBindingProblem(parts, account);
    if (binding) return binding;
    const schema = parts.schema && (await this.findSchemaProblem(parts.schema, account));
    if (schema) return { kind: 'schema', ...schema };
    const eInvoice = parts.eInvoice && (await this.findEInvoiceProblem(parts.eInvoice, account));
    if (eInvoice) return eInvoice;
    // The kind's schema cannot validate locales and time zones.
    const locale = findLocaleProblem(parts.defaultOptions ?? {});
    return locale && { kind: 'locale', ...locale };
  }

  /**
   * Returns the problem in the first part with bindings that does not compile. A disabled header is checked too: other
   * options may enable it.
   */
  async findBindingProblem(
    { html, email, defaultOptions }: TemplateParts,
    account: string,
  ): Promise<BindingProblem | undefined> {
    const parts = [
      { path: ['html'], text: html },
      ...Object.entries(email ?? {}).map(([name, text]) => ({ path: ['email', name], text })),
      ...boundTextsOf(defaultOptions).map(({ path, text }) => ({ path: ['defaultOptions', ...path], text })),
    ];
    for (const { path, text } of parts) {
      const problem = text === undefined ? undefined : await this.findSyntaxProblem(text, account);
      if (problem) return { kind: 'syntax', ...problem, path };
    }
    return undefined;
  }

  /** Returns the reason why a data schema or its defaults are invalid; undefined if both are valid. */
  async findSchemaProblem(schema: TemplateSchema, account: string): Promise<SchemaProblem | undefined> {
    if (nestsTooDeep(schema)) return { violations: [NESTS_TOO_DEEP], defaultsOnly: false };
    const text = JSON.stringify(schema);
    // A string that is a valid source need not be a valid schema.
    const key = `schema ${sha256Hex(text)}`;
    if (this.#correct.has(key)) return undefined;
    try {
      const { problem } = await this.#pool.ask('schema', { schema: text }, { account });
      if (!problem) this.#correct.set(key, true);
      return problem;
    } catch (error) {
      const { limit, timedOut } = limitReached(error, this.#pool.limits);
      const message = `${limit}: use fewer fields, and smaller patterns and defaults`;
      return { violations: [{ path: '/schema', message }], defaultsOnly: false, timedOut };
    }
  }

  /** Returns the mistakes in an e-invoice mapping; undefined if documents can use it. */
  async findEInvoiceProblem(spec: EInvoice, account: string): Promise<EInvoiceMappingProblem | undefined> {
    if (nestsTooDeep(spec)) return unplaced(NESTS_TOO_DEEP.message);
    const text = JSON.stringify(spec);
    const key = `e-invoice ${sha256Hex(text)}`;
    if (this.#correct.has(key)) return undefined;
    try {
      const [first, ...others] = (await this.#pool.ask('eInvoice', { spec }, { account })).problems;
      if (first) return { kind: 'eInvoice', problems: [first, ...others] };
      this.#correct.set(key, true);
      return undefined;
    } catch (error) {
      const { limit, timedOut } = limitReached(error, this.#pool.limits);
      return { ...unplaced(`${limit}: use fewer and shorter bindings`), timedOut };
    }
  }

  /**
   * Returns the revision of a template whose source has been read. Rejects with DataSchemaError when the schema is
   * nested too deeply, and with ChildProcessError.
   */
  async revisionOf(spec: TemplateSpec, source: TemplateSource, account: string): Promise<Revision> {
    const content = contentOf(spec, source);
    if (nestsTooDeep(content.schema)) throw new DataSchemaError([NESTS_TOO_DEEP]);
    if (!hasMoreBytes(content.schema, LITTLE_SCHEMA)) return revisionOfContent(content);
    const request = { content: JSON.stringify(content) };
    return { ...(await this.#pool.ask('revision', request, { account })), content };
  }

  async #askSyntax(text: string, account: string): Promise<SyntaxProblem | undefined> {
    try {
      return (await this.#pool.ask('syntax', { text }, { account })).problem;
    } catch (error) {
      const { limit, timedOut } = limitReached(error, this.#pool.limits);
      const message = `the template ${limit}: use fewer expressions and less nesting`;
      return { line: 1, column: 1, message, timedOut };
    }
  }
}

function unplaced(message: string): EInvoiceMappingProblem {
  return { kind: 'eInvoice', problems: [{ path: '', message, line: 1, column: 1 }] };
}

/** Returns the limit that ended a check; rethrows any other error. */
function limitReached(
  error: unknown,
  { timeoutMs, memoryMib }: CheckLimits,
): { limit: string; timedOut: boolean } {
  const code = error instanceof ChildProcessError ? error.code : undefined;
  if (code === 'time_limit') {
    return { limit: `takes longer than ${timeoutMs} ms to check`, timedOut: true };
  }
  if (code === 'out_of_memory') {
    return { limit: `takes more than ${memoryMib} MiB of memory to check`, timedOut: false };
  }
  throw error;
}
