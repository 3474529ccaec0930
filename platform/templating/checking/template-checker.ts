import type { RenderOptions, TemplateSchema } from '@trifold/crds';
import { LRUCache } from 'lru-cache';
import { ChildEnded } from '../../child-process/bounded-child.ts';
import { TimeLimitError } from '../../child-process/bounded-pool.ts';
import { sha256Hex } from '../revisions/canonical-json.ts';
import { findSyntaxProblem, type SyntaxProblem } from '../syntax/syntax.ts';
import type { SchemaProblem } from './check-messages.ts';
import type { CheckLimits, CheckPool } from './check-pool.ts';

/** Which of header and footer does not compile, and where. */
export interface DecorationProblem extends SyntaxProblem {
  readonly member: 'header' | 'footer';
}

/**
 * Characters of a text that is parsed in this process. The parser's time is linear in the text at a given nesting, and
 * the nesting that 1,024 characters have room for costs little: the worst text takes about 4 ms, 17 ms while the code is
 * still cold.
 */
const PARSED_HERE = 1_024;
/** How many texts are remembered as correct; each takes about 200 bytes. */
const REMEMBERED = 10_000;

/**
 * Checks templates and their parts. Everything but short texts is checked in the processes of a CheckPool. A text that
 * compiles is remembered by its hash, so that it is parsed once. Every method rejects with PoolFullError when
 * too many checks of the account wait, and with ChildEnded when a process was lost: the same check may succeed later.
 */
export class TemplateChecker {
  readonly #pool: Pick<CheckPool, 'ask' | 'limits'>;
  readonly #correct = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(pool: Pick<CheckPool, 'ask' | 'limits'>) {
    this.#pool = pool;
  }

  /** Where and why a Handlebars text does not compile; undefined when it does. */
  async findSyntaxProblem(text: string, account: string): Promise<SyntaxProblem | undefined> {
    const hash = sha256Hex(text);
    if (this.#correct.has(hash)) return undefined;
    const problem =
      text.length <= PARSED_HERE ? findSyntaxProblem(text) : await this.#askSyntax(text, account);
    if (!problem) this.#correct.set(hash, true);
    return problem;
  }

  /** The first of header and footer that does not compile, whether it is enabled or not: other options may enable it. */
  async findDecorationProblem(
    options: RenderOptions | undefined,
    account: string,
  ): Promise<DecorationProblem | undefined> {
    for (const member of ['header', 'footer'] as const) {
      const content = options?.[member]?.content;
      const problem = content === undefined ? undefined : await this.findSyntaxProblem(content, account);
      if (problem) return { ...problem, member };
    }
    return undefined;
  }

  /** Why a data schema cannot be used, its defaults included; undefined when it can. */
  async findSchemaProblem(schema: TemplateSchema, account: string): Promise<SchemaProblem | undefined> {
    try {
      return (await this.#pool.ask('schema', { schema }, { account })).problem;
    } catch (error) {
      const limit = limitReached(error, this.#pool.limits);
      const message = `${limit}: use fewer fields, and smaller patterns and defaults`;
      return { violations: [{ path: '/schema', message }], defaultsOnly: false };
    }
  }

  async #askSyntax(text: string, account: string): Promise<SyntaxProblem | undefined> {
    try {
      return (await this.#pool.ask('syntax', { text }, { account })).problem;
    } catch (error) {
      const limit = limitReached(error, this.#pool.limits);
      const message = `the template ${limit}: use fewer expressions, and nest them less`;
      return { line: 1, column: 1, message };
    }
  }
}

/** The limit that ended a check; throws any other error on. */
function limitReached(error: unknown, { timeoutMs, memoryMib }: CheckLimits): string {
  if (error instanceof TimeLimitError) return `takes longer than ${timeoutMs} ms to check`;
  if (error instanceof ChildEnded && error.outOfMemory) {
    return `takes more than ${memoryMib} MiB of memory to check`;
  }
  // The schema of a resource has no limit to its nesting; to send it to a process takes a level of the stack for each.
  if (error instanceof RangeError) return 'nests too deep to check';
  throw error;
}
