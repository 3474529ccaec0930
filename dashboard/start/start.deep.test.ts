import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../../test/support/api.ts';
import { folderWithBuiltClient } from '../../test/support/built-client.ts';
import { textOf } from '../../test/support/files/pdf.ts';
import { run, type CommandResult } from '../../test/support/keys-command.ts';
import { newAccount, service } from '../testing/dashboard.ts';
import { dashboard } from '../testing/each-test.ts';

const hasPython = (await run('python3', ['--version']).catch(() => undefined))?.code === 0;

/** A folder with the client as published in its package. */
const { folder } = await folderWithBuiltClient();
let api: Api;
beforeEach(async () => {
  ({ api } = await newAccount());
  await dashboard.signIn(api.key);
  await dashboard.shows('Your first document');
});

/** Selects the language and returns the code as shown on the page. */
async function codeIn(language: string): Promise<string> {
  await dashboard.page.locator(`[role=tab][id$=-${language}-tab]`).click();
  const code = await dashboard.page.evaluate(`document.querySelector('[role=tabpanel] pre').innerText`);
  expect(code).toContain(service.url);
  return String(code);
}

/** Runs a program in the folder with the key in its environment, and expects the document shown on the page. */
async function expectDocument(command: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, TRIFOLD_KEY: api.key };
  const result: CommandResult = await run(command, args, { env, cwd: folder });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(await textOf(await readFile(join(folder, 'hello.pdf')))).toBe('Hello World');
}

async function runFile(command: string, name: string, code: string): Promise<void> {
  await writeFile(join(folder, name), code);
  await expectDocument(command, [name]);
}

describe('The start page', () => {
  it('has curl commands and TypeScript that create the first document, and checks off finished steps', async () => {
    await dashboard.page.waitForFunction(`document.querySelectorAll('.start_step.start_done').length === 1`);
    await dashboard.expectAccessible('start');
    await expectDocument('bash', ['-ec', await codeIn('curl')]);
    await dashboard.page.waitForFunction(
      `dispatchEvent(new Event('focus')), document.querySelectorAll('.start_step.start_done').length === 2`,
      { polling: 500 },
    );
    await runFile(process.execPath, 'hello.mts', await codeIn('typescript'));
    await dashboard.press('Create a template', 'Create template');
    await dashboard.page.waitForSelector('.cm-content');
    await dashboard.go('/');
    await dashboard.page.waitForFunction(`document.querySelectorAll('.start_step.start_done').length === 3`);
    await dashboard.expectAccessible();
  });

  it.skipIf(!hasPython)('has Python that creates the first document', async () => {
    await runFile('python3', 'hello.py', await codeIn('python'));
  });

  it('changes the language using only the keyboard, keeps it after a reload, and links to the sections', async () => {
    await dashboard.page.focus('[role=tab][aria-selected=true]');
    await dashboard.page.keyboard.press('ArrowLeft');
    await dashboard.shows('urllib.request');
    await dashboard.page.keyboard.press('Home');
    await dashboard.shows('curl -sS');
    await dashboard.page.keyboard.press('ArrowRight');
    await dashboard.shows('new TrifoldClient');
    expect(await dashboard.page.evaluate('document.activeElement.innerText')).toBe('TypeScript');
    const isWhole = `[...document.querySelectorAll('pre')].every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)`;
    expect(await dashboard.page.evaluate(isWhole)).toBe(true);
    await dashboard.page.reload();
    await dashboard.shows('new TrifoldClient');
    expect(await dashboard.page.evaluate('document.documentElement.outerHTML')).not.toMatch(
      /tf_(live|test)_/,
    );
    await dashboard.page.locator('.start_links a[href="/dashboard/keys"]').click();
    await dashboard.shows('Programs use keys to call the API');
  });
});
