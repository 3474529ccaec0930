import { PassThrough } from 'node:stream';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { SPARE_AFTER_MS } from '@trifold/platform/scheduling/account-slots.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { afterEach, expect, it, vi } from 'vitest';
import { groupPids } from '../../testing/browser/group-pids.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { launchTestBrowser } from '../../testing/browser/test-browser.ts';
import { DEFAULT_BROWSER_LIMITS, type BrowserLimits } from './browser-limits.ts';
import { BrowserPool } from './browser-pool.ts';
import type { BrowserKind } from '../process/browser-flags.ts';
import type { Browser } from '../process/browser.ts';
import { WARM_UP_SETTINGS } from './browser-slot.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const NEVER = new AbortController().signal;

interface Options {
  readonly size?: number;
  readonly limits?: Partial<BrowserLimits>;
  /** @default no time passes, so that no spare starts, no matter how busy this machine is */
  readonly clock?: Clock;
  readonly launch?: (kind: BrowserKind) => Promise<Browser>;
}

let pool: BrowserPool;
const launched: Browser[] = [];
const log: string[] = [];

afterEach(async () => {
  await pool.stop();
  for (const { pid } of launched) await eventually(() => expect(groupPids(pid)).toEqual([]));
  launched.length = 0;
  log.length = 0;
});

const start = async (options: Options = {}) => {
  const { size = 1, limits, clock = new FakeClock(), launch = launchTestBrowser } = options;
  const destination = new PassThrough().on('data', (line: Buffer) => log.push(line.toString()));
  pool = new BrowserPool({
    launch: async (kind) => {
      const browser = await launch(kind);
      launched.push(browser);
      return browser;
    },
    size,
    limits: { ...DEFAULT_BROWSER_LIMITS, ...limits },
    clock,
    logger: createLogger({ level: 'info', name: 'test', destination }),
  });
  await pool.start();
};
const print = (account: string, html: string, signal = NEVER) =>
  pool.withPage(account, signal, (page) => page.print(html, WARM_UP_SETTINGS));
const textOf = async (account: string, html: string) =>
  (await readPdf(await print(account, html))).pages.map(({ text }) => text).join('\n');
const contextsOf = async (browser: Browser | undefined) =>
  (await browser?.connection.send('Target.getBrowserContexts'))?.browserContextIds ?? [];
const pageOf = (account: string) => pool.withPage(account, NEVER, async (page) => page);

it('reuses the page of an account and never gives it to another account', async () => {
  await start();
  const acme = await pageOf('acme');
  const globex = await pageOf('globex');
  expect(await pageOf('acme')).toBe(acme);
  expect(await pageOf('globex')).toBe(globex);
  expect(globex).not.toBe(acme);
  const { targetInfos } = (await launched[0]?.connection.send('Target.getTargets')) ?? { targetInfos: [] };
  const contexts = targetInfos.filter(({ type }) => type === 'page').map((info) => info.browserContextId);
  expect(new Set(contexts).size).toBe(contexts.length);
});

it('clears the content of a page while no document is waiting', async () => {
  await start();
  const page = await pool.withPage('acme', NEVER, async (own) => {
    await own.print('<p>confidential</p>', WARM_UP_SETTINGS);
    return own;
  });
  const blank = vi.spyOn(page, 'blank');
  await print('acme', '<p>confidential too</p>');
  await eventually(() => expect(blank).toHaveBeenCalled());
  const { targetInfos } = (await launched[0]?.connection.send('Target.getTargets')) ?? { targetInfos: [] };
  expect(JSON.stringify(targetInfos)).not.toContain('confidential');
});

it('returns the result before cleaning up', async () => {
  await start();
  let cleaned = false;
  await pool.withPage('acme', NEVER, async (page) => {
    const blank = page.blank.bind(page);
    page.blank = async () => {
      await blank();
      cleaned = true;
    };
    return page.print('<!doctype html><p>x</p>', WARM_UP_SETTINGS);
  });
  expect(cleaned).toBe(false);
  await eventually(() => expect(cleaned).toBe(true));
});

it('drops the context of an idle account', async () => {
  const clock = new FakeClock();
  await start({ clock, limits: { contextIdleMs: 60_000 } });
  const first = await pageOf('acme');
  await eventually(async () => expect(await contextsOf(launched[0])).toHaveLength(2));
  clock.advance(60_000);
  await eventually(async () => expect(await contextsOf(launched[0])).toHaveLength(1));
  expect(await pageOf('acme')).not.toBe(first);
});

it('keeps the context of an account that returns before the idle limit', async () => {
  const clock = new FakeClock();
  await start({ clock, limits: { contextIdleMs: 60_000 } });
  const first = await pageOf('acme');
  clock.advance(59_000);
  expect(await pageOf('acme')).toBe(first);
  clock.advance(59_000);
  expect(await pageOf('acme')).toBe(first);
});

it('keeps a context while a document is printing, however long that takes', async () => {
  const clock = new FakeClock();
  await start({ clock, limits: { contextIdleMs: 60_000 } });
  const printing = pool.withPage('acme', NEVER, async (page) => {
    clock.advance(120_000);
    return page.print('<p>slow</p>', WARM_UP_SETTINGS);
  });
  expect((await readPdf(await printing)).pages[0]?.text).toBe('slow');
});

it('drops the context of an account after the maximum number of documents', async () => {
  await start({ limits: { documentsPerContext: 3 } });
  const pages = [];
  for (let number = 0; number < 7; number += 1) pages.push(await pageOf('acme'));
  expect(pages[0]).toBe(pages[2]);
  expect(pages[3]).not.toBe(pages[2]);
  expect(pages[3]).toBe(pages[5]);
  expect(pages[6]).not.toBe(pages[5]);
});

