import { ConnectionClosedError, type Connection } from 'puppeteer-core';

/** A command of the DevTools protocol to one page. */
export interface PageCommand {
  readonly targetId: string;
  readonly method: string;
  readonly params: object;
}

/**
 * Sends a command and resolves with the browser's answer as JSON: `{"id":1,"result":…}`. Millions of small values take
 * this thread four times as long to parse as one string. In a session that is not flat, an answer is one string.
 */
export async function sendForText(
  connection: Connection,
  { targetId, method, params }: PageCommand,
): Promise<string> {
  // Puppeteer detaches from pages that its connection attaches to, but not from those of another session.
  const { targetInfo: browser } = await connection.send('Target.getTargetInfo', {});
  const session = await connection.createSession(browser);
  const { promise: answer, resolve, reject } = Promise.withResolvers<string>();
  answer.catch(() => undefined);
  const fail = () => reject(new ConnectionClosedError('the page is gone'));
  session.once('Target.receivedMessageFromTarget', ({ message }) => resolve(message));
  session.once('Target.detachedFromTarget', fail);
  // Puppeteer has no public event for the end of a connection.
  session.on('*', () => void (session.detached && fail()));
  try {
    const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
    const message = JSON.stringify({ id: 1, method, params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    const text = await answer;
    if (!text.startsWith('{"id":1,"result":')) throw new Error(`${method} failed: ${text.slice(0, 200)}`);
    return text;
  } finally {
    await session.detach().catch(() => undefined);
  }
}
