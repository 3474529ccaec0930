import type { CDPSession } from 'puppeteer-core';
import { measured } from './measured.ts';

/** The element that reaches furthest to the right. */
export interface WidestElement {
  /** Selector such as `table.lines`, which other elements may match, too. */
  readonly name: string;
  /** Start tag as Chromium writes it. */
  readonly tag: string;
  /** Its right edge, in CSS pixels. */
  readonly right: number;
}

/** The search ends after so many elements. */
const MOST_ELEMENTS = 20_000;

const FIND = `(() => {
  let widest, right = document.documentElement.clientWidth + 1, rest = ${MOST_ELEMENTS};
  for (const element of document.body?.querySelectorAll('*') ?? []) {
    if (rest-- === 0) break;
    const box = element.getBoundingClientRect();
    if (box.height > 0 && box.right > right) [widest, right] = [element, box.right];
  }
  if (!widest) return undefined;
  const tag = widest.cloneNode(false).outerHTML;
  const names = [widest.localName, ...(widest.id ? ['#' + widest.id] : []), ...[...widest.classList].map((each) => '.' + each)];
  return { name: names.join('').slice(0, 256), tag: tag.slice(0, tag.indexOf('>') + 1), right };
})()`;

/**
 * Lays the document out for print at a width in CSS pixels and returns its widest element; undefined if none is wider.
 */
export async function widestElement(
  session: CDPSession,
  frameId: string,
  width: number,
): Promise<WidestElement | undefined> {
  const metrics = { width: Math.round(width), height: 1000, deviceScaleFactor: 1, mobile: false };
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', metrics),
    session.send('Emulation.setEmulatedMedia', { media: 'print' }),
  ]);
  const widest = await measured<WidestElement | undefined>(session, frameId, FIND);
  await Promise.all([
    session.send('Emulation.clearDeviceMetricsOverride'),
    session.send('Emulation.setEmulatedMedia', { media: '' }),
  ]);
  return widest;
}
