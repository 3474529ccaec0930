import type { CDPSession, Connection } from 'puppeteer-core';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import { PrintError } from './print-error.ts';
import { sendForText } from './text-answer.ts';

/** Computed styles that a snapshot has of everything that is laid out. */
export const SNAPSHOT_STYLES = [
  'display',
  'visibility',
  'direction',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'font-variant-caps',
  'letter-spacing',
  'line-height',
  'white-space-collapse',
  'color',
  'background-color',
  'text-align',
  'text-decoration-line',
  'vertical-align',
  'list-style-type',
  'break-before',
  'break-after',
  'break-inside',
  'padding-top',
  'padding-right',
  'padding-bottom',
  'padding-left',
  'border-top-width',
  'border-right-width',
  'border-bottom-width',
  'border-left-width',
  'border-top-style',
  'border-right-style',
  'border-bottom-style',
  'border-left-style',
  'border-top-color',
  'border-right-color',
  'border-bottom-color',
  'border-left-color',
] as const;
export type SnapshotStyle = (typeof SNAPSHOT_STYLES)[number];

/** What a page shows. */
export interface PageSnapshot {
  /** Answer of `DOMSnapshot.captureSnapshot` as JSON. Its size is the document's choice: a child process parses it. */
  readonly json: string;
  /** PNG of SVG and of images that are no PNG, JPEG or GIF, by the number in DRAWING_ATTRIBUTE of the element. */
  readonly pictures: readonly Buffer[];
}

/** The page to take a snapshot of. */
export interface SnapshotSource {
  readonly connection: Connection;
  readonly session: CDPSession;
  readonly targetId: string;
  readonly frameId: string;
}

/** Number of the picture of an element, from 0. */
export const DRAWING_ATTRIBUTE = 'trifold-drawing';

/** Most nodes of a document of which a snapshot is taken. */
const MOST_NODES = 150_000;
/** Most drawings of which pictures are taken; further ones are left out. */
const MOST_PICTURES = 100;
/** Bytes that they may have together. */
const MOST_PICTURE_BYTES = 50 * 2 ** 20;
/** Pixels of such a picture for each CSS pixel, while it is not larger than this. */
const PICTURE_SCALE = 3;
const LARGEST_DRAWING = 4_000_000;

/** Images that a DOCX file holds as they are. */
const PLAIN_IMAGES = ['png', 'jpeg', 'jpg', 'gif'].map((type) => `[src^="data:image/${type};base64," i]`);
/** What can only be put into a document as a picture. Images outside the document were not loaded. */
const DRAWINGS = `svg, img[src^="data:" i]:not(${PLAIN_IMAGES.join()})`;

/** Counts the nodes and numbers the drawings, in the page. */
const LOOK_AROUND = `(() => {
  const walker = document.createTreeWalker(document);
  let nodes = 1;
  while (walker.nextNode()) nodes += 1;
  const drawings = [];
  for (const element of document.querySelectorAll(${JSON.stringify(DRAWINGS)})) {
    if (drawings.length === ${MOST_PICTURES}) break;
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width < 1 || height < 1 || width * height > ${LARGEST_DRAWING}) continue;
    element.setAttribute('${DRAWING_ATTRIBUTE}', drawings.length);
    drawings.push({ x: Math.max(0, x + scrollX), y: Math.max(0, y + scrollY), width, height });
  }
  return { nodes, drawings };
})()`;

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Takes a snapshot of what the page shows. Rejects with PrintError `output_too_large`. */
export async function takeSnapshot({
  connection,
  session,
  targetId,
  frameId,
}: SnapshotSource): Promise<PageSnapshot> {
  const { nodes, drawings } = await lookAround(session, frameId);
  if (nodes > MOST_NODES) throw PrintError.tooManyNodes(nodes, MOST_NODES);
  const params = { computedStyles: SNAPSHOT_STYLES };
  const json = await sendForText(connection, { targetId, method: 'DOMSnapshot.captureSnapshot', params });
  const pictures: Buffer[] = [];
  let bytes = 0;
  for (const drawing of drawings) {
    const picture = await pictureOf(session, drawing);
    bytes += picture.length;
    if (bytes > MOST_PICTURE_BYTES) throw picturesTooLarge();
    pictures.push(picture);
  }
  return { json, pictures };
}

function picturesTooLarge(): PrintError {
  const message = `the pictures of the document's drawings have more than ${MOST_PICTURE_BYTES} bytes`;
  return new PrintError('output_too_large', message, false);
}

/** In a world of its own: scripts of the document do not change what the functions there do. */
async function lookAround(
  session: CDPSession,
  frameId: string,
): Promise<{ nodes: number; drawings: readonly Rectangle[] }> {
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId });
  const { result } = await session.send('Runtime.evaluate', {
    expression: LOOK_AROUND,
    contextId,
    returnByValue: true,
  });
  return result.value as { nodes: number; drawings: readonly Rectangle[] };
}

async function pictureOf(session: CDPSession, { x, y, width, height }: Rectangle): Promise<Buffer> {
  const scale = width * height * PICTURE_SCALE ** 2 > LARGEST_DRAWING ? 1 : PICTURE_SCALE;
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    clip: { x, y, width, height, scale },
  });
  return runInSlices(decodeBase64(data));
}
