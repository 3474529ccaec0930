import { newId, type TemplateSchema } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { documentCheck, type DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import { BoundedPool, type Turn } from '@trifold/platform/child-process/bounded-pool.ts';
import type { LocaleOptions } from '@trifold/platform/templating/locale-options.ts';
import { canonicalJson, sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import type { Caller } from '../server/auth/caller.ts';
import type { GatewayConfig } from '../config.ts';
import { ApiError, unavailable } from '../server/errors/api-error.ts';
import { assertKnownLocale, doesNotCompile } from '../options/options-check.ts';
import type { PreparedTemplates } from '../templates/prepared-templates.ts';
import { checkData } from '../templates/data-check.ts';
import { checkSize } from '../templates/template-checks.ts';
import { templateOrigin } from '../templates/template-origin.ts';
import {
  tooLarge,
  type CompiledEmail,
  type CompileFailure,
  type CompileReply,
  type CompileRequest,
  type EmailTemplate,
} from './compile-messages.ts';
import type { EmailBody, EmailView } from './email-body.ts';

export interface EmailCompilerOptions {
  readonly prepared: PreparedTemplates;
  readonly dataChecker: DataChecker;
  readonly clock: Clock;
  readonly config: Pick<
    GatewayConfig,
    'emailWorkers' | 'emailTimeoutMs' | 'maxBodyBytes' | 'maxEmailBytes' | 'maxTemplateBytes'
  >;
}

/**
 * Memory limit of a process in MiB: a base for cached email templates, and an amount per MiB of the maximum email size.
 */
const COMPILER_MIB = 64;
const MIB_PER_EMAIL_MIB = 16;
/** Maximum number of emails per account that can wait for a process. */
const MAX_WAITING = 256;

/** An email template with a key that identifies its content. */
export interface KeyedTemplate {
  readonly key: string;
  readonly source: EmailTemplate;
  /** Data schema of a saved email template, if it has one. */
  readonly schema?: TemplateSchema;
  /** Defaults of the template's helpers. @default the service's */
  readonly locale?: LocaleOptions;
  /** Whether to warn about values that may not print as intended: in previews and for test keys. @default false */
  readonly looksAtValues?: boolean;
  /** Location of the template's parts, for error paths: in the request body or in the saved template. */
  readonly pointer: '/template' | '/email';
}

/**
 * Compiles emails in separate processes with limits on time and memory, because templates are untrusted programs. The
 * first request starts a process. Email content is neither stored nor logged.
 */
export class EmailCompiler {
  readonly #options: EmailCompilerOptions;
  readonly #processes: BoundedPool<CompileRequest, CompileReply>;

  constructor(options: EmailCompilerOptions) {
    const { emailWorkers, emailTimeoutMs, maxEmailBytes } = options.config;
    this.#options = options;
    this.#processes = new BoundedPool({
      entry: new URL('./compile-process.ts', import.meta.url),
      workers: emailWorkers,
      timeoutMs: emailTimeoutMs,
      memoryMib: COMPILER_MIB + Math.ceil(maxEmailBytes / 2 ** 20) * MIB_PER_EMAIL_MIB,
      maxWaiting: MAX_WAITING,
    });
  }

  /** Compiles one email. Rejects with ApiError for an invalid request, or with the signal's reason after an abort. */
  async compile(caller: Caller, body: EmailBody, signal: AbortSignal): Promise<EmailView> {
    const { clock, config, dataChecker } = this.#options;
    const origin = templateOrigin(body);
    const named =
      'saved' in origin
        ? await this.#savedTemplate(caller, origin.saved)
        : inlineTemplate(origin.sent, config.maxTemplateBytes);
    const turn = { signal, account: caller.account };
    const check = documentCheck(body.data, config.maxBodyBytes);
    const { schema } = named;
    const [data] = (await checkData(dataChecker, { schema }, check, turn)).data;
    const email = await this.merge({ ...named, looksAtValues: caller.mode === 'test' }, data, turn);
    return viewOf(email, 'saved' in origin ? origin.saved : null, clock.now());
  }

  /**
   * Merges validated data into an email template. Rejects with ApiError, or with the signal's reason after an abort.
   */
  async merge(
    { key, source, locale, looksAtValues = false, pointer }: KeyedTemplate,
    data: Uint8Array,
    turn: Turn,
  ): Promise<CompiledEmail> {
    const { maxEmailBytes: maxBytes, emailTimeoutMs: timeoutMs } = this.#options.config;
    const request = { templateKey: key, data, locale, looksAtValues, maxBytes, timeoutMs };
    try {
      const reply = await this.#processes.run(async (process) => {
        const first = await process.ask(request);
        const last = first.status === 'template_needed' ? await process.ask({ ...request, source }) : first;
        if (last.status === 'failed' && !last.usable) process.discard();
        return last;
      }, turn);
      if (reply.status === 'compiled') return reply.email;
      if (reply.status === 'failed') throw partFailed(reply.failure, pointer);
      throw new Error('a process requested an email template that it already has');
    } catch (error) {
      throw boundReached(error, maxBytes) ?? error;
    }
  }

  /** Kills the processes. */
  async stop(): Promise<void> {
    await this.#processes.stop();
  }

  /** Loads one of the account's saved email templates. */
  async #savedTemplate(caller: Caller, id: string): Promise<KeyedTemplate> {
    const { revision } = await this.#options.prepared.select(caller, id);
    const source = emailTemplateOf(id, revision.content);
    const { schema, defaultOptions } = revision.content;
    assertKnownLocale(undefined, defaultOptions);
    const { locale, timeZone } = defaultOptions ?? {};
    return {
      key: revision.sha256,
      source,
      pointer: '/email',
      ...(schema && { schema }),
      locale: { locale, timeZone },
    };
  }
}

