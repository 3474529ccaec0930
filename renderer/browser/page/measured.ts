import type { CDPSession } from 'puppeteer-core';

/**
 * Returns the JSON value of an expression in the document. It runs in an isolated world, so that the document's scripts
 * and the names of its elements cannot change the functions it uses.
 */
export async function measured<T>(session: CDPSession, frameId: string, expression: string): Promise<T> {
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId,
    worldName: 'measurement',
  });
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
  return result.value as T;
}
