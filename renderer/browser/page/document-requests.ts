import { MAX_FOUND_WARNINGS, type DocumentWarning } from '@trifold/crds';
import type { CDPSession, Protocol } from 'puppeteer-core';
import type { PipeTransport } from '../process/pipe-transport.ts';
import { ImagePixels } from '../../images/image-pixels.ts';
import { shownUrl } from '../../shown-url.ts';
import { PrintError } from './print-error.ts';

/** A warning, with the text to search for in the template to locate its subject. */
export interface FoundWarning extends DocumentWarning {
  /** Template text, or several alternatives in order of preference. */
  readonly literal?: string | readonly string[];
  /** Name of a CSS property whose value contains the literal. */
  readonly after?: string;
}

/** Permissions of a document beyond showing its own content. */
export interface DocumentPermissions {
  readonly scripts: boolean;
  /** Source of its images, styles and fonts; none are loaded if omitted. */
  readonly resources?: ResourceSource;
}

/**
 * Opens the source for one document, with separate limits. The signal aborts all in-flight requests. The returned
 * function takes a URL. Its promise resolves with the resource, or with the reason that the resource is unavailable,
 * and never rejects.
 */
export type ResourceSource = (signal: AbortSignal) => (url: string) => Promise<Resource | Blocked>;

export interface Resource {
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * `not_allowed`: the permissions do not allow the request. `failed`: the request failed, took too long or exceeded a
 * limit.
 */
export type Blocked = 'not_allowed' | 'failed';

const REASONS: Readonly<Record<Blocked, string>> = {
  not_allowed: 'its host is not allowed. Embed the resource, or ask an operator to allow the host.',
  failed: 'the request failed, took too long or exceeded a limit.',
};

type RequestPaused = Protocol.Fetch.RequestPausedEvent;

/** Resource types that are loaded. Frames, script requests, media and other types are not. */
const SHOWN: Partial<Record<Protocol.Network.ResourceType, string>> = {
  Image: 'image',
  Stylesheet: 'style sheet',
  Font: 'font',
};

/** Shared by all documents: creating an error for each takes time. */
const DOCUMENT_ENDED = new Error('the document has ended');

/**
 * Responds to every request that documents on a page make, so that the browser never opens a connection itself.
 * Requests that are not allowed fail.
 */
export class DocumentRequests {
  readonly #session: CDPSession;
  readonly #transport: PipeTransport;
  readonly #permissions: DocumentPermissions;
  #document = new AbortController();
  #resources: ReturnType<ResourceSource> | undefined;
  /** Warnings, by the URL they show. */
  #blocked = new Map<string, FoundWarning>();
  #imagePixels = new ImagePixels();
  readonly #fail: (error: PrintError) => void;

  /** `fail` is called when a document's images are too large. */
  constructor(
    session: CDPSession,
    transport: PipeTransport,
    permissions: DocumentPermissions,
    fail: (error: PrintError) => void,
  ) {
    this.#session = session;
    this.#transport = transport;
    this.#permissions = permissions;
    this.#fail = fail;
    session.on('Fetch.requestPaused', (event) => {
      // The page or its document may already be gone.
      this.#answer(event).catch(() => undefined);
    });
  }

  get allowed(): boolean {
    return this.#permissions.resources !== undefined;
  }

  /** One warning for each image, stylesheet and font that the current document did not load, in request order. */
  get warnings(): FoundWarning[] {
    return [...this.#blocked.values()];
  }

  /** A document that fails before it begins has no warnings. */
  forgetWarnings(): void {
    this.#blocked = new Map();
  }

  /**
   * Starts a new document: aborts the requests of the previous one and resets the limits. The document itself embeds
   * images with `imagePixels` pixels.
   */
  begin(imagePixels: number): void {
    this.end();
    this.#imagePixels = new ImagePixels(imagePixels);
    this.#document = new AbortController();
    this.forgetWarnings();
    this.#resources = this.#permissions.resources?.(this.#document.signal);
  }

  /** Aborts in-flight requests; later ones fail. */
  end(): void {
    this.#resources = undefined;
    this.#document.abort(DOCUMENT_ENDED);
  }

  async #answer(event: RequestPaused): Promise<void> {
    const { requestId, request, resourceType } = event;
    const blocked = this.#blocked;
    const imagePixels = this.#imagePixels;
    const resource = await this.#resource(event);
    if (typeof resource === 'string') {
      // The HTML scan reports URLs with other schemes.
      const noun = /^https?:/i.test(request.url) ? SHOWN[resourceType] : undefined;
      if (noun !== undefined && blocked.size < MAX_FOUND_WARNINGS) {
        const name = shownUrl(request.url);
        const message = `The ${noun} was not loaded: ${REASONS[resource]}`;
        const literal = name.replace(/\?…$/, '');
        blocked.set(name, { code: 'resource_blocked', message, name, literal });
      }
      await this.#session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    const problem = resourceType === 'Image' && imagePixels.add(resource.body, URL.parse(request.url)?.host);
    if (problem) {
      if (imagePixels === this.#imagePixels) this.#fail(new PrintError('image_too_large', problem));
      return;
    }
    await this.#transport.withText(resource.body.toString('base64'), (body) =>
      this.#session.send('Fetch.fulfillRequest', responseOf(requestId, resource, body)),
    );
  }

  async #resource({ request, resourceType }: RequestPaused): Promise<Resource | Blocked> {
    const mayLoad = resourceType in SHOWN || (resourceType === 'Script' && this.#permissions.scripts);
    if (request.method !== 'GET' || !mayLoad) return 'not_allowed';
    return this.#resources?.(request.url) ?? 'not_allowed';
  }
}

/** Keeps only the content type of the original response: no cookie, no policy, no redirect. */
function responseOf(
  requestId: string,
  { contentType }: Resource,
  body: string,
): Protocol.Fetch.FulfillRequestRequest {
  return {
    requestId,
    responseCode: 200,
    responseHeaders: [
      { name: 'content-type', value: contentType },
      // Browsers fetch fonts with CORS, and a document has no origin.
      { name: 'access-control-allow-origin', value: '*' },
      { name: 'cache-control', value: 'no-store' },
    ],
    body,
  };
}