it('limits the number of contexts and drops the least recently used', async () => {
  await start({ limits: { contextsPerBrowser: 2 } });
  const a = await pageOf('a');
  const b = await pageOf('b');
  expect(await pageOf('a')).toBe(a);
  await pageOf('c');
  expect(await pageOf('a')).toBe(a);
  expect(await pageOf('b')).not.toBe(b);
  await eventually(async () => expect((await contextsOf(launched[0])).length).toBeLessThanOrEqual(3));
});

it('replaces a browser after the maximum number of documents', async () => {
  await start({ limits: { documentsPerBrowser: 3 } });
  for (let number = 0; number < 4; number += 1)
    expect(await textOf('acme', `<p>${number}</p>`)).toBe(`${number}`);
  expect(launched).toHaveLength(2);
  await eventually(() => expect(launched[0]?.alive).toBe(false));
  expect(log.join('')).toContain('number of documents');
});

it('replaces a browser that uses too much memory', async () => {
  const similar = await launchTestBrowser();
  const held = await similar.memoryBytes();
  await similar.stop();
  // A document may use twice the limit.
  await start({ limits: { browserMemoryBytes: Math.round(held * 0.75) } });
  for (let number = 0; number < 51; number += 1) await print('acme', '<p>x</p>');
  expect(launched).toHaveLength(2);
  expect(log.join('')).toContain('memory');
});

it('retries with a growing delay while no browser starts', async () => {
  const clock = new FakeClock();
  let broken = false;
  let attempts = 0;
  await start({
    clock,
    launch: async () => {
      attempts += 1;
      if (broken) throw new Error('no browser today');
      return launchTestBrowser();
    },
  });
  broken = true;
  process.kill(launched[0]?.pid ?? 0, 'SIGKILL');
  await eventually(() => expect(attempts).toBe(2));
  const waiting = textOf('acme', '<p>patience</p>');
  await clock.passUntil(100, () => expect(attempts).toBeGreaterThanOrEqual(3));
  expect(pool.alive).toBe(false);
  broken = false;
  await clock.passUntil(10_000, () => expect(pool.alive).toBe(true));
  expect(await waiting).toBe('patience');
  expect(log.filter((line) => line.includes('failed to start')).length).toBeGreaterThanOrEqual(2);
});

it('runs all browsers except the spare in the background', async () => {
  const clock = new FakeClock();
  const background: unknown[] = [];
  const launch = async (kind: BrowserKind) => {
    background.push(kind.background);
    return launchTestBrowser(kind);
  };
  await start({ clock, launch });
  const printed = Promise.withResolvers<void>();
  const held = pool.withPage('acme', NEVER, () => printed.promise);
  const other = textOf('other', '<p>Spare</p>');
  clock.advance(SPARE_AFTER_MS);
  expect(await other).toContain('Spare');
  expect(background).toEqual([true, false]);
  printed.resolve();
  await held;
});

it('replaces a browser when its spare page and its active page are killed', async () => {
  await start();
  await print('acme', '<p>x</p>');
  const renderers = await eventually(() => {
    const pids = groupPids(launched[0]?.pid ?? 0, '--type=renderer');
    expect(pids.length).toBeGreaterThan(1);
    return pids;
  });
  for (const pid of renderers) process.kill(pid, 'SIGKILL');
  const crashed = { code: 'browser_crashed', retryable: true };
  await expect(print('acme', '<p>x</p>')).rejects.toMatchObject(crashed);
  expect(await textOf('acme', '<p>next</p>')).toBe('next');
  expect(launched).toHaveLength(2);
});

it('does not wait for a page of a hung browser', async () => {
  await start();
  const browser = launched[0];
  await pageOf('acme');
  await eventually(async () => expect(await contextsOf(browser)).toHaveLength(2));
  await pageOf('globex');
  // Wait for the cleanup. Otherwise the new accounts would be rejected before it and leave the hung browser to the
  // next document.
  await eventually(async () => expect(await contextsOf(browser)).toHaveLength(3));
  process.kill(-(browser?.pid ?? 0), 'SIGSTOP');
  const abort = new AbortController();
  const newcomers = ['a', 'b'].map((account) => print(account, '<p>x</p>', abort.signal));
  for (const newcomer of newcomers) newcomer.catch(() => undefined);
  abort.abort(new Error('too late'));
  for (const newcomer of newcomers) await expect(newcomer).rejects.toThrow();
  expect(await textOf('acme', '<p>next</p>')).toBe('next');
  await eventually(() => expect(browser?.alive).toBe(false));
});

it('rejects waiting documents when it stops', async () => {
  await start();
  const { promise: hold, resolve: letGo } = Promise.withResolvers<void>();
  const first = pool.withPage('acme', NEVER, () => hold);
  const second = print('acme', '<p>x</p>');
  second.catch(() => undefined);
  await pool.stop();
  await expect(second).rejects.toMatchObject({ code: 'aborted', retryable: true });
  letGo();
  await first;
  await expect(print('acme', '<p>x</p>')).rejects.toMatchObject({ code: 'aborted' });
});

it('leaves no browser running if one fails to start', async () => {
  let count = 0;
  const attempt = start({
    size: 2,
    launch: async () => {
      count += 1;
      if (count === 2) throw new Error('the second does not start');
      return launchTestBrowser();
    },
  });
  await expect(attempt).rejects.toThrow('the second does not start');
  expect(pool.pids).toEqual([]);
});
