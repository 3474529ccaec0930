import type { Connection } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchTestBrowser } from '../../testing/test-browser.ts';
import type { BrowserProcess } from '../process/browser-process.ts';
import { isGone } from './print-error.ts';
import { sendForText } from './text-answer.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

describe('a response as text', () => {
  let browser: BrowserProcess;
  let connection: Connection;
  beforeAll(async () => {
    browser = await launchTestBrowser();
    ({ connection } = browser);
  });
  afterAll(() => browser.stop());

  const openTarget = async () =>
    (await connection.send('Target.createTarget', { url: 'about:blank' })).targetId;
  const evaluate = (targetId: string, expression: string) =>
    sendForText(connection, {
      targetId,
      method: 'Runtime.evaluate',
      params: { expression, awaitPromise: true, returnByValue: true },
    });

  it('is the JSON that the browser wrote', async () => {
    const text = await evaluate(await openTarget(), '["a\\"€", 1]');
    expect(JSON.parse(text)).toEqual({ id: 1, result: { result: { type: 'object', value: ['a"€', 1] } } });
  });

  it('leaves no session open', async () => {
    const targetId = await openTarget();
    await evaluate(targetId, '1');
    const { targetInfo } = await connection.send('Target.getTargetInfo', { targetId });
    expect(targetInfo.attached).toBe(false);
  });

  it('is an error when the browser rejects the command', async () => {
    const command = { targetId: await openTarget(), method: 'DOMSnapshot.missing', params: {} };
    await expect(sendForText(connection, command)).rejects.toThrow(/^DOMSnapshot\.missing failed: /);
  });

  const NEVER = 'new Promise((resolve) => { globalThis.kept = resolve; })';

  it('fails when the page closes', async () => {
    const targetId = await openTarget();
    const answer = evaluate(targetId, NEVER).catch((error: unknown) => error);
    // The command is in flight when the browser reports an attachment to the page.
    await eventually(async () =>
      expect((await connection.send('Target.getTargetInfo', { targetId })).targetInfo.attached).toBe(true),
    );
    await connection.send('Target.closeTarget', { targetId });
    expect(isGone(await answer)).toBe(true);
  });

  it('fails when the browser ends', async () => {
    const own = await launchTestBrowser();
    const { targetId } = await own.connection.send('Target.createTarget', { url: 'about:blank' });
    const params = { expression: NEVER, awaitPromise: true };
    const command = { targetId, method: 'Runtime.evaluate', params };
    const answer = sendForText(own.connection, command).catch((error: unknown) => error);
    // The command is in flight when the browser reports an attachment to the page.
    await eventually(async () =>
      expect((await own.connection.send('Target.getTargetInfo', { targetId })).targetInfo.attached).toBe(
        true,
      ),
    );
    await own.stop();
    expect(isGone(await answer)).toBe(true);
  });
});
