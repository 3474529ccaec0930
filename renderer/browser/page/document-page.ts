import type { CDPSession, Protocol } from 'puppeteer-core';
import { CDPSessionEvent } from 'puppeteer-core/internal/api/CDPSession.js';
import { capturePicture, setViewport, type Picture, type PictureSettings } from './picture.ts';
import { takeSnapshot, type PageSnapshot } from './page-snapshot.ts';
import { highDecorations, type HighDecoration } from './high-decorations.ts';
import { overflowingContent, type OverflowingContent } from './overflowing-content.ts';
import { missingFonts, type MissingFonts } from './missing-fonts.ts';
import { accessibleContent, type AccessibleContent } from './accessible-content.ts';
import { withDescribedDrawings } from './drawing-descriptions.ts';
import { baseDirection, type Direction } from './base-direction.ts';
import { shownText, type ShownText } from './shown-text.ts';
import { pushedBlock, type PushedBlock } from './pushed-block.ts';
import type { ContentArea } from '../../pdf/content-area.ts';
import { measured } from './measured.ts';
import { DocumentRequests, type DocumentPermissions, type FoundWarning } from './document-requests.ts';
import { laidOutUntil } from './laid-out-until.ts';
import { PrintError } from './print-error.ts';
import type { Browser } from '../process/browser.ts';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import { mayNavigate, readingMode, type ReadingMode } from './page-reuse.ts';

/** Sizes in inches. `@page` rules and other print settings in the document take precedence. */
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
  /** Page numbers and ranges, separated by commas. @default all pages */
  readonly pageRanges?: string;
  /** @default false */
  readonly generateTaggedPDF?: boolean;
  /** @default false */
  readonly generateDocumentOutline?: boolean;
}

/** Searches a document that is laid out for print. */
export interface PrintLayout {
  overflowing(): Promise<OverflowingContent>;
  missingFonts(): Promise<readonly MissingFonts[]>;
  pushedBlock(): Promise<PushedBlock | undefined>;
}

/** Tags and an outline double the printing time. */
const DEFAULT_SETTINGS = { generateTaggedPDF: false, generateDocumentOutline: false } as const;
/**
 * Settings shared by all documents. Headers and footers are printed separately (docs/adr/0016-headers-and-footers.md).
 */
const FIXED_SETTINGS = {
  preferCSSPageSize: true,
  displayHeaderFooter: false,
  transferMode: 'ReturnAsBase64',
} as const;

const BLANK = 'about:blank';

