import type { Page } from 'puppeteer-core';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';
import type { Company } from './company.ts';
import { writeImage } from './image-files.ts';
import type { Month } from './month.ts';

const VIEWPORT = { width: 1440, height: 900 };
const PREVIEWED = '.preview_pane[aria-busy=false] .preview_page canvas';

interface Picture {
  readonly name: string;
  /** Path below `/dashboard`. */
  readonly path: string;
  /** Performs the clicks that the screenshot needs, and waits for the result. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** @default only light */
  readonly themes?: readonly ('light' | 'dark')[];
}

const press = async (page: Page, name: string) => page.locator(`::-p-aria([name="${name}"])`).click();
const previewed = async (page: Page) => page.waitForSelector(PREVIEWED);

function picturesOf({ delivery, email }: Month): readonly Picture[] {
  return [
    { name: 'start', path: '/' },
    { name: 'new-template', path: '/templates/new', prepare: previewed },
    { name: 'editor', path: '/templates/invoice', prepare: previewed, themes: ['light', 'dark'] },
    {
      name: 'options',
      path: '/templates/letter',
      prepare: async (page) => {
        await previewed(page);
        await press(page, 'Options');
      },
    },
    { name: 'history', path: '/templates/invoice/history', prepare: previewed },
    { name: 'documents', path: '/documents' },
    {
      name: 'email',
      path: `/emails/${email}`,
      prepare: async (page) => page.waitForSelector('iframe'),
    },
    {
      name: 'delivery',
      path: `/webhooks/deliveries/${delivery}`,
      prepare: async (page) => page.evaluate('scrollTo(0, document.body.scrollHeight)'),
    },
    { name: 'usage', path: '/usage' },
  ];
}

/** Takes the dashboard screenshots, `dashboard-<name>-<theme>.png`. */
export async function makeDashboardPictures(company: Company, month: Month): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.setViewport(VIEWPORT);
    await page.setCookie(await sessionCookie(company));
    for (const { name, path, prepare, themes = ['light'] } of picturesOf(month)) {
      await page.goto(`${company.url}/dashboard${path}`);
      await page.locator('h1').wait();
      await page.waitForFunction(`!document.querySelector('[aria-busy=true], .loading_loading')`);
      await prepare?.(page);
      for (const theme of themes) {
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.waitForFunction(`document.documentElement.dataset.theme === '${theme}'`);
        await page.waitForNetworkIdle();
        await writeImage(`dashboard-${name}-${theme}`, await page.screenshot());
      }
    }
  } finally {
    await browser.close();
  }
}

async function sessionCookie({ url, key }: Company) {
  const response = await fetch(`${url}/dashboard/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ key }),
  });
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? '') ?? [];
  return { name, value, url };
}
