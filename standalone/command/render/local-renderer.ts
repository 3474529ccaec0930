import {
  attachmentsKey,
  newId,
  type DocumentFormat,
  type DocumentWarning,
  type KeyMode,
  type ProblemPart,
} from '@trifold/crds';
import { MAX_TEMPLATE_BYTES } from '@trifold/crds/limits.ts';
import type { PreviewBody } from '@trifold/api-gateway/previews/preview-body.ts';
import { PreviewChecks, problemOf, type ValidPreview } from '@trifold/api-gateway/previews/preview-checks.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import type { PresignedStore } from '@trifold/platform/object-store/port.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FIRST_ACCOUNT } from '@trifold/platform/records/api-keys/account.ts';
import { packAttachments } from '@trifold/platform/records/documents/attachments.ts';
import { eInvoiceAttachment } from '@trifold/platform/records/documents/e-invoice-attachment.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type { RenderOutcome, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { readSettings, readTogether, type Environment } from '@trifold/platform/settings/read-settings.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { canonicalJson, sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { loadRendererConfig } from '@trifold/renderer/config.ts';
import { Renderer } from '@trifold/renderer/renderer.ts';

/** An error that prevents a file, or a warning about one. */
export interface Finding {
  readonly level: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly part?: ProblemPart | null | undefined;
  /** Position in the part. */
  readonly line?: number | null | undefined;
  readonly column?: number | null | undefined;
  /** Field that the message is about: a JSON Pointer that begins with the part. */
  readonly path?: string | null | undefined;
}

export interface LocalDocument extends Pick<
  PreviewBody,
  'html' | 'css' | 'schema' | 'default_options' | 'data' | 'options' | 'e_invoice'
> {
  readonly format: DocumentFormat;
  /** Title of a PDF whose HTML has none. */
  readonly title: string;
  readonly identity?: DocumentIdentity;
}

/** Document metadata in the file. */
export interface DocumentIdentity {
  /** @default a new ID */
  readonly id?: string;
  /** ISO 8601. @default now */
  readonly createdAt?: string;
  /** Version of the template. @default none */
  readonly version?: number;
  /** A document created with a test key has a watermark. @default live */
  readonly mode?: KeyMode;
}

export interface LocalResult {
  /** Absent if there are errors. */
  readonly file?: Uint8Array;
  readonly pages?: number;
  readonly findings: readonly Finding[];
}

const NEVER = new AbortController().signal;

/**
 * Creates files in this process, with the service's checks and renderer, but without a server, a key, or files
 * other than the browser's temporary ones. Its objects stay in memory until their document is finished.
 */
export class LocalRenderer {
  readonly #objects = new Map<string, Uint8Array>();
  readonly #queue = new InProcessQueue();
  readonly #pool = new CheckPool();
  readonly #checks: PreviewChecks;
  readonly #renderer: Renderer;
  readonly #deadlineMs: number;

  /** Throws ConfigError for invalid settings. */
  constructor(environment: Environment) {
    const [{ logLevel, deadlineMs, maxBodyBytes }, config] = readTogether([
      () =>
        readSettings(
          { TRIFOLD_LOG_LEVEL: 'error', ...environment },
          {
            logLevel: 'TRIFOLD_LOG_LEVEL',
            deadlineMs: 'TRIFOLD_RENDER_DEADLINE',
            maxBodyBytes: 'TRIFOLD_MAX_BODY',
          },
        ),
      () => loadRendererConfig(environment),
    ]);
    this.#deadlineMs = deadlineMs;
    this.#checks = new PreviewChecks({
      checker: new TemplateChecker(this.#pool),
      dataChecker: new DataChecker(this.#pool),
      config: { maxBodyBytes, maxTemplateBytes: MAX_TEMPLATE_BYTES },
      test: false,
    });
    this.#renderer = new Renderer({
      queue: this.#queue,
      storeOf: () => this.#store,
      clock: systemClock,
      logger: createLogger({ level: logLevel, name: 'trifold', destination: process.stderr }),
      config: { ...config, browsers: 1 },
    });
  }

  /** Rejects with SetupError or BrowserLaunchError if no browser starts; the renderer cannot be used afterwards. */
  async render({ title, identity = {}, ...body }: LocalDocument): Promise<LocalResult> {
    const [{ errors, valid }] = await Promise.all([
      this.#checks.check(body, FIRST_ACCOUNT, NEVER),
      this.#renderer.start(),
    ]);
    const problems = errors.flatMap((error) => problemOf(error).entries);
    const findings = problems.map((problem) => ({ level: 'error', ...problem }) as const);
    if (!valid || findings.length > 0) return { findings };
    const task = this.#stored(valid, { format: body.format, title, identity });
    const outcome = await this.#outcomeOf(task);
    const file = this.#objects.get(task.resultKey);
    this.#objects.clear();
    if (outcome.status === 'failed') {
      const { code, message, place } = outcome.failure;
      return { findings: [{ level: 'error', code, message, ...place }] };
    }
    const { warnings = [], pages } = outcome.result;
    return { ...(file && { file }), pages, findings: warnings.map(asFinding) };
  }

  /** Browser product and version, known after the first file. */
  get browserVersion(): string {
    return this.#renderer.browserVersion ?? 'unknown';
  }

  /** Leaves no process or temporary file behind. */
  async stop(): Promise<void> {
    await this.#renderer.stop(0);
    await Promise.all([this.#pool.stop(), this.#queue.close()]);
  }

  get #store(): PresignedStore {
    return {
      read: async (key) => Buffer.from(this.#objects.get(key) ?? []),
      head: async () => undefined,
      put: async (key, body) => {
        this.#objects.set(key, Buffer.from(body));
        return { created: true };
      },
    };
  }

  #stored(
    { template, data, options, eInvoice: created }: ValidPreview,
    { format, title, identity }: Required<Pick<LocalDocument, 'format' | 'title' | 'identity'>>,
  ): RenderTask {
    const now = systemClock.now();
    const { createdAt = now.toISOString(), id = newId('gen', now), mode = 'live', ...version } = identity;
    const revision = canonicalJson({ ...template, displayName: title });
    const revisionKey = sha256Hex(revision);
    this.#objects.set(revisionKey, Buffer.from(revision)).set(`${id}.json`, data);
    const document = { id, uid: id, format, mode, createdAt, expiresAt: createdAt, ...version };
    const eInvoice = created && template.eInvoice && eInvoiceAttachment(template.eInvoice.profile, created);
    const attachmentKeys = eInvoice ? [attachmentsKey(id)] : [];
    if (eInvoice) this.#objects.set(attachmentsKey(id), packAttachments([eInvoice]));
    const keys = { revisionKey, dataKey: `${id}.json`, attachmentKeys, resultKey: id };
    const turn = { queue: 'interactive', account: FIRST_ACCOUNT, deadlineMs: this.#deadlineMs } as const;
    // The queue accepts each ID only once.
    return { id: newId('gen', now), document, options, enqueuedAt: now.toISOString(), ...keys, ...turn };
  }

  async #outcomeOf(task: RenderTask): Promise<RenderOutcome> {
    const { promise, resolve } = Promise.withResolvers<RenderOutcome>();
    const forget = this.#queue.onFinished((_, outcome) => resolve(outcome));
    await this.#queue.add(task);
    return promise.finally(forget);
  }
}

function asFinding(warning: DocumentWarning): Finding {
  return { level: 'warning', ...warning };
}
