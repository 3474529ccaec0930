import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { backoffDelay } from '../../kubernetes/controller/backoff.ts';
import { MachineLookups } from '../../outbound/machine-lookups.ts';
import type { Clock } from '../../async/clock.ts';
import type { Logger } from '../../process/logging.ts';
import { sha256Hex } from '../../templating/revisions/canonical-json.ts';
import type { PreviewOutcome, PreviewRenderer, PreviewTask } from '../port.ts';
import type { RendererAddress } from '../../settings/setting-forms.ts';
import type { PreviewClientConfig } from './preview-config.ts';
import {
  ACCOUNT_HEADER,
  assertLength,
  decodeOutcome,
  encodeTask,
  MESSAGE_TYPE,
  messageLength,
  PREVIEW_PATH,
  readMessage,
  writeMessage,
  type PreviewMessage,
} from './preview-message.ts';
import { documentFailure } from '../../errors/document-error.ts';
import type { DocumentErrorCode } from '../../errors/error-codes.ts';

export interface HttpPreviewsOptions extends PreviewClientConfig {
  readonly clock: Clock;
  readonly logger: Logger;
}

interface EncodedPreview {
  readonly task: PreviewTask;
  readonly message: PreviewMessage;
}

/** Time limit for a renderer to accept or reject a preview, in milliseconds. */
const ACCEPT_MS = 2_000;
/** Maximum time that a preview waits for a renderer to accept it, in milliseconds. */
const WAIT_MS = 5_000;
/** Delays before the renderers that rejected a preview are asked again. */
const RETRY = { baseMs: 50, capMs: 500 };
/**
 * Maximum time of an accepted preview as a multiple of its deadline: a renderer waits up to twice the deadline for a
 * browser, and the rest is for the file.
 */
const MAX_RESPONSE_LENGTH = 4;

/** Renders previews on a cluster's renderers, over HTTP. An abort closes the connection, which ends the work. */
export class HttpPreviews implements PreviewRenderer {
  readonly #options: HttpPreviewsOptions;
  readonly #lookups = new MachineLookups();

  constructor(options: HttpPreviewsOptions) {
    this.#options = options;
  }

  /**
   * Asks one renderer after another until one accepts the preview, for up to five seconds. A renderer that fails later
   * fails the preview, because the preview may be the cause.
   */
  async render(task: PreviewTask, signal: AbortSignal): Promise<PreviewOutcome> {
    const { clock } = this.#options;
    const message = encodeTask(task);
    const until = clock.monotonicMs() + WAIT_MS;
    for (let round = 0; ; round += 1) {
      let none: PreviewOutcome = noRenderer();
      for (const address of preferred(await this.#addresses(signal), task.account)) {
        const outcome = await this.#ask(address, { task, message }, signal);
        if (outcome !== 'unreachable' && outcome.status !== 'busy') return outcome;
        if (outcome !== 'unreachable') none = outcome;
        if (clock.monotonicMs() >= until) break;
      }
      if (clock.monotonicMs() >= until) return none;
      await clock.sleep(backoffDelay(RETRY, round, Math.random), signal);
      signal.throwIfAborted();
    }
  }

  /** Returns the addresses behind each name; a name that does not resolve contributes none. */
  async #addresses(signal: AbortSignal): Promise<RendererAddress[]> {
    const found = await Promise.all(
      this.#options.renderers.map(async ({ host, port }) => {
        const hosts = await this.#lookups.find(host, signal).catch((error: unknown) => {
          signal.throwIfAborted();
          this.#options.logger.debug({ err: error, host }, 'no renderer address found');
          return [];
        });
        return hosts.map((address) => ({ host: address, port }));
      }),
    );
    return found.flat();
  }

  /** Asks one renderer. `unreachable`: it did not accept the preview in time. */
  async #ask(
    address: RendererAddress,
    { task, message }: EncodedPreview,
    signal: AbortSignal,
  ): Promise<PreviewOutcome | 'unreachable'> {
    const { clock, logger } = this.#options;
    const request = this.#request(address, { task, message }, signal);
    const timeout = () => request.destroy(new Error('the renderer did not respond in time'));
    let cancelTimeout = clock.schedule(ACCEPT_MS, timeout);
    let isAccepted = false;
    request.once('continue', () => {
      isAccepted = true;
      cancelTimeout();
      cancelTimeout = clock.schedule(task.deadlineMs * MAX_RESPONSE_LENGTH, timeout);
      writeMessage(message, request);
    });
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return await this.#outcome(response, address);
    } catch (error) {
      signal.throwIfAborted();
      if (!isAccepted) {
        logger.debug({ err: error, ...address }, 'could not reach a renderer for a preview');
        return 'unreachable';
      }
      logger.warn({ err: error, ...address, preview: task.id }, 'a renderer stopped during a preview');
      return failed('renderer_lost', 'its renderer stopped or did not respond');
    } finally {
      cancelTimeout();
      request.destroy();
    }
  }

  #request(
    { host, port }: RendererAddress,
    { task, message }: EncodedPreview,
    signal: AbortSignal,
  ): ClientRequest {
    const headers = {
      authorization: `Bearer ${this.#options.token}`,
      [ACCOUNT_HEADER]: task.account,
      'content-type': MESSAGE_TYPE,
      'content-length': messageLength(message),
      expect: '100-continue',
    };
    const options = { host, port, method: 'POST', path: PREVIEW_PATH, agent: false, headers, signal };
    // A request that is destroyed later still emits its error.
    return httpRequest(options).on('error', () => undefined);
  }

  async #outcome(response: IncomingMessage, address: RendererAddress): Promise<PreviewOutcome> {
    const { statusCode } = response;
    if (statusCode === 503) return { status: 'busy' };
    if (statusCode === 200) {
      assertLength(response);
      return decodeOutcome(await readMessage(response));
    }
    this.#options.logger.error({ ...address, statusCode }, 'a renderer rejected a preview');
    return failed('renderer_error', `the renderer returned ${statusCode}`);
  }
}

function noRenderer(): PreviewOutcome {
  return failed('no_renderer', 'no renderer is available');
}

function failed(code: DocumentErrorCode, message: string): PreviewOutcome {
  return { status: 'failed', failure: documentFailure(code, message) };
}

/** Returns the renderers in an account-specific order, so that an account reuses its page and a running browser. */
function preferred(addresses: readonly RendererAddress[], account: string): RendererAddress[] {
  return addresses
    .map((address) => ({ address, rank: sha256Hex(`${account} ${address.host} ${address.port}`) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ address }) => address);
}
