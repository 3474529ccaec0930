import { PREVIEW_TIMEOUT_MS } from '@trifold/platform/bounds/timeouts.ts';
import type { DocumentWarning, TemplateEmail, WrittenFormat } from '@trifold/crds';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { canonicalJson, sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { EmailCompiler } from '../emails/email-compiler.ts';
import { ApiError, unavailable } from '../server/errors/api-error.ts';
import type { PreviewBody, PreviewView } from './preview-body.ts';
import {
  isContentError,
  PreviewChecks,
  problemOf,
  renderProblem,
  type PreviewChecksOptions,
  type PreviewProblem,
  type ValidPreview,
} from './preview-checks.ts';
import { PreviewTurns, type PreviewSender } from './preview-turns.ts';

export interface PreviewerOptions extends PreviewChecksOptions {
  /** Renders documents; undefined if no renderer is configured. */
  readonly renderer: PreviewRenderer | undefined;
  readonly emails: EmailCompiler;
  readonly clock: Clock;
}

export interface PreviewRequest extends PreviewSender {
  readonly id: string;
  readonly body: PreviewBody;
}

/** Result of a preview: a file, problems, or both when only the data violates the schema. */
export interface Preview extends Pick<PreviewView, 'email' | 'timings'> {
  readonly file: Buffer | undefined;
  readonly problems: readonly PreviewProblem[];
  readonly warnings: readonly DocumentWarning[];
}

type Rendered = Pick<Preview, 'file' | 'email' | 'problems' | 'warnings'> & {
  readonly timings: { readonly mergeMs: number; readonly printMs: number };
};

/** Renders templates without saving them. Nothing is stored, counted or sent to webhooks. */
export class Previewer {
  readonly #options: PreviewerOptions;
  readonly #checks: PreviewChecks;
  readonly #limit: PreviewTurns;

  constructor(options: PreviewerOptions) {
    this.#options = options;
    this.#checks = new PreviewChecks(options);
    this.#limit = new PreviewTurns(options.clock);
  }

  /**
   * Renders one preview. Rejects with ApiError `not_supported_yet`, `too_many_previews`, `preview_superseded` or
   * `unavailable`, or with the reason of the request's signal.
   */
  async preview(request: PreviewRequest): Promise<Preview> {
    const { format, email } = request.body;
    if (format === 'email' && !email) emailMissing();
    if (format !== 'email' && format !== 'xml') this.#renderer();
    return this.#limit.run(request, async (signal) => this.#preview({ ...request, signal }));
  }

  /** Whether the account has a preview in flight. */
  isBusy(account: string): boolean {
    return this.#limit.isBusy(account);
  }

  async #preview(request: PreviewRequest): Promise<Preview> {
    const { body, caller, signal } = request;
    const start = performance.now();
    const checked = await this.#checks.check(body, caller.account, signal);
    const check_ms = rounded(performance.now() - start);
    const { timings, problems, ...rendered } = checked.valid
      ? await this.#render(request, checked.valid)
      : withoutFile();
    const { mergeMs, printMs } = timings;
    return {
      ...rendered,
      problems: [...checked.errors.map(problemOf), ...problems],
      timings: { check_ms, merge_ms: rounded(mergeMs), print_ms: rounded(printMs) },
    };
  }

  async #render(request: PreviewRequest, valid: ValidPreview): Promise<Rendered> {
    const { format = 'pdf', email } = request.body;
    if (format === 'xml') return valid.eInvoice ? eInvoiceFile(valid.eInvoice.xml) : withoutFile();
    if (format !== 'email') return this.#document(request, valid, format);
    return this.#email(request, valid, email ?? emailMissing());
  }

  async #document(
    { id, caller: { account }, signal }: PreviewRequest,
    { eInvoice, ...valid }: ValidPreview,
    format: WrittenFormat,
  ): Promise<Rendered> {
    const createdAt = this.#options.clock.now().toISOString();
    const { declared } = eInvoice ?? {};
    const task = { id, account, format, ...valid, declared, createdAt, deadlineMs: PREVIEW_TIMEOUT_MS };
    const outcome = await this.#renderer().render(task, signal);
    if (outcome.status === 'busy')
      throw unavailable('Too many previews are in progress. Try again in a moment.');
    if (outcome.status === 'failed') {
      const warnings = outcome.progress?.warnings ?? [];
      return { ...withoutFile(renderProblem(outcome.failure)), warnings };
    }
    const { file, warnings, timings } = outcome;
    return { file, email: null, problems: [], warnings, timings };
  }

  async #email(
    { caller: { account }, signal }: PreviewRequest,
    { template: { html, css, defaultOptions }, options, data }: ValidPreview,
    parts: TemplateEmail,
  ): Promise<Rendered> {
    const source = { ...parts, html, ...(css !== undefined && { css }) };
    const { locale, timeZone } = { ...defaultOptions, ...options };
    const key = sha256Hex(canonicalJson(source));
    const keyed = { key, source, locale: { locale, timeZone }, pointer: '/email' } as const;
    const template = { ...keyed, looksAtValues: true };
    const start = performance.now();
    try {
      const {
        html: made,
        warnings,
        ...email
      } = await this.#options.emails.merge(template, data, { signal, account });
      const timings = { mergeMs: performance.now() - start, printMs: 0 };
      return { file: Buffer.from(made), email, problems: [], warnings, timings };
    } catch (error) {
      if (signal.aborted || !isContentError(error)) throw error;
      return withoutFile(problemOf(error));
    }
  }

  #renderer(): PreviewRenderer {
    const { renderer } = this.#options;
    if (renderer) return renderer;
    const message =
      'This installation has no renderers for document previews (previews.enabled is false in the chart). Save the template and generate a document instead.';
    throw new ApiError('not_supported_yet', message, { statusCode: 501 });
  }
}

/** The e-invoice alone needs no renderer. */
function eInvoiceFile(xml: Uint8Array): Rendered {
  return { ...withoutFile(), file: Buffer.from(xml) };
}

function withoutFile(...problems: PreviewProblem[]): Rendered {
  return { file: undefined, email: null, problems, warnings: [], timings: { mergeMs: 0, printMs: 0 } };
}

/** Throws ApiError `invalid_request`. */
function emailMissing(): never {
  const detail = { path: '/email', message: 'is required when format is email' };
  throw new ApiError('invalid_request', `The body is not valid: ${detail.path} ${detail.message}.`, {
    details: [detail],
  });
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
