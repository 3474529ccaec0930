import type { CDPSession } from 'puppeteer-core';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import type { PipeTransport } from '../process/pipe-transport.ts';
import { measured } from './measured.ts';
import { PrintError } from './print-error.ts';

/** Computed styles that a snapshot contains for everything that is laid out. */
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
  ...edgeStyles('top'),
  ...edgeStyles('right'),
  ...edgeStyles('bottom'),
  ...edgeStyles('left'),
] as const;
export type SnapshotStyle = (typeof SNAPSHOT_STYLES)[number];

function edgeStyles<Side extends string>(side: Side) {
  return [`padding-${side}`, `border-${side}-width`, `border-${side}-style`, `border-${side}-color`] as const;
}

export interface PageSnapshot {
  /**
   * Response to `DOMSnapshot.captureSnapshot`: JSON in UTF-8, in pieces. The document determines its size, so a child
   * process decodes and parses it.
   */
  readonly json: readonly Uint8Array[];
  /** PNGs of SVGs and of images other than PNG, JPEG and GIF, indexed by the element's DRAWING_ATTRIBUTE. */
  readonly pictures: readonly Buffer[];
}

/** Attribute with the index of an element's picture, from 0. */
export const DRAWING_ATTRIBUTE = 'trifold-drawing';

const MOST_NODES = 150_000;
/** Maximum number of drawings that become pictures; further ones are left out. */
const MOST_PICTURES = 100;
const MOST_PICTURE_BYTES = 50 * 2 ** 20;
/** Picture pixels for each CSS pixel, unless the drawing is larger than LARGEST_DRAWING. */
const PICTURE_SCALE = 3;
const LARGEST_DRAWING = 4_000_000;

/** Images that a DOCX file can contain unchanged. */
const PLAIN_IMAGES = ['png', 'jpeg', 'jpg', 'gif'].map((type) => `[src^="data:image/${type};base64," i]`);
/** Elements that a DOCX file can only contain as pictures. External images were not loaded. */
const DRAWINGS = `svg, img[src^="data:" i]:not(${PLAIN_IMAGES.join()})`;

/** Counts the nodes and numbers the drawings, in the page. */
const LOOK_AROUND = `(() => {
  const walker = createTreeWalker(document);
  let nodes = 1;
  while (walker.nextNode()) nodes += 1;
  const drawings = [];
  for (const element of querySelectorAll(${JSON.stringify(DRAWINGS)})) {
    if (drawings.length === ${MOST_PICTURES}) break;
    const { x, y, width, height } = getBoundingClientRect(element);
    if (width < 1 || height < 1 || width * height > ${LARGEST_DRAWING}) continue;
    setAttribute(element, '${DRAWING_ATTRIBUTE}', drawings.length);
    drawings.push({ x: Math.max(0, x + scrollX), y: Math.max(0, y + scrollY), width, height });
  }
  return { nodes, drawings };
})()`;

type Rectangle = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** Takes a snapshot of the page. Rejects with PrintError `output_too_large`. */
export async function takeSnapshot(
  session: CDPSession,
  frameId: string,
  transport: PipeTransport,
): Promise<PageSnapshot> {
  const found = await measured<{ nodes: number; drawings: readonly Rectangle[] }>(
    session,
    frameId,
    LOOK_AROUND,
  );
  if (found === undefined) throw new PrintError('print_failed', 'the layout of the document cannot be read');
  const { nodes, drawings } = found;
  if (nodes > MOST_NODES) {
    const message = `the document has ${nodes} elements and text nodes; the limit for this format is ${MOST_NODES}`;
    throw new PrintError('output_too_large', message);
  }
  const json = await transport.receiveRaw(() =>
    session.send('DOMSnapshot.captureSnapshot', { computedStyles: [...SNAPSHOT_STYLES] }),
  );
  const pictures: Buffer[] = [];
  let bytes = 0;
  for (const drawing of drawings) {
    const picture = await pictureOf(session, drawing);
    bytes += picture.length;
    if (bytes > MOST_PICTURE_BYTES) {
      const message = `the images of the document's drawings exceed ${MOST_PICTURE_BYTES} bytes`;
      throw new PrintError('output_too_large', message);
    }
    pictures.push(picture);
  }
  return { json, pictures };
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
