import type { CDPSession, Protocol } from 'puppeteer-core';
import type { PipeTransport } from '../process/pipe-transport.ts';
import type { DocumentPermissions, DocumentResources, Resource } from './document-permissions.ts';

type RequestPaused = Protocol.Fetch.RequestPausedEvent;

/** What is looked at and shown. Frames, scripts' own requests, films and the like come from nowhere. */
const SHOWN: ReadonlySet<Protocol.Network.ResourceType> = new Set(['Image', 'Stylesheet', 'Font']);

/**
 * Answers every request that documents make on a page, in the browser's place: it never has a connection of its own.
 * What is not allowed is refused.
 */
export class DocumentRequests {
  readonly #session: CDPSession;
  readonly #transport: PipeTransport;
  readonly #permissions: DocumentPermissions;
  #document = new AbortController();
  #resources: DocumentResources | undefined;

  constructor(session: CDPSession, transport: PipeTransport, permissions: DocumentPermissions) {
    this.#session = session;
    this.#transport = transport;
    this.#permissions = permissions;
    session.on('Fetch.requestPaused', (event) => {
      // The page or its document may be gone by then.
      this.#answer(event).catch(() => undefined);
    });
  }

  /** Whether anything may come from elsewhere. */
  get allowed(): boolean {
    return this.#permissions.resources !== undefined;
  }

  /** Forgets the document before: what it asked for ends, and the next has bounds of its own. */
  begin(): void {
    this.end();
    this.#document = new AbortController();
    this.#resources = this.#permissions.resources?.open(this.#document.signal);
  }

  /** Ends what is under way; what is asked for from now on is refused. */
  end(): void {
    this.#resources = undefined;
    this.#document.abort();
  }

  async #answer(event: RequestPaused): Promise<void> {
    const { requestId } = event;
    const resource = await this.#resource(event);
    if (!resource) {
      await this.#session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
      return;
    }
    await this.#transport.withText(resource.body.toString('base64'), (body) =>
      this.#session.send('Fetch.fulfillRequest', answerOf(requestId, resource, body)),
    );
  }

  async #resource({ request, resourceType }: RequestPaused): Promise<Resource | undefined> {
    if (request.method !== 'GET' || !this.#mayBe(resourceType)) return undefined;
    return this.#resources?.get(request.url);
  }

  #mayBe(type: Protocol.Network.ResourceType): boolean {
    return SHOWN.has(type) || (type === 'Script' && this.#permissions.scripts);
  }
}

/** Of the answer's own headers the kind of content alone: no cookie, no policy, no redirect. */
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
      // Fonts are asked for across origins, of which a document has none.
      { name: 'access-control-allow-origin', value: '*' },
      { name: 'cache-control', value: 'no-store' },
    ],
    body,
  };
}