function emailTemplateOf(name: string, { html, css, email }: RevisionContent): EmailTemplate {
  if (email) return { ...email, html, ...(css !== undefined && { css }) };
  const message =
    `The template ${name} is not an email template: it has no email field. ` +
    `PATCH /v1/templates/${name} with email: {subject, preheader, text}; only subject is required.`;
  throw new ApiError('not_an_email_template', message);
}

function inlineTemplate(
  { engine: _engine, ...source }: NonNullable<EmailBody['template']>,
  maxBytes: number,
): KeyedTemplate {
  checkSize(source, maxBytes);
  return { key: sha256Hex(canonicalJson(source)), source, pointer: '/template' };
}

function viewOf(email: CompiledEmail, templateId: string | null, now: Date): EmailView {
  const { subject, html, text, warnings } = email;
  return {
    id: newId('eml', now),
    template_id: templateId,
    ...email,
    providers: {
      resend: { subject, html, text },
      mailgun: { subject, html, text },
      brevo: { subject, htmlContent: html, textContent: text },
    },
    warnings: [...warnings],
    stored: false,
    compiled_at: now.toISOString(),
  };
}

/** 422: a part of the email template below `pointer` does not compile, or fails with this data. */
function partFailed({ code, message, part, problem, place }: CompileFailure, pointer: string): ApiError {
  // The HTML of a saved template is not an email part.
  const path = part === 'html' && pointer === '/email' ? '/html' : `${pointer}/${part}`;
  if (code === 'template_invalid') return doesNotCompile(problem ?? { line: 1, column: 1, message }, path);
  return new ApiError(code, `The email's ${part} cannot be compiled: ${message}.`, {
    details: [{ path, message, ...place }],
  });
}

/** Returns the caller's error when a limit was reached; undefined for any other error. */
function boundReached(error: unknown, maxBytes: number): ApiError | undefined {
  if (!(error instanceof ChildProcessError)) return undefined;
  switch (error.code) {
    case 'time_limit': {
      const hint = 'Avoid nested loops, and use less CSS or fewer elements.';
      return new ApiError('merge_timeout', `The email cannot be compiled: ${error.message}. ${hint}`);
    }
    case 'out_of_memory':
      return new ApiError('merge_too_large', `The email cannot be compiled: ${tooLarge(maxBytes)}.`, {
        cause: error,
      });
    case 'pool_full':
      return unavailable(
        'Too many emails are waiting to be compiled. Try again in a moment.',
        undefined,
        error,
      );
    case 'ended':
      return unavailable(
        'The process compiling the email stopped unexpectedly. Try again.',
        undefined,
        error,
      );
  }
}
