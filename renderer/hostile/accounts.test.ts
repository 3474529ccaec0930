import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { parseAddressRange } from '@trifold/platform/outbound/address-guard.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_BROWSER_LIMITS } from '../browser/pool/browser-limits.ts';
import { BrowserPool } from '../browser/pool/browser-pool.ts';
import type { Browser } from '../browser/process/browser.ts';
import { WARM_UP_SETTINGS } from '../browser/pool/browser-slot.ts';
import { parseAllowedHost } from '@trifold/platform/service/setting-forms.ts';
import { pngPixel } from '../testing/files/png.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { RendererFixture } from '../testing/renderer-fixture.ts';
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

  it('share no page, context or process', async () => {
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

describe('a renderer with scripts on', () => {
  let fixture: RendererFixture;
  beforeAll(async () => {
    fixture = await RendererFixture.start({ templateScripts: 'on', browsers: 1 });
  });
  afterAll(() => fixture.close());

  /** Reports what it finds in every browser storage, then writes to each. */
  const KEEPING = `<p id="found"></p><script>
    const found = {};
    const attempt = async (name, look) => { try { found[name] = String(await look()) } catch (error) { found[name] = 'closed' } };
    const asked = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = reject; request.onblocked = reject });
    const all = [
      attempt('cookie', () => { const before = document.cookie; document.cookie = 'kept=1; max-age=9999'; return before }),
      attempt('cookieStore', async () => { const before = (await cookieStore.getAll()).length; await cookieStore.set('kept', '1'); return before }),
      attempt('local', () => { const before = localStorage.kept; localStorage.kept = 1; return before }),
      attempt('session', () => { const before = sessionStorage.kept; sessionStorage.kept = 1; return before }),
      attempt('database', async () => { const before = (await indexedDB.databases()).length; await asked(indexedDB.open('kept')); return before }),
      attempt('caches', async () => { const before = await caches.has('kept'); await (await caches.open('kept')).put('/x', new Response('x')); return before }),
      attempt('worker', async () => { const before = (await navigator.serviceWorker.getRegistrations()).length; await navigator.serviceWorker.register('data:text/javascript,1'); return before }),
      attempt('shared worker', async () => { const w = new SharedWorker('data:text/javascript,let n=0;onconnect=(e)=>e.ports[0].postMessage(n++)'); return new Promise((resolve, reject) => { w.port.onmessage = ({ data }) => resolve(data); w.onerror = reject }) }),
      attempt('files', async () => { const root = await navigator.storage.getDirectory(); let n = 0; for await (const x of root.keys()) n += 1; await root.getFileHandle('kept', { create: true }); return n }),
      attempt('locks', async () => { const held = (await navigator.locks.query()).held.length; navigator.locks.request('kept', () => new Promise(() => {})); return held }),
    ];
    let done = false, rounds = 0;
    Promise.all(all).then(() => { done = true; document.getElementById('found').textContent = JSON.stringify(found) });
    // The document is printed when nothing loads any more.
    const hold = () => { if (!done && rounds++ < 5000) { const i = new Image(); i.onload = i.onerror = hold; i.src = 'data:image/png,' + rounds } };
    hold();
  </script>`;
  const found = async (account: string) => {
    const { pages } = await fixture.read({ html: `<!doctype html><body>${KEEPING}` }, { account });
    return JSON.parse(pages.map(({ text }) => text).join('')) as Record<string, string>;
  };

  it('exposes nothing that a document stores to later documents of any account', async () => {
    const first = await found('acme');
    expect(Object.keys(first)).toHaveLength(10);
    // Every storage that is accessible is empty.
    for (const kept of Object.values(first))
      expect(['closed', '', '0', 'false', 'undefined']).toContain(kept);
    for (const account of ['acme', 'globex', 'acme', 'initech']) expect(await found(account)).toEqual(first);
  });
});

describe.each([
  // Documents of one account may share images if none of them can measure time.
  ['off', ['acme', 'globex', 'initech']],
  ['on', ['acme', 'globex', 'acme', 'acme', 'initech']],
] as const)('a resource from an allowed host, with scripts %s,', (scripts, accounts) => {
  let server: Server;
  let fixture: RendererFixture;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((_, response) => {
      asked += 1;
      const cached = {
        'content-type': 'image/png',
        'cache-control': 'public, max-age=86400, immutable',
        etag: '"1"',
      };
      response.writeHead(200, cached).end(Buffer.from(pngPixel(), 'base64'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    fixture = await RendererFixture.start({
      browsers: 1,
      templateScripts: scripts,
      allowHosts: [parseAllowedHost(`127.0.0.1:${port}`)],
      allowAddresses: [parseAddressRange('127.0.0.1')],
    });
  });
  afterAll(async () => {
    await fixture.close();
    server.close();
  });
  afterEach(() => {
    asked = 0;
  });

  it('is requested again for each document, so that timing reveals nothing', async () => {
    const { port } = server.address() as AddressInfo;
    const html = `<img alt="" src="http://127.0.0.1:${port}/logo.png"><p>x</p>`;
    for (const account of accounts) {
      const before = asked;
      expect((await fixture.read({ html }, { account })).pages[0]?.images).toBe(1);
      expect(asked).toBe(before + 1);
    }
  });
});
