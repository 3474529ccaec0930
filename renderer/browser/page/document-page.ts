import { CDPSessionEvent, type CDPSession, type Protocol } from 'puppeteer-core';
import { capturePicture, setViewport, type Picture, type PictureSettings } from './picture.ts';
import { takeSnapshot, type PageSnapshot } from './page-snapshot.ts';
import { NOTHING_ALLOWED, type DocumentPermissions } from './document-permissions.ts';
import { DocumentRequests } from './document-requests.ts';
import { isGone, PrintError } from './print-error.ts';
import type { BrowserProcess } from '../process/browser-process.ts';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import { mayLeave, readingMode, type ReadingMode } from './residue.ts';

/** Sizes in inches. A document that says `@page` has its way; what is stronger than that is in the document. */
export interface PrintSettings {
  readonly paperWidth: number;
  readonly paperHeight: number;
  readonly marginTop: number;
  readonly marginRight: number;
  readonly marginBottom: number;
  readonly marginLeft: number;
  readonly printBackground: boolean;
  /** @default 1 */
  readonly scale?: number;
  /** @default false */
  readonly generateTaggedPDF?: boolean;
  /** @default false */
  readonly generateDocumentOutline?: boolean;
}

/** Half of the time would go into tags and an outline. */
const DEFAULT_SETTINGS = { generateTaggedPDF: false, generateDocumentOutline: false } as const;
/** The same for every document. Headers and footers are printed apart (docs/adr/0016-headers-and-footers.md). */
const FIXED_SETTINGS = {
  preferCSSPageSize: true,
  displayHeaderFooter: false,
  transferMode: 'ReturnAsBase64',
} as const;

const BLANK = 'about:blank';

/** What a page needs of its browser. */
type Browser = Pick<BrowserProcess, 'connection' | 'transport'>;

/**
 * A document whose load takes longer is laid out, and again after as long: what waits for its layout (an image in an
 * SVG) would hold up the load for ever, as no frame is drawn.
 */
const LAYOUT_AFTER_MS = 50;

/**
 * One page of a browser, printed on again and again. What is the same for all documents is set when it is opened: a
 * document costs two commands. Every request that a document makes beyond `data:` is refused, unless it is
 * permitted.
 */
export class DocumentPage {
  readonly #browser: Browser;
  readonly #session: CDPSession;
  readonly #targetId: string;
  readonly #frameId: string;
  #loaded: (() => void) | undefined;
  #navigated = false;
  #failure: PrintError | undefined;
  #fail: ((error: PrintError) => void) | undefined;
  #needsFreshDocument = false;
  /** Mode of the documents since the page was new; undefined before the first one. */
  #readingMode: ReadingMode;
  #mayBeLeft = false;
  readonly #requests: DocumentRequests;
  readonly #scripts: boolean;

  private constructor(
    browser: Browser,
    session: CDPSession,
    ids: { readonly targetId: string; readonly frameId: string },
    permissions: DocumentPermissions,
  ) {
    this.#browser = browser;
    this.#session = session;
    this.#targetId = ids.targetId;
    this.#frameId = ids.frameId;
    this.#scripts = permissions.scripts;
    this.#requests = new DocumentRequests(session, browser.transport, permissions);
    this.#listen();
  }

