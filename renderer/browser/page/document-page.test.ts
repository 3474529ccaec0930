import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { groupPids } from '../../testing/browser/group-pids.ts';
import { noisePng } from '../../testing/files/png.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { launchTestBrowser, openPage, testPage } from '../../testing/browser/test-browser.ts';
import type { Browser } from '../process/browser.ts';
import type { DocumentPage, PrintSettings } from './document-page.ts';
import type { DocumentPermissions } from './document-requests.ts';
import { PrintError } from './print-error.ts';
import { WARM_UP_SETTINGS } from '../pool/browser-slot.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const LETTER: PrintSettings = WARM_UP_SETTINGS;

let browser: Browser;
let page: DocumentPage;
const chromium = testPage();
beforeAll(() => void ({ browser, page } = chromium));

/** Opens a page and returns the ID of its renderer process. */
const openWithPid = async (from: Browser, permissions?: DocumentPermissions) => {
  const renderers = () => groupPids(from.pid, '--type=renderer');
  const before = renderers();
  const own = await openPage(from, permissions);
  const [pid = 0, ...others] = renderers().filter((renderer) => !before.includes(renderer));
  expect(pid).toBeGreaterThan(0);
  expect(others).toEqual([]);
  return { own, pid };
};

const print = async (html: string, settings: Partial<PrintSettings> = {}) =>
  readPdf(await page.print(html, { ...LETTER, ...settings }));
const textOf = async (html: string) => (await print(html)).pages.map(({ text }) => text).join('\n');

describe('DocumentPage.print', () => {
  it('prints text in Cyrillic, in Greek and with diacritics', async () => {
    const text = 'Счёт-фактура № 42 на сумму 1 000 ₽ — Żółć, Ελληνικά, Łódź, naïve';
    expect((await textOf(`<meta charset="utf-8"><p>${text}</p>`)).replaceAll(/\s+/g, ' ')).toBe(text);
  });

  it.each([
    ['a background', (url: string) => `<div style="height: 90px; background: url(${url}) no-repeat">x</div>`],
    [
      'a print style',
      (url: string) => `<style>@media print { p { background: url(${url}) no-repeat } }</style><p>x</p>`,
    ],
    ['generated content', (url: string) => `<style>p::before { content: url(${url}) }</style><p>x</p>`],
    ['a list marker', (url: string) => `<ul style="list-style-image: url(${url})"><li>x</li></ul>`],
    [
      'an SVG',
      (url: string) => `<svg width="90" height="90"><image href="${url}" width="90" height="90"/></svg>`,
    ],
  ])('prints images of %s, which load only during layout', async (_, html) => {
    const { pages } = await print(html(`data:image/png;base64,${noisePng(80)}`), { printBackground: true });
    expect(pages[0]?.images).toBeGreaterThanOrEqual(1);
  });

  it('prints images that a browser would load lazily', async () => {
    const image = `<img loading="lazy" decoding="async" src="data:image/png;base64,${noisePng(700)}">`;
    const { pages } = await print(`<p>x</p><div style="height: 3000px"></div>${image}`);
    expect(pages.map(({ images }) => images).at(-1)).toBe(1);
  });

  it('prints an empty document as a single empty page', async () => {
    expect((await print('')).pages.map(({ text }) => text)).toEqual(['']);
  });

  it('prints a long document', async () => {
    const filling = `<!-- "\\\n\ud800🦄ü${'🦄'.repeat(300_000)} -->`;
    expect(await textOf(`<meta charset="utf-8">${filling}<p>"ü€\\"</p>`)).toBe('"ü€\\"');
  });
});

describe('a hostile document', () => {
  it.each([
    ['a script', '<script>document.body.innerHTML = "ran"</script>'],
    ['a module', '<script type="module">document.body.innerHTML = "ran"</script>'],
    ['an event handler', '<img src="data:," onerror="document.body.innerHTML = \'ran\'">'],
    ['an onload handler', '<svg onload="document.body.innerHTML = \'ran\'"></svg>'],
    ['a frame', '<iframe srcdoc="<script>document.write(\'ran\')</script>"></iframe>'],
    [
      'a sandboxed frame',
      '<iframe sandbox="allow-scripts" srcdoc="<script>document.write(\'ran\')</script>"></iframe>',
    ],
    ['a data: frame', '<iframe src="data:text/html,<script>document.write(\'ran\')</script>"></iframe>'],
    ['a javascript: frame', '<iframe src="javascript:\'ran\'"></iframe>'],
    ['an object', '<object data="data:text/html,<script>document.write(\'ran\')</script>"></object>'],
  ])('runs no script: %s', async (_, html) => {
    expect(await textOf(`<body><p>quiet</p>${html}`)).toBe('quiet');
  });

  it('shows noscript content', async () => {
    expect(await textOf('<noscript>no script here</noscript>')).toBe('no script here');
  });

  it('fails with document_navigates if it leaves its page', async () => {
    const own = await openPage(browser);
    const leave = () => own.print('<meta http-equiv="refresh" content="0;url=about:blank"><p>x</p>', LETTER);
    // Whether the page is printed before it navigates is up to the browser.
    const outcome = await leave().catch((error: unknown) => error);
    if (outcome instanceof PrintError) {
      expect(outcome).toMatchObject({ code: 'document_navigates', retryable: false });
      expect(own.usable).toBe(false);
    } else {
      expect((await readPdf(outcome as Buffer)).pages[0]?.text).toBe('x');
    }
    await own.close();
  });
});

