import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { afterEach, expect, it } from 'vitest';
import { launchTestBrowser } from '../../testing/browser/test-browser.ts';
import { groupPids } from '../../testing/browser/group-pids.ts';
import { DEFAULT_BROWSER_LIMITS } from './browser-limits.ts';
import type { Browser } from '../process/browser.ts';
import type { DocumentPage } from '../page/document-page.ts';
import { LazyBrowserPool } from './lazy-browser-pool.ts';
import { WARM_UP_SETTINGS } from './browser-slot.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const IDLE_MS = 60_000;
const { signal } = new AbortController();

const clock = new FakeClock(new Date('2026-11-21T12:00:00Z'));
const launched: Browser[] = [];
let pool: LazyBrowserPool;
let launch: () => Promise<Browser>;
const make = () => {
  launched.length = 0;
  launch = launchTestBrowser;
  pool = new LazyBrowserPool({
    launch: async () => {
      const browser = await launch();
      launched.push(browser);
      return browser;
    },
    size: 1,
    idleMs: IDLE_MS,
    limits: { ...DEFAULT_BROWSER_LIMITS, contextIdleMs: 100 * IDLE_MS },
    clock,
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
  return pool;
};
afterEach(() => pool.stop());
const print = (end = signal, account = 'acme') =>
  pool.withPage(account, end, (page: DocumentPage) => page.print('<p>x</p>', WARM_UP_SETTINGS));

it('starts without browsers, shares one among concurrent documents and stops it when idle', async () => {
  make();
  expect(pool.pids).toEqual([]);
  await Promise.all([print(), print(), print()]);
  expect(launched).toHaveLength(1);
  const [pid = 0] = pool.pids;
  clock.advance(IDLE_MS - 1);
  await print();
  clock.advance(IDLE_MS - 1);
  expect(pool.pids).toEqual([pid]);
  clock.advance(1);
  expect(pool.pids).toEqual([]);
  await eventually(() => expect(groupPids(pid)).toEqual([]));
  await print();
  expect(launched).toHaveLength(2);
});

it('does not end a browser while a long document is using it', async () => {
  make();
  await print();
  await pool.withPage('acme', signal, async (page) => {
    clock.advance(10 * IDLE_MS);
    await page.print('<p>x</p>', WARM_UP_SETTINGS);
  });
  expect(launched).toHaveLength(1);
});

it('keeps its browsers if an additional one fails to start', async () => {
  make();
  await print();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holding = pool.withPage('acme', signal, () => held);
  let attempts = 0;
  launch = () => {
    attempts += 1;
    return Promise.reject(new Error('no browser today'));
  };
  const waiting = print(signal, 'globex');
  await clock.passUntil(500, () => expect(attempts).toBe(1));
  release();
  await Promise.all([holding, waiting]);
  expect(pool.pids).toHaveLength(1);
});

it('retries starting a browser for the next document', async () => {
  make();
  launch = () => Promise.reject(new Error('no browser today'));
  await expect(print()).rejects.toThrow('no browser today');
  launch = launchTestBrowser;
  await print();
  expect(launched).toHaveLength(1);
});

it('rejects a document whose signal aborts before the browser has started', async () => {
  make();
  const { promise, resolve } = Promise.withResolvers<void>();
  launch = async () => {
    await promise;
    return launchTestBrowser();
  };
  const patience = new AbortController();
  const waiting = print(patience.signal);
  patience.abort(new Error('too late'));
  await expect(waiting).rejects.toThrow('too late');
  resolve();
  await print();
  expect(launched).toHaveLength(1);
});

it('leaves no processes behind, even if it is stopped while a browser is starting', async () => {
  make();
  const printing = print();
  printing.catch(() => undefined);
  await pool.stop();
  await expect(printing).rejects.toThrow();
  for (const { pid } of launched) await eventually(() => expect(groupPids(pid)).toEqual([]));
  await expect(print()).rejects.toThrow('stopped');
});
