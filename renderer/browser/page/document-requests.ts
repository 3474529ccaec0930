import type { CDPSession, Protocol } from 'puppeteer-core';
import type { PipeTransport } from '../process/pipe-transport.ts';
import { ImagePixels } from '../../images/image-pixels.ts';
import { BlockedResources } from './blocked-resources.ts';
import type { Blocked, DocumentPermissions, DocumentResources, Resource } from './document-permissions.ts';
import { PrintError } from './print-error.ts';

type RequestPaused = Protocol.Fetch.RequestPausedEvent;

/** Resource types that are loaded. Frames, requests of scripts, media and other types are not. */
const SHOWN: ReadonlySet<Protocol.Network.ResourceType> = new Set(['Image', 'Stylesheet', 'Font']);

/** Shared by all documents: creating an error for each takes time. */
const DOCUMENT_ENDED = new Error('the document has ended');

/**
 * Answers every request that documents on a page make, so that the browser never opens a connection of its own.
 * Requests that are not allowed fail.
 */
export class DocumentRequests {
  readonly #session: CDPSession;
  readonly #transport: PipeTransport;
  readonly #permissions: DocumentPermissions;
  #document = new AbortController();
  #resources: DocumentResources | undefined;
  #blocked = new BlockedResources();
  #imagePixels = new ImagePixels();
  readonly #fail: (error: PrintError) => void;

  /** `fail` is called when the images of a document are too large. */
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

  /** Whether external resources are allowed. */
  get allowed(): boolean {
    return this.#permissions.resources !== undefined;
  }

  /** Images, stylesheets and fonts of the current document that were not loaded. */
  get blocked(): BlockedResources {
    return this.#blocked;
  }

  /**
   * Starts a new document: aborts the requests of the previous one and resets the limits. The document itself contains
   * images with `imagePixels`.
   */
  begin(imagePixels: number): void {
    this.end();
    this.#imagePixels = new ImagePixels(imagePixels);
    this.#document = new AbortController();
    this.#blocked = new BlockedResources();
    this.#resources = this.#permissions.resources?.open(this.#document.signal);
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
      if (SHOWN.has(resourceType)) blocked.add(request.url, resourceType, resource);
      await this.#session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    const problem = resourceType === 'Image' && imagePixels.add(resource.body, URL.parse(request.url)?.host);
    if (problem) {
      if (imagePixels === this.#imagePixels) this.#fail(PrintError.imageTooLarge(problem));
      return;
    }
    await this.#transport.withText(resource.body.toString('base64'), (body) =>
      this.#session.send('Fetch.fulfillRequest', answerOf(requestId, resource, body)),
    );
  }

  async #resource({ request, resourceType }: RequestPaused): Promise<Resource | Blocked> {
    if (request.method !== 'GET' || !this.#mayBe(resourceType)) return 'not_allowed';
    return this.#resources?.get(request.url) ?? 'not_allowed';
  }

  #mayBe(type: Protocol.Network.ResourceType): boolean {
    return SHOWN.has(type) || (type === 'Script' && this.#permissions.scripts);
  }
}

/** Keeps only the content type of the original response: no cookie, no policy, no redirect. */
function answerOf(
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
