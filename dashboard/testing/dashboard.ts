import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, KeyInput, Page } from 'puppeteer-core';
import { afterAll, expect, inject } from 'vitest';
import { TrifoldClient } from '@trifold/client';
import { eventually } from '@trifold/test-support/eventually.ts';
import { clientWithNewKey } from '@trifold/test-support/keys-command.ts';
import { TcpProxy } from '@trifold/test-support/faults/tcp-proxy.ts';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';

/** Ways to use a page. */
export const INPUTS = ['mouse', 'keyboard'] as const;
export type Input = (typeof INPUTS)[number];

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const WIDEST = { width: 2560, height: 1440 };
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 rules at levels A and AA, and axe's best practices. */
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that depend on colors, the only difference between the themes. */
const AXE_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Resolves when the page has neither added nor removed elements for a while: axe fails if one disappears. */
const SETTLED = `new Promise((resolve) => {
  const wait = () => setTimeout(resolve, 150);
  let timer = wait();
  new MutationObserver(() => (clearTimeout(timer), (timer = wait()))).observe(document, { childList: true, subtree: true });
})`;

/** Finds selects that cut off the selected option, and exact times that do not follow a relative time. */
const INCONSISTENT = `Array.from(document.querySelectorAll('select')).filter((select) => {
  const whole = select.cloneNode();
  whole.style.cssText = 'position: absolute; width: max-content';
  whole.append(...Array.from(select.selectedOptions, (option) => option.cloneNode(true)));
  select.after(whole);
  const isCut = select.offsetWidth > 0 && select.offsetWidth < whole.offsetWidth;
  whole.remove();
  return isCut;
}).map(({ selectedOptions: [option] }) => option.text)
  .concat(document.body.innerText.match(/^(?!.*(?:ago|in \\d.*) \\().*:\\d\\d\\s[AP]M/gm) ?? [])`;

type Theme = 'light' | 'dark';

/** The service under test, and a client with its live key. */
export const service = inject('service');
export const client = new TrifoldClient({ baseUrl: service.url, apiKey: service.liveKey });

/** Creates a key in a new account. */
export async function newAccount() {
  const account = `dashboard-${randomUUID().slice(0, 13)}`;
  const api = await clientWithNewKey(service.url, service.kubeconfig, { account });
  const key = api.key!;
  return { account, api, key, client: new TrifoldClient({ baseUrl: service.url, apiKey: key }) };
}

/** The browser of a test file. */
let shared: Promise<Browser> | undefined;
afterAll(async () => (await shared)?.close());

/**
 * The dashboard of the service under test in a real browser. Records every console error, content security policy
 * report, failed request and request to another host; `close` fails on them.
 */
export class Dashboard {
  readonly page: Page;
  readonly url: string;
  /** Folder for files that the pages save. */
  readonly downloads: string;
  readonly #close: () => Promise<void>;
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(from: Pick<Dashboard, 'page' | 'url' | 'downloads'>, close: () => Promise<void>) {
    this.page = from.page;
    this.url = from.url;
    this.downloads = from.downloads;
    this.#close = close;
  }

  /**
   * Opens a page in a new browser context. `url`: the service. @default the service under test. `flags`: browser
   * arguments, if it is the first page of the test file.
   */
  static async open(url = service.url, ...flags: readonly string[]): Promise<Dashboard> {
    shared ??= launchBrowser(...flags);
    const browser = await shared;
    const downloadPath = join(tmpdir(), `trifold-downloads-${randomUUID()}`);
    const context = await browser.createBrowserContext({
      downloadBehavior: { policy: 'allow', downloadPath },
    });
    // Users may sign in over plain HTTP only on this machine.
    const relay = isLocal(url) ? undefined : await TcpProxy.to(url);
    const close = async () => {
      await context.close();
      await relay?.close();
      await rm(downloadPath, { recursive: true, force: true });
    };
    const page = await context.newPage();
    const dashboard = new Dashboard({ page, url: relay?.via(url) ?? url, downloads: downloadPath }, close);
    await dashboard.watch(page);
    return dashboard.#prepared();
  }

