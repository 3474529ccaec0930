import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_BROWSER_LIMITS } from '../browser/pool/browser-limits.ts';
import { BrowserPool } from '../browser/pool/browser-pool.ts';
import type { Browser } from '../browser/process/browser.ts';
import { WARM_UP_SETTINGS } from '../browser/pool/browser-slot.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { launchTestBrowser } from '../testing/browser/test-browser.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const NEVER = new AbortController().signal;
const ACCOUNTS = ['acme', 'globex', 'initech'];

describe('different accounts', () => {
  let pool: BrowserPool;
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchTestBrowser();
    pool = new BrowserPool({
      launch: () => Promise.resolve(browser),
      size: 1,
      limits: DEFAULT_BROWSER_LIMITS,
      clock: systemClock,
      logger: createLogger({ level: 'silent', name: 'test' }),
    });
    await pool.start();
  });
  afterAll(() => pool.stop());

  const targets = async () => {
    const { targetInfos } = await browser.connection.send('Target.getTargets');
    return targetInfos.filter(({ type }) => type === 'page');
  };
  const textOf = async (account: string) =>
    pool.withPage(account, NEVER, async (page) => {
      const { pages } = await readPdf(
        await page.print(`<title>${account}</title>${account}`, WARM_UP_SETTINGS),
      );
      // While the document is on its page, its title identifies the page.
      const target = (await targets()).find(({ title }) => title === account);
      return { page, text: pages[0]?.text, target };
    });

  it('do not share a page, context or process', async () => {
    const first = [];
    for (const account of ACCOUNTS) first.push(await textOf(account));
    expect(first.map(({ text }) => text)).toEqual(ACCOUNTS);
    expect(new Set(first.map(({ page }) => page)).size).toBe(3);
    expect(new Set(first.map(({ target }) => target?.browserContextId ?? '')).size).toBe(3);
    // A crashed process takes down all its pages.
    const [crashed] = first;
    if (!crashed?.target) throw new Error('the page has no target');
    const session = await browser.connection.createSession(crashed.target);
    session.send('Page.crash').catch(() => undefined);
    await eventually(() => expect(crashed.page.usable).toBe(false));
    for (const [index, account] of ACCOUNTS.entries()) {
      if (index === 0) continue;
      const again = await textOf(account);
      expect(again.page).toBe(first[index]?.page);
      expect(again.text).toBe(account);
    }
    expect((await textOf('newcomer')).text).toBe('newcomer');
  });
});