  /** Opens a page in a browser context. */
  static async open(
    browser: Browser,
    browserContextId: string,
    permissions: DocumentPermissions = NOTHING_ALLOWED,
  ): Promise<DocumentPage> {
    const { connection } = browser;
    const { targetId } = await connection.send('Target.createTarget', { url: BLANK, browserContextId });
    const { targetInfo } = await connection.send('Target.getTargetInfo', { targetId });
    const session = await connection.createSession(targetInfo);
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Emulation.setScriptExecutionDisabled', { value: !permissions.scripts }),
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    ]);
    const ids = { targetId, frameId: frameTree.frame.id };
    return new DocumentPage(browser, session, ids, permissions);
  }

  /** Whether it can take another document. A page that failed once, or is yet to be left for another, cannot. */
  get usable(): boolean {
    return this.#failure === undefined && !this.#mayBeLeft;
  }

  /** Whether its process is gone. */
  get crashed(): boolean {
    return this.#failure?.code === 'browser_crashed';
  }

  /** Prints a document, in the place of the one before. Rejects with PrintError. */
  async print(html: string, settings: PrintSettings): Promise<Buffer> {
    return this.#attempt(() => this.#print(html, settings));
  }

  /**
   * Draws a document as a picture, in the place of the one before. The browser must be one that draws frames. Rejects
   * with PrintError, `output_too_large` before anything is drawn.
   */
  async capture(html: string, settings: PictureSettings): Promise<Picture> {
    return this.#attempt(() => this.#capture(html, settings));
  }

  /**
   * Tells how a document is laid out, in the place of the one before. The browser must be one that draws frames. Rejects
   * with PrintError, `output_too_large` for a document that is too large.
   */
  async snapshot(html: string, viewport: PictureSettings): Promise<PageSnapshot> {
    return this.#attempt(() => this.#snapshot(html, viewport));
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure;
    const { promise: failed, reject } = Promise.withResolvers<never>();
    this.#fail = reject;
    try {
      return await Promise.race([work(), failed]);
    } catch (error) {
      this.#failure = error instanceof PrintError ? error : this.#errorOf(error);
      throw this.#failure;
    } finally {
      this.#fail = undefined;
      this.#requests.end();
    }
  }

  /** Takes the last document off the page. */
  async blank(): Promise<void> {
    const loaded = this.#whenLoaded();
    if (this.#needsFreshDocument) await this.#session.send('Page.navigate', { url: BLANK });
    else await this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html: '' });
    await this.#laidOutUntil(loaded);
    if (this.#needsFreshDocument) this.#readingMode = undefined;
    this.#needsFreshDocument = false;
  }

  /** Whether the last document left something that only a new document takes away. */
  get stained(): boolean {
    return this.#needsFreshDocument;
  }

  /** Ends what the page is doing: a document that is being printed fails with `reason`. */
  abort(reason: PrintError): void {
    this.#failure ??= reason;
    this.#requests.end();
    this.#fail?.(this.#failure);
  }

  /** Closes the page. Rejects when the browser does not obey. */
  async close(): Promise<void> {
    await this.#browser.connection.send('Target.closeTarget', { targetId: this.#targetId });
  }

  async #print(html: string, settings: PrintSettings): Promise<Buffer> {
    await this.#show(html);
    const { data } = await this.#session.send('Page.printToPDF', {
      ...DEFAULT_SETTINGS,
      ...settings,
      ...FIXED_SETTINGS,
    });
    if (this.#navigated) throw this.#errorOf(undefined);
    return runInSlices(decodeBase64(data));
  }

  async #capture(html: string, settings: PictureSettings): Promise<Picture> {
    await setViewport(this.#session, settings);
    if (settings.fresh === true) this.#needsFreshDocument = true;
    await this.#show(html);
    const picture = await capturePicture(this.#session, settings);
    if (this.#navigated) throw this.#errorOf(undefined);
    return picture;
  }

  async #snapshot(html: string, viewport: PictureSettings): Promise<PageSnapshot> {
    await setViewport(this.#session, viewport);
    await this.#show(html);
    const snapshot = await takeSnapshot({
      connection: this.#browser.connection,
      session: this.#session,
      targetId: this.#targetId,
      frameId: this.#frameId,
    });
    if (this.#navigated) throw this.#errorOf(undefined);
    return snapshot;
  }

  /** Loads a document and waits for all that is in it. */
  async #show(html: string): Promise<void> {
    await this.#clearFor(this.#scripts ? undefined : readingMode(html));
    this.#navigated = false;
    this.#mayBeLeft ||= this.#scripts || mayLeave(html);
    this.#requests.begin();
    const loaded = this.#whenLoaded();
    await this.#browser.transport.withText(html, (text) =>
      this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html: text }),
    );
    await this.#laidOutUntil(loaded);
    if (this.#requests.allowed || html.includes('@font-face')) await this.#fontsLoaded();
  }

  /**
   * Takes away what the documents before left, such as a content security policy. Only documents of the same mode share a
   * page.
   */
  async #clearFor(mode: ReadingMode): Promise<void> {
    if (this.#readingMode !== undefined && mode !== this.#readingMode) this.#needsFreshDocument = true;
    if (this.#needsFreshDocument) await this.blank();
    this.#readingMode = mode;
    this.#needsFreshDocument = mode === undefined;
  }

  #whenLoaded(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loaded = resolve;
    return promise;
  }

  /**
   * One command at a time, and none after the page is gone. The load of a page whose browser dies is never told: it is
   * the command that tells of that.
   */
  async #laidOutUntil(loaded: Promise<void>): Promise<void> {
    const { promise: gone, reject } = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    let waiting = true;
    const layOutLater = () => {
      if (!waiting || this.#failure) return;
      timer = setTimeout(() => {
        this.#session.send('Page.getLayoutMetrics').then(layOutLater, (error: unknown) => {
          if (isGone(error)) reject(error);
          else layOutLater();
        });
      }, LAYOUT_AFTER_MS);
    };
    layOutLater();
    try {
      await Promise.race([loaded, gone]);
    } finally {
      waiting = false;
      clearTimeout(timer);
    }
  }

  async #fontsLoaded(): Promise<void> {
    await this.#session.send('Runtime.evaluate', {
      // Fonts begin to load when something is laid out with them.
      expression: 'void document.documentElement?.offsetHeight; document.fonts.ready.then(() => true)',
      awaitPromise: true,
      returnByValue: true,
    });
  }

  #listen(): void {
    this.#session.on('Page.loadEventFired', () => this.#loaded?.());
    this.#session.on('Page.frameNavigated', ({ frame }: Protocol.Page.FrameNavigatedEvent) => {
      if (frame.parentId === undefined) this.#navigated = true;
    });
    this.#session.on('Page.javascriptDialogOpening', () => {
      this.#ignore(this.#session.send('Page.handleJavaScriptDialog', { accept: false }));
    });
    this.#session.once('Inspector.targetCrashed', () => this.abort(PrintError.crashed()));
    // The page is gone and the browser is not: we have closed it, or a script has.
    const onDetached = (session: CDPSession) => {
      if (session !== this.#session) return;
      this.#browser.connection.off(CDPSessionEvent.SessionDetached, onDetached);
      this.abort(PrintError.navigated());
    };
    this.#browser.connection.on(CDPSessionEvent.SessionDetached, onDetached);
  }

  #errorOf(cause: unknown): PrintError {
    if (this.#navigated) return PrintError.navigated();
    return PrintError.of(cause);
  }

  /** The page or its document may be gone by then, which is what was wanted. */
  #ignore(work: Promise<unknown>): void {
    work.catch(() => undefined);
  }
}
