import { ConnectionClosedError, type Connection } from 'puppeteer-core';

/** A DevTools protocol command for one page. */
export interface PageCommand {
  readonly targetId: string;
  readonly method: string;
  readonly params: object;
}

/**
 * Sends a command and resolves with the browser's response as JSON: `{"id":1,"result":…}`. This thread needs four times
 * as long to parse millions of small values as to parse one string. In a session that is not flat, a response is one
 * string.
 */
export async function sendForText(
  connection: Connection,
  { targetId, method, params }: PageCommand,
): Promise<string> {
  // Puppeteer detaches from pages that its own connection attaches to, but not from those of another session.
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
