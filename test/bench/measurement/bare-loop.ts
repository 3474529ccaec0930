import { BROWSER_FLAGS, NO_FRAMES_FLAG } from '@trifold/renderer/browser/process/browser-flags.ts';
import { findBrowser } from '@trifold/renderer/browser/process/find-browser.ts';
import { launch, type Browser, type CDPSession } from 'puppeteer-core';

/** A4 with the margins of the example, in inches. */
const PRINT = {
  paperWidth: 210 / 25.4,
  paperHeight: 297 / 25.4,
  marginTop: 16 / 25.4,
  marginBottom: 16 / 25.4,
  marginLeft: 14 / 25.4,
  marginRight: 14 / 25.4,
  printBackground: true,
  generateTaggedPDF: false,
  generateDocumentOutline: false,
} as const;

interface BarePage {
  readonly session: CDPSession;
  readonly frameId: string;
}

/**
 * `drawn`: the browser also draws every document for a screen, its default; `unseen`: it does not, as in the service.
 */
export type Frames = 'drawn' | 'unseen';

/**
 * Minimum cost of a document with this browser: sets its content and prints it on a reused page, without checks,
 * storage or cleanup. The service is measured against this baseline.
 */
export class BareLoop {
  readonly #browsers: readonly Browser[];
  readonly #pages: readonly BarePage[];

  private constructor(browsers: readonly Browser[], pages: readonly BarePage[]) {
    this.#browsers = browsers;
    this.#pages = pages;
  }

  static async open(count: number, frames: Frames): Promise<BareLoop> {
    const configured = process.env['TRIFOLD_BROWSER'];
    const binary = await findBrowser({ ...(configured && { configured }) });
    const flags = BROWSER_FLAGS.filter(
      (flag) => !flag.startsWith('--remote-debugging') && (frames === 'unseen' || flag !== NO_FRAMES_FLAG),
    );
    const browsers = await Promise.all(
      Array.from({ length: count }, () =>
        launch({
          executablePath: binary.executable,
          env: { ...process.env, ...binary.environment },
          args: [...flags, '--no-sandbox'],
        }),
      ),
    );
    const pages = await Promise.all(
      browsers.map(async (browser) => {
        const session = await (await browser.newPage()).createCDPSession();
        const { frameTree } = await session.send('Page.getFrameTree');
        return { session, frameId: frameTree.frame.id };
      }),
    );
    return new BareLoop(browsers, pages);
  }

  /** Prints on one browser's page; returns the size of the PDF in bytes. */
  async print(browser: number, { document }: { readonly document: string }): Promise<number> {
    const { session, frameId } = this.#pages[browser % this.#pages.length] as BarePage;
    await session.send('Page.setDocumentContent', { frameId, html: document });
    const { data } = await session.send('Page.printToPDF', PRINT);
    return Buffer.from(data, 'base64').length;
  }

  async close(): Promise<void> {
    await Promise.all(this.#browsers.map((browser) => browser.close()));
  }
}
