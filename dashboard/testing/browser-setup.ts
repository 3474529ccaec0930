import type { TestProject } from 'vitest/node';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket address of the browser in which every test opens a context of its own. */
    browser: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await launchBrowser();
  project.provide('browser', browser.wsEndpoint());
  return async () => browser.close();
}
