import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';

export type Direction = 'ltr' | 'rtl';

/** Other documents are left-to-right. Linked style sheets may set a direction. */
const MAY_SET_DIRECTION = /\brtl\b|\bdir\s{0,5}=|<link\b|@import\b/i;

/** Whether a document's direction must be read from its layout. */
export function maySetDirection(html: string): boolean {
  return MAY_SET_DIRECTION.test(html);
}

/** Returns the computed direction of the current document's body. */
export async function baseDirection(session: CDPSession, frameId: string): Promise<Direction | undefined> {
  const expression = "getComputedStyle(querySelectorAll('body')[0] ?? root).direction";
  return measured<Direction>(session, frameId, expression);
}
