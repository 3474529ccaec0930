import { afterAll, beforeAll } from 'vitest';
import { connectBrowser, type Browser } from '../../browser/process/browser.ts';
import type { BrowserKind } from '../../browser/process/browser-flags.ts';
import { BrowserProcess } from '../../browser/process/browser-process.ts';
import { DocumentPage } from '../../browser/page/document-page.ts';
import type { DocumentPermissions } from '../../browser/page/document-requests.ts';
import type { BrowserBinary } from '../../browser/process/browser-program.ts';
import { DEFAULT_BROWSER_LIMITS } from '../../browser/pool/browser-limits.ts';
import { LazyBrowserPool } from '../../browser/pool/lazy-browser-pool.ts';
import { findBrowser } from '../../browser/process/find-browser.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';

let found: Promise<BrowserBinary> | undefined;

/** Returns the browser for tests: TRIFOLD_BROWSER, or the one that is found. Searches only once. */
export async function testBinary(): Promise<BrowserBinary> {
  found ??= findBrowser({ configured: process.env['TRIFOLD_BROWSER'] });
  return found;
}

export interface TestBrowserOptions extends BrowserKind {
  /** @default `testBinary()` */
  readonly binary?: BrowserBinary;
  /** @default 60 MiB */
  readonly maxDocumentBytes?: number;
}

/** Starts a browser as the service does. */
export async function launchTestBrowser({
  binary,
  maxDocumentBytes = 60 * 2 ** 20,
  ...kind
}: TestBrowserOptions = {}): Promise<Browser> {
  const sandbox = process.getuid?.() !== 0;
  const running = await BrowserProcess.launch({ ...kind, binary: binary ?? (await testBinary()), sandbox });
  return connectBrowser(running, maxDocumentBytes);
}

/** Opens a page in a new context. */
export async function openPage(browser: Browser, permissions?: DocumentPermissions): Promise<DocumentPage> {
  const { browserContextId } = await browser.connection.send('Target.createBrowserContext', {});
  return DocumentPage.open(browser, browserContextId, permissions);
}

let shared: Promise<Browser> | undefined;

/** Returns the browser that all test files of this process share. It ends when the process does. */
export async function sharedBrowser(): Promise<Browser> {
  if (shared && !(await shared).alive) shared = undefined;
  shared ??= launchTestBrowser();
  return shared;
}

/** Provides the shared browser, and a page in it, to the tests of a file or a suite. */
export function testPage(): { readonly browser: Browser; readonly page: DocumentPage } {
  const opened = {} as { browser: Browser; page: DocumentPage };
  beforeAll(async () => {
    opened.browser = await sharedBrowser();
    opened.page = await openPage(opened.browser);
  });
  afterAll(() => opened.page.close());
  return opened;
}

/** Starts a browser as the service does for images. */
export async function launchPictureBrowser(): Promise<Browser> {
  return launchTestBrowser({ drawsFrames: true });
}

/** Provides one browser for images, which starts on demand, to the tests of a file. */
export function picturePool(): LazyBrowserPool {
  const pool = new LazyBrowserPool({
    launch: launchPictureBrowser,
    size: 1,
    idleMs: 600_000,
    limits: DEFAULT_BROWSER_LIMITS,
    clock: systemClock,
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
  afterAll(() => pool.stop());
  return pool;
}
