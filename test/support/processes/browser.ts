import { launch, type Browser } from 'puppeteer-core';
import { findBrowser } from '@trifold/renderer/browser/process/find-browser.ts';

/**
 * Starts a browser for pages that users see: TRIFOLD_BROWSER, or the one that is found. The caller closes it. `flags`:
 * additional browser arguments.
 */
export async function launchBrowser(...flags: readonly string[]): Promise<Browser> {
  const { executable, environment } = await findBrowser({ configured: process.env['TRIFOLD_BROWSER'] });
  return launch({
    executablePath: executable,
    // Without a locale, the pages have an invalid language.
    env: { ...process.env, LANGUAGE: 'en_US', LANG: 'en_US.UTF-8', ...environment },
    args: ['--no-sandbox', '--disable-gpu', ...flags],
  });
}
