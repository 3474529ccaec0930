import type { RenderOptions } from '@trifold/crds';
import type { DocumentFailure, FailurePlace } from '@trifold/platform/errors/document-error.ts';
import { documentCheck, type DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { CheckTurn } from '@trifold/platform/templating/checking/check-pool.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type {
  CreatedEInvoice,
  EInvoiceRequest,
} from '@trifold/platform/templating/checking/created-e-invoices.ts';
import { RawJson } from '@trifold/platform/request-body/raw-json.ts';
import { contentOf, type RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import type { GatewayConfig } from '../config.ts';
import { ApiError, unavailable, type ErrorDetail } from '../server/errors/api-error.ts';
import { placed } from '../server/errors/problem-place.ts';
import { assertAttachableEInvoice, checkParts, checkSize } from '../templates/template-checks.ts';
import { changedSource, changedSpec } from '../templates/template-mapping.ts';
import { checkOptions } from '../options/options-check.ts';
import { checkData, type CheckedData } from '../templates/data-check.ts';
import { requestedEInvoices } from '../work/admission/request-e-invoices.ts';
import type { PreviewBody, PreviewError } from './preview-body.ts';

/** Fallback document title, because a preview has no name. */
const TITLE = 'Preview';

export interface PreviewChecksOptions {
  readonly checker: TemplateChecker;
  readonly dataChecker: DataChecker;
  readonly config: Pick<GatewayConfig, 'maxBodyBytes' | 'maxTemplateBytes'>;
  /** Whether e-invoices contain the note TEST. @default true */
  readonly test?: boolean;
}

export interface ValidPreview {
  readonly template: RevisionContent;
  readonly options: RenderOptions;
  /** JSON object with the schema's defaults applied, UTF-8. */
  readonly data: Uint8Array;
  /** The document's e-invoice, if it has a valid one. */
  readonly eInvoice?: CreatedEInvoice | undefined;
}

export interface CheckedPreview {
  readonly errors: readonly ApiError[];
  /** Content to render. Absent if the errors prevent rendering; invalid data does not. */
  readonly valid?: ValidPreview;
}

/** Applies the same checks to a preview's content as when a template is saved and a document is requested. */
export class PreviewChecks {
  readonly #options: PreviewChecksOptions;

  constructor(options: PreviewChecksOptions) {
    this.#options = options;
  }

  /**
   * Returns the errors in all parts, not just the first one. Rejects with the signal's reason, or when a check could
   * not run.
   */
  async check(body: PreviewBody, account: string, signal: AbortSignal): Promise<CheckedPreview> {
    const { checker, dataChecker, config } = this.#options;
    const checks = { checker, account };
    const errors: ApiError[] = [];
    /** Returns undefined if the check fails. */
    const attempt = async <T>(check: () => Promise<T>): Promise<T | undefined> => {
      signal.throwIfAborted();
      try {
        return await check();
      } catch (error) {
        if (signal.aborted || !isContentError(error)) throw error;
        errors.push(error);
        return undefined;
      }
    };

    const { html, schema, email, default_options, options: asked, format = 'pdf' } = body;
    const source = changedSource({ html }, body);
    await attempt(async () => {
      checkSize(source, config.maxTemplateBytes);
      await checkParts({ html }, checks);
    });
    await attempt(async () => checkParts({ email }, checks));
    const template = await attempt(async () => {
      await checkParts({ default_options }, checks);
      return contentOf(changedSpec({ displayName: TITLE }, body), source);
    });
    // Invalid defaults would cause the same error again.
    const options = await attempt(async () =>
      checkOptions(asked, template?.defaultOptions, { ...checks, format }),
    );
    const eInvoice = await attempt(async () => {
      await checkParts({ e_invoice: body.e_invoice }, checks);
      return template && this.#eInvoiceOf(template, format, options);
    });
    const check = documentCheck(body.data, config.maxBodyBytes);
    const turn = { account, signal };
    const filled = await attempt(async () => {
      await checkParts({ schema }, checks);
      return checkData(dataChecker, { schema: schema ?? undefined }, check, turn);
    });
    if (!template || errors.some(({ code }) => code !== 'data_invalid')) return { errors };
    const shown = filled ?? (await attempt(async () => checkData(dataChecker, {}, check, turn)));
    const created = await attempt(async () => this.#created(eInvoice, filled, turn));
    const data = shown?.data[0];
    return { errors, ...(data && { valid: { template, options: options ?? {}, data, eInvoice: created } }) };
  }

  /** Creates a preview's e-invoice from its data with the defaults. Rejects with ApiError. */
  async #created(
    eInvoice: EInvoiceRequest | undefined,
    filled: CheckedData | undefined,
    turn: CheckTurn,
  ): Promise<CreatedEInvoice | undefined> {
    if (!eInvoice || !filled) return undefined;
    const { dataChecker, config } = this.#options;
    const check = documentCheck(new RawJson(filled.data[0], false), config.maxBodyBytes);
    const { eInvoices = [] } = await checkData(dataChecker, { eInvoice }, check, turn);
    return eInvoices[0];
  }

  /** Returns how to create a preview's e-invoice. Throws ApiError. */
  #eInvoiceOf(
    template: RevisionContent,
    format: NonNullable<PreviewBody['format']>,
    options: RenderOptions | undefined,
  ): EInvoiceRequest | undefined {
    if (format === 'email') return undefined;
    if (!options?.conformance) assertAttachableEInvoice(template);
    return requestedEInvoices(template, { format, options, test: this.#options.test ?? true });
  }
}

/** Reason that a template cannot be previewed. */
export interface PreviewProblem {
  /** Response to a request for the file. */
  readonly error: ApiError;
  /** The same problem as entries in a JSON response. */
  readonly entries: readonly PreviewError[];
}

/** Whether an error means that the content of a preview is invalid, rather than that the service could not check it. */
export function isContentError(error: unknown): error is ApiError {
  return error instanceof ApiError && !error.retryable;
}

/** Converts an error from a check. */
export function problemOf(error: ApiError): PreviewProblem {
  const { code, message, details = [] } = error;
  const entries = details.map((detail) => ({ ...NOWHERE, code, ...placed(detail) }));
  return { error, entries: entries.length > 0 ? entries : [{ ...NOWHERE, code, message }] };
}

const NOWHERE = { path: null, name: null, part: null, line: null, column: null, rule: null, term: null };

/** Converts a renderer failure. Throws ApiError `unavailable` when another attempt may succeed. */
export function renderProblem({ code, message, retryable, place }: DocumentFailure): PreviewProblem {
  if (retryable) throw unavailable(`The preview could not be rendered: ${message}. Try again in a moment.`);
  const error = new ApiError('generation_failed', `The preview could not be rendered: ${message}.`, {
    statusCode: 422,
  });
  return { error, entries: [{ ...NOWHERE, code, message, ...place, path: pathOf(place) }] };
}

/** A header or footer can be in the defaults or in the request. */
function pathOf(place: FailurePlace | undefined): ErrorDetail['path'] | null {
  return place?.part === 'html' ? '/html' : null;
}