const STYLE_RESOURCE = /url\(|image-set\(/i;

type ConnectedBrowser = Pick<Browser, 'connection' | 'transport'>;

/**
 * A browser page that prints many documents, one after another. Settings that all documents share are set when the page
 * opens, so that a document takes only two commands. Requests other than `data:` fail unless the permissions allow
 * them.
 */
export class DocumentPage {
  readonly #browser: ConnectedBrowser;
  readonly #session: CDPSession;
  readonly #targetId: string;
  readonly #frameId: string;
  #loaded: (() => void) | undefined;
  #navigated = false;
  #failure: PrintError | undefined;
  #fail: ((error: PrintError) => void) | undefined;
  #needsNewDocument = false;
  /** Parsing mode of the documents on this page so far; undefined before the first one. */
  #readingMode: ReadingMode;
  #mayNavigate = false;
  #hasStyleResources = false;
  readonly #requests: DocumentRequests;
  readonly #scripts: boolean;

  private constructor(
    browser: ConnectedBrowser,
    session: CDPSession,
    ids: { readonly targetId: string; readonly frameId: string },
    permissions: DocumentPermissions,
  ) {
    this.#browser = browser;
    this.#session = session;
    this.#targetId = ids.targetId;
    this.#frameId = ids.frameId;
    this.#scripts = permissions.scripts;
    const fail = (error: PrintError) => this.abort(error);
    this.#requests = new DocumentRequests(session, browser.transport, permissions, fail);
    this.#listen();
  }

  static async open(
    browser: ConnectedBrowser,
    browserContextId: string,
    permissions: DocumentPermissions = { scripts: false },
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
      // Set before a document is printed, so that it does not request anything that only screens show.
      session.send('Emulation.setEmulatedMedia', { media: 'print' }),
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    ]);
    const ids = { targetId, frameId: frameTree.frame.id };
    return new DocumentPage(browser, session, ids, permissions);
  }

  /** Whether the page can accept another document: it has not failed and cannot navigate away later. */
  get usable(): boolean {
    return this.#failure === undefined && !this.#mayNavigate;
  }

  get crashed(): boolean {
    return this.#failure?.code === 'browser_crashed';
  }

  /** Warnings about images, stylesheets and fonts that the last print, image or snapshot did not load. */
  get blocked(): FoundWarning[] {
    return this.#requests.warnings;
  }

  /**
   * Replaces the current document and prints the new one. `imagePixels`: number of pixels in its embedded images,
   * which count toward the limit for images that it loads. Rejects with PrintError.
   */
  async print(html: string, settings: PrintSettings, imagePixels?: number): Promise<Buffer> {
    return this.#attempt(async () => {
      await this.#show(html, imagePixels);
      const print = () => this.#printed(settings);
      if (!settings.generateTaggedPDF) return print();
      return withDescribedDrawings(this.#session, this.#frameId, html, print);
    });
  }

  /** Like `print`, but for `decorationSheets`. Also returns the headers and footers that are cut off. */
  async printSheets(
    html: string,
    settings: PrintSettings,
    imagePixels?: number,
  ): Promise<{ pdf: Buffer; cut: readonly HighDecoration[] }> {
    return this.#attempt(async () => {
      await this.#show(html, imagePixels);
      // Runs before printing, because printing changes the layout.
      const cut = await highDecorations(this.#session, this.#frameId);
      return { pdf: await this.#printed(settings), cut };
    });
  }

  /**
   * Replaces the current document and draws the new one as an image. The browser must draw frames. Rejects with
   * PrintError; with `output_too_large` before anything is drawn.
   */
  async capture(html: string, settings: PictureSettings, imagePixels?: number): Promise<Picture> {
    return this.#attempt(async () => {
      await setViewport(this.#session, settings);
      if (settings.fresh === true) this.#needsNewDocument = true;
      await this.#show(html, imagePixels);
      const picture = await capturePicture(this.#session, settings);
      this.#assertStayed();
      return picture;
    });
  }

  /**
   * Replaces the current document and returns the layout of the new one. The browser must draw frames. Rejects with
   * PrintError; with `output_too_large` when the document is too large.
   */
  async snapshot(html: string, viewport: PictureSettings, imagePixels?: number): Promise<PageSnapshot> {
    return this.#attempt(async () => {
      await setViewport(this.#session, viewport);
      await this.#show(html, imagePixels);
      const snapshot = await takeSnapshot(this.#session, this.#frameId, this.#browser.transport);
      this.#assertStayed();
      return snapshot;
    });
  }

  /**
   * Lays out the last printed document for pages with this area, so that `look` can inspect it. May reject with any
   * error; the document does not fail because of it.
   */
  async laidOut<T>({ width, height }: ContentArea, look: (layout: PrintLayout) => Promise<T>): Promise<T> {
    return this.#unlessAborted(async () => {
      const size = { width: Math.round(width), height: Math.round(height) };
      const metrics = { ...size, deviceScaleFactor: 1, mobile: false };
      await this.#session.send('Emulation.setDeviceMetricsOverride', metrics);
      try {
        return await look(this.#layout);
      } finally {
        await this.#session.send('Emulation.clearDeviceMetricsOverride');
      }
    });
  }

  /**
   * Returns the font family lists in the last image or sheets that contain no installed family. Rejects with the same
   * errors as `laidOut`.
   */
  async missingFonts(): Promise<readonly MissingFonts[]> {
    return this.#unlessAborted(() => this.#layout.missingFonts());
  }

  /** Returns the text of the last document; undefined if it is too large. Rejects with the same errors as `laidOut`. */
  async shownText(): Promise<ShownText | undefined> {
    return this.#unlessAborted(() => shownText(this.#session, this.#frameId));
  }

  /** Returns what screen readers say about the last document. Rejects with PrintError. */
  async accessible(withTables: boolean): Promise<AccessibleContent> {
    return this.#attempt(() => accessibleContent(this.#session, this.#frameId, withTables));
  }

  /** Returns the computed direction of the last document's body; undefined if it cannot be read. */
  async direction(): Promise<Direction | undefined> {
    return this.#attempt(() => baseDirection(this.#session, this.#frameId));
  }

  async #printed(settings: PrintSettings): Promise<Buffer> {
    const { data } = await this.#session.send('Page.printToPDF', {
      ...DEFAULT_SETTINGS,
      ...settings,
      ...FIXED_SETTINGS,
    });
    this.#assertStayed();
    return runInSlices(decodeBase64(data));
  }

  get #layout(): PrintLayout {
    const [session, frameId] = [this.#session, this.#frameId];
    return {
      overflowing: () => overflowingContent(session, frameId),
      missingFonts: () => missingFonts(session, frameId),
      pushedBlock: () => pushedBlock(session, frameId),
    };
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    this.#requests.forgetWarnings();
    try {
      return await this.#unlessAborted(work);
    } catch (error) {
      const hasLeft = this.#navigated && !(error instanceof PrintError);
      this.#failure = hasLeft ? PrintError.navigated() : PrintError.of(error);
      throw this.#failure;
    } finally {
      this.#requests.end();
    }
  }

  async #unlessAborted<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failure) throw this.#failure;
    const { promise: failed, reject } = Promise.withResolvers<never>();
    this.#fail = reject;
    try {
      return await Promise.race([work(), failed]);
    } finally {
      this.#fail = undefined;
      // A document does not request a style resource again after a failure. Print styles load late.
      if (this.#hasStyleResources && this.#requests.warnings.length > 0) this.#needsNewDocument = true;
    }
  }

  async blank(): Promise<void> {
    const loaded = this.#whenLoaded();
    if (this.#needsNewDocument) await this.#session.send('Page.navigate', { url: BLANK });
    else await this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html: '' });
    await laidOutUntil(loaded, this.#session, () => this.#failure !== undefined);
    if (this.#needsNewDocument) this.#readingMode = undefined;
    this.#needsNewDocument = false;
  }

  /** Whether the last document left state that only a new document removes. */
  get needsNewDocument(): boolean {
    return this.#needsNewDocument;
  }

  /** Aborts the current work: a document being printed fails with `reason`. */
  abort(reason: PrintError): void {
    this.#failure ??= reason;
    this.#requests.end();
    this.#fail?.(this.#failure);
  }

  /** Closes the page. Rejects when the browser fails to close it. */
  async close(): Promise<void> {
    await this.#browser.connection.send('Target.closeTarget', { targetId: this.#targetId });
  }

  async #show(html: string, imagePixels = 0): Promise<void> {
    await this.#clearFor(this.#scripts ? undefined : readingMode(html));
    this.#navigated = false;
    this.#mayNavigate ||= this.#scripts || mayNavigate(html);
    this.#hasStyleResources = STYLE_RESOURCE.test(html);
    this.#requests.begin(imagePixels);
    const loaded = this.#whenLoaded();
    await this.#browser.transport.withText(html, (text) =>
      this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html: text }),
    );
    await laidOutUntil(loaded, this.#session, () => this.#failure !== undefined);
    if (this.#requests.allowed || /@font-face/i.test(html)) await this.#fontsLoaded();
  }

  /**
   * Removes state left by earlier documents, such as a content security policy. Only documents with the same mode share
   * a page.
   */
  async #clearFor(mode: ReadingMode): Promise<void> {
    if (this.#readingMode !== undefined && mode !== this.#readingMode) this.#needsNewDocument = true;
    if (this.#needsNewDocument) await this.blank();
    this.#readingMode = mode;
    this.#needsNewDocument = mode === undefined;
  }

  #whenLoaded(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loaded = resolve;
    return promise;
  }

  async #fontsLoaded(): Promise<void> {
    // Fonts start loading when the layout first uses them.
    const loaded = '(root && getBoundingClientRect(root), fonts.ready.then(() => true))';
    await measured(this.#session, this.#frameId, loaded);
  }

  #listen(): void {
    this.#session.on('Page.loadEventFired', () => this.#loaded?.());
    this.#session.on('Page.frameNavigated', ({ frame }: Protocol.Page.FrameNavigatedEvent) => {
      if (frame.parentId === undefined) this.#navigated = true;
    });
    this.#session.on('Page.javascriptDialogOpening', () => {
      // The page or its document may already be gone.
      this.#session.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined);
    });
    this.#session.once('Inspector.targetCrashed', () => this.abort(PrintError.crashed()));
    // The page is gone but the browser is not: we or a script closed the page.
    const onDetached = (session: CDPSession) => {
      if (session !== this.#session) return;
      this.#browser.connection.off(CDPSessionEvent.SessionDetached, onDetached);
      this.abort(PrintError.navigated());
    };
    this.#browser.connection.on(CDPSessionEvent.SessionDetached, onDetached);
  }

  #assertStayed(): void {
    if (this.#navigated) throw PrintError.navigated();
  }
}

/** Awaits work on a page, and adds warnings about what the page did not load, even if the work fails. */
export async function withBlocked<T>(
  page: Pick<DocumentPage, 'blocked'>,
  work: Promise<T>,
  warnings: FoundWarning[],
): Promise<T> {
  try {
    return await work;
  } finally {
    warnings.push(...page.blocked);
  }
}