describe('a page that waits for fonts', () => {
  /** Returns a document whose font is requested after the load event and never arrives. */
  const leaving = (script: string) =>
    `<style>@font-face { font-family: F; src: url(https://fonts.example/f) }</style><p>x</p><script>
      onload = () => { document.querySelector('p').style.fontFamily = 'F' };
      document.fonts.onloading = () => setTimeout(() => { ${script} }, 0);
    </script>`;
  const never = new Promise<never>(() => undefined);
  let scripted: Browser;
  beforeAll(async () => {
    scripted = await launchTestBrowser({ scripts: true });
  });
  afterAll(() => scripted.stop());

  it.each(['location.href = "about:blank"', 'location.reload()', 'close()'])(
    'reports document_navigates when the document leaves: %s',
    async (script) => {
      const own = await openPage(scripted, { scripts: true, resources: () => () => never });
      const expected = { code: 'document_navigates', retryable: false };
      await expect(own.print(leaving(script), LETTER)).rejects.toMatchObject(expected);
    },
  );

  it('reports a crash during the wait as retryable', async () => {
    const { promise: awaited, resolve } = Promise.withResolvers<string>();
    const get = async (url: string) => {
      resolve(url);
      return never;
    };
    const { own, pid } = await openWithPid(scripted, { scripts: true, resources: () => get });
    const printing = own.print(leaving(''), LETTER);
    const outcome = expect(printing).rejects.toMatchObject({ code: 'browser_crashed', retryable: true });
    expect(await awaited).toBe('https://fonts.example/f');
    process.kill(pid, 'SIGKILL');
    await outcome;
  });
});

describe('a page that is aborted', () => {
  it('rejects its document with the reason and does not accept another', async () => {
    const own = await openPage(browser);
    const printing = own.print(`<p>${'long text '.repeat(200_000)}</p>`, LETTER);
    own.abort(PrintError.aborted());
    await expect(printing).rejects.toMatchObject({ code: 'aborted' });
    expect(own.usable).toBe(false);
    await expect(own.print('<p>x</p>', LETTER)).rejects.toMatchObject({ code: 'aborted' });
    await own.close();
  });

  it('clears the load timer', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const clear = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    /** The delay identifies the timer. */
    const lastTimer = () =>
      set.mock.results[set.mock.calls.findLastIndex(([, delay]) => delay === 50)]?.value;
    const get = () => new Promise<'failed'>(() => {});
    const own = await openPage(browser, { scripts: false, resources: () => get });
    const printing = own.print('<img src="https://images.example/never.png">', LETTER);
    const outcome = expect(printing).rejects.toMatchObject({ code: 'aborted' });
    await eventually(() => expect(lastTimer()).toBeDefined());
    own.abort(PrintError.aborted());
    await outcome;
    await own.close();
    await eventually(() => expect(clear.mock.calls.map(([timer]) => timer === lastTimer())).toContain(true));
  });
});

describe('a page whose browser crashes', () => {
  it('reports a crash while a resource loads, and rejects when asked to clear an idle page', async () => {
    const own = await launchTestBrowser();
    const { promise: asked, resolve } = Promise.withResolvers<string>();
    const get = (url: string) => {
      resolve(url);
      return new Promise<'failed'>(() => {});
    };
    const permissions = { scripts: false, resources: () => get };
    const waiting = await openPage(own, permissions);
    const idle = await openPage(own);
    const printing = waiting.print('<img src="https://images.example/never.png">', LETTER);
    const outcome = expect(printing).rejects.toMatchObject({ code: 'browser_crashed', retryable: true });
    expect(await asked).toBe('https://images.example/never.png');
    await own.stop();
    await outcome;
    await expect(idle.blank()).rejects.toThrow(/closed/);
  });

  it('fails a document that is still being sent', async () => {
    const own = await launchTestBrowser();
    const page = await openPage(own);
    const printing = page.print(`<!-- ${'\u0001'.repeat(8 * 2 ** 20)} -->`, LETTER);
    const outcome = expect(printing).rejects.toMatchObject({ code: 'browser_crashed', retryable: true });
    await own.stop();
    await outcome;
  });
});