  /** Opens another browser tab, which shares the session. Closing the first tab closes it. */
  async openTab(): Promise<Dashboard> {
    const page = await this.page.browserContext().newPage();
    const { url, downloads } = this;
    const tab = new Dashboard({ page, url, downloads }, this.#close);
    await this.watch(page);
    return tab.#prepared();
  }

  /** Records the errors on a page, including those on other tabs. */
  async watch(page: Page): Promise<void> {
    const writeError = (complaint: string) => this.#complaints.push(complaint);
    page.on('pageerror', (error) => writeError(`error: ${String(error)}`));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) writeError(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      const own = [`${this.url}/`, 'blob:', 'data:'].some((start) => request.url().startsWith(start));
      if (!own) writeError(`another host: ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      // A newer load aborts an older one.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') writeError(`failed: ${request.url()}`);
    });
  }

  /** Opens a dashboard page, for example `/keys`. */
  async go(path: string): Promise<void> {
    await this.page.goto(`${this.url}/dashboard${path}`);
  }

  /** Starts a session with a key, opens a page, and waits for the navigation. */
  async signIn(key = service.liveKey, path = '/'): Promise<void> {
    const answer = await fetch(`${this.url}/dashboard/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.url },
      body: JSON.stringify({ key }),
    });
    expect(answer.status).toBe(201);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0] ?? '') ?? [];
    const { hostname: domain } = new URL(this.url);
    const cookie = { name, value, domain, path: '/', httpOnly: true, sameSite: 'Strict' as const };
    await this.page.browserContext().setCookie(cookie);
    await this.go(path);
    await this.page.locator('nav').wait();
  }

  /** Presses the buttons or links with these labels, one after the other. */
  async press(...names: readonly string[]): Promise<void> {
    for (const name of names) await this.page.locator(`::-p-aria([name="${name}"])`).click();
  }

  /** Uses the buttons, links or checkboxes with these labels, one after the other. */
  async use(by: Input, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      if (by === 'mouse') {
        // A cell with only a link has the same label.
        const controls = ['link', 'button', 'checkbox'].map(
          (role) => `::-p-aria([name="${name}"][role="${role}"])`,
        );
        await this.page.locator(controls.join()).click();
      } else {
        await this.page.locator(`::-p-aria([name="${name}"])`).wait();
        await this.tabTo(name);
        const isCheckbox = await this.page.evaluate(`document.activeElement.matches('input')`);
        await this.keys(isCheckbox ? 'Space' : 'Enter');
      }
    }
  }

  /** Fills the field with this label in one step, so that nothing renders between its old and new values. */
  async fill(label: string, value: string): Promise<void> {
    await this.page.locator(`::-p-aria([name="${label}"])`).fill(value, { typingThreshold: 0 });
  }

  /** Presses keys together, for example Control and s. */
  async keys(...keys: readonly KeyInput[]): Promise<void> {
    const { keyboard } = this.page;
    for (const key of keys.slice(0, -1)) await keyboard.down(key);
    await keyboard.press(keys.at(-1)!);
    for (const key of keys.slice(0, -1)) await keyboard.up(key);
  }

  /** Presses Tab until a link, button or checkbox with this text or label has focus. Leaves a text editor first. */
  async tabTo(text: string): Promise<void> {
    const found = `(({ ariaLabel, labels, innerText }) =>
      (ariaLabel ?? labels?.[0]?.innerText ?? innerText).includes('${text}'))(
        document.activeElement.closest('a, button, input[type=checkbox]') ?? { innerText: '' })`;
    for (let presses = 0; presses < 60; presses += 1) {
      if (await this.page.evaluate(`document.activeElement.matches('.cm-content')`))
        await this.keys('Escape');
      await this.page.keyboard.press('Tab');
      if (await this.page.evaluate(found)) return;
    }
    throw new Error(`no link or button "${text}"`);
  }

  /** Puts the cursor at the end of the visible text editor and types. */
  async typeAtEnd(written: string): Promise<void> {
    await this.page.locator('[role=tabpanel]:not([hidden]) .cm-content').click();
    await this.keys('Control', 'End');
    await this.page.keyboard.type(written);
  }

  /** Waits until the page shows all of these strings. */
  async shows(...texts: readonly string[]): Promise<void> {
    for (const text of texts) await this.page.locator(`::-p-text(${text})`).wait();
  }

  /** Waits until nothing on the page is still loading. */
  async loaded(): Promise<void> {
    await this.page.waitForFunction(`!document.querySelector('[aria-busy=true], .loading_loading')`);
  }

  /** Visible text of the page. */
  async text(): Promise<string> {
    return String(await this.page.evaluate('document.body.innerText'));
  }

  /** URL, visible text and recorded errors of the page, for the report of a failed test. */
  async describe(): Promise<string> {
    return [this.page.url(), await this.text(), ...this.#complaints].join('\n');
  }

  /** Allows matching errors, for a test that causes an error on purpose. */
  expectComplaint(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** Returns a file that a page saved, once it exists. */
  async downloaded(name: string): Promise<Buffer> {
    return eventually(async () => readFile(join(this.downloads, name)));
  }

  /**
   * Fails if axe finds a violation on the page, or in its dialog, in either theme, 1440 or 390 pixels wide, if the
   * page does not fit in the window, or if it shows a time or an option in a different form from other pages. `name`:
   * name of screenshots to take afterwards.
   */
  async expectAccessible(name?: string): Promise<void> {
    await this.page.evaluate(AXE);
    for (const viewport of [WIDE, NARROW]) {
      await this.page.setViewport(viewport);
      await this.page.evaluate(SETTLED);
      for (const [theme, rules] of [
        ['light', AXE_TAGS],
        ['dark', AXE_COLOURS],
      ] as const) {
        await this.#useTheme(theme);
        // axe throws if the page is redrawn while it runs.
        const violations = await eventually(async () => {
          const found = await this.page.evaluate(
            `axe.run(document.querySelector('dialog[open]') ?? document, { runOnly: ${JSON.stringify(rules)} })
              .then(({ violations }) =>
                violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) })))`,
          );
          return found as readonly object[];
        });
        expect(violations, `violations in the ${theme} theme, ${viewport.width} pixels wide`).toEqual([]);
      }
      await this.#useSystemTheme();
      expect(await this.page.evaluate(INCONSISTENT), `${viewport.width} pixels wide`).toEqual([]);
      const overflow = await this.page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `pixels beyond the window, ${viewport.width} pixels wide`).toBeLessThanOrEqual(0);
    }
    await this.page.setViewport(WIDE);
    if (name !== undefined) await this.screenshots(name);
  }

  /** Writes screenshots in three widths, light and dark, to the directory in TRIFOLD_SCREENSHOTS, if it is set. */
  async screenshots(name: string): Promise<void> {
    const directory = process.env['TRIFOLD_SCREENSHOTS'];
    if (!directory) return;
    // The screenshots must not show hover highlights or transient messages.
    await this.page.mouse.move(0, 0);
    await this.page.waitForFunction(`!document.querySelector('.toasts_toast')`);
    for (const [size, viewport] of Object.entries({ widest: WIDEST, wide: WIDE, narrow: NARROW })) {
      await this.page.setViewport(viewport);
      for (const theme of ['light', 'dark'] as const) {
        await this.#useTheme(theme);
        const path = join(directory, `${name}-${size}-${theme}.png`) as `${string}.png`;
        await mkdir(dirname(path), { recursive: true });
        await this.page.screenshot({ path });
      }
    }
    await this.#useSystemTheme();
    await this.page.setViewport(WIDE);
  }

  /** Closes the page and its tabs. Fails if any reported an error. */
  async close(): Promise<void> {
    await this.#close();
    const isExpected = (complaint: string) => this.#expected.some((pattern) => pattern.test(complaint));
    expect(this.#complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
  }

  async #prepared(): Promise<this> {
    await this.page.setViewport(WIDE);
    // A background tab would be hidden: it gets no frames, and its lists do not reload.
    await this.page.emulateFocusedPage(true);
    return this;
  }

  /** The emulated theme would also override frames that set their own color scheme. */
  async #useSystemTheme(): Promise<void> {
    await this.page.emulateMediaFeatures();
    await this.page.waitForFunction(`document.documentElement.dataset.theme === 'light'`);
  }

  async #useTheme(theme: Theme): Promise<void> {
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await this.page.waitForFunction(`document.documentElement.dataset.theme === '${theme}'`);
  }
}

function isLocal(url: string): boolean {
  return new URL(url).hostname === '127.0.0.1';
}
