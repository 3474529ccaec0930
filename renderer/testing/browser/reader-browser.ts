import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, type Browser, type CDPSession, type Page } from 'puppeteer-core';
import { LoopbackListener } from './loopback-listener.ts';
import { testBinary } from './test-browser.ts';

/** Visible state of a document in a browser. */
export interface ShownDocument {
  /** `BackCompat` in quirks mode. */
  readonly mode: string;
  /** Height in pixels of an element with `id="line"` that contains a 10-by-10 image: more outside quirks mode. */
  readonly line: number | null;
  readonly text: string | null;
}

const LOOK = `({
  mode: document.compatMode,
  line: document.getElementById('line')?.offsetHeight ?? null,
  text: document.body?.textContent ?? null,
})`;

/** A reader's browser, with scripts and network access, and a listener on the network that records all traffic. */
export class ReaderBrowser {
  readonly listener: LoopbackListener;
  readonly #browser: Browser;
  readonly #folder = mkdtempSync(join(tmpdir(), 'trifold-reader-'));
  readonly #reader: Page;
  readonly #printer: CDPSession;

  private constructor(browser: Browser, listener: LoopbackListener, reader: Page, printer: CDPSession) {
    this.#browser = browser;
    this.listener = listener;
    this.#reader = reader;
    this.#printer = printer;
  }

  static async launch(): Promise<ReaderBrowser> {
    const { executable, environment } = await testBinary();
    const browser = await launch({
      executablePath: executable,
      pipe: true,
      env: { ...process.env, ...environment },
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    });
    const printer = await (await browser.newPage()).createCDPSession();
    await printer.send('Emulation.setScriptExecutionDisabled', { value: true });
    return new ReaderBrowser(browser, await LoopbackListener.start(), await browser.newPage(), printer);
  }

  /** Opens a file from disk. */
  async open(html: string): Promise<ShownDocument & { readonly ranScript: boolean }> {
    const file = join(this.#folder, 'document.html');
    writeFileSync(file, html);
    await this.#reader.goto(pathToFileURL(file).href, { waitUntil: 'load' });
    const shown = (await this.#reader.evaluate(LOOK)) as ShownDocument;
    const ranScript = (await this.#reader.evaluate('window.ran === true')) as boolean;
    return { ...shown, ranScript };
  }

  /** Shows a document as the service does for printing. */
  async print(html: string): Promise<ShownDocument> {
    return (await this.evaluatePrinted(html, LOOK)) as ShownDocument;
  }

  /** Evaluates an expression in a document that is shown the way it is for printing. */
  async evaluatePrinted(html: string, expression: string): Promise<unknown> {
    const { frameTree } = await this.#printer.send('Page.getFrameTree');
    await this.#printer.send('Page.setDocumentContent', { frameId: frameTree.frame.id, html });
    const { result } = await this.#printer.send('Runtime.evaluate', { expression, returnByValue: true });
    return result.value;
  }

  /** Script and images that notify the listener, and an element to measure. */
  get hostileContent(): string {
    const leak = `http://127.0.0.1:${this.listener.port}/leak`;
    return (
      `<script>window.ran = true; fetch('${leak}')</script><script src="${leak}.js"></script>` +
      `<link rel="stylesheet" href="${leak}.css"><p onclick="1">text</p>` +
      `<img src="${leak}.png" onerror="window.ran = true"><svg onload="window.ran = true"></svg>`
    );
  }

  /** Content that reveals the mode in which a browser parses a document. */
  static readonly measuredContent =
    '<p>text</p><div id="line"><img width="10" height="10" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC"></div>';

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.listener.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
