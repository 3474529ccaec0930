import { PAGE_TOKENS } from '@trifold/platform/templating/merge/template-compiler.ts';
import type { CDPSession } from 'puppeteer-core';
import { decodeBase64, runInSlices } from '../../time-slices.ts';
import type { PipeTransport } from '../process/pipe-transport.ts';
import { measured } from './measured.ts';
import { PrintError } from './print-error.ts';

/** Computed styles that a snapshot contains for each laid-out node. */
export const SNAPSHOT_STYLES = [
  'display',
  'visibility',
  'direction',
  'unicode-bidi',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'font-variant-caps',
  'letter-spacing',
  'line-height',
  'white-space-collapse',
  'text-wrap-mode',
  'overflow-wrap',
  'word-break',
  'color',
  'background-color',
  'text-align',
  'text-indent',
  'text-decoration-line',
  'vertical-align',
  'list-style-type',
  'list-style-image',
  'list-style-position',
  'content',
  'position',
  'float',
  'column-count',
  'column-width',
  'background-image',
  'background-clip',
  'box-shadow',
  'text-shadow',
  'border-image-source',
  'border-radius',
  'outline-style',
  'mask-image',
  'mix-blend-mode',
  '-webkit-text-stroke-width',
  'transform',
  'rotate',
  'writing-mode',
  'overflow-x',
  'overflow-y',
  'clip',
  'clip-path',
  'opacity',
  'filter',
  'appearance',
  'object-fit',
  'object-position',
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
   * Response to `DOMSnapshot.captureSnapshot`: JSON in UTF-8, in chunks. The document determines its size, so a child
   * process decodes and parses it.
   */
  readonly json: readonly Uint8Array[];
  /** PNGs of SVGs and other elements in DRAWINGS, indexed by the element's DRAWING_ATTRIBUTE. */
  readonly pictures: readonly Buffer[];
}

/** Attribute for the index of an element's image, from 0. */
export const DRAWING_ATTRIBUTE = 'trifold-drawing';

const MAX_NODES = 150_000;
/** Maximum number of drawings that become images; further ones are omitted. */
const MAX_IMAGES = 100;
const MAX_IMAGE_BYTES = 50 * 2 ** 20;
/** Image pixels per CSS pixel, unless the drawing is larger than LARGEST_DRAWING. */
const PICTURE_SCALE = 3;
const LARGEST_DRAWING = 4_000_000;

/** Images that a DOCX file can contain unchanged. */
const PLAIN_IMAGES = ['png', 'jpeg', 'jpg', 'gif'].map((type) => `[src^="data:image/${type};base64," i]`);
/** Other images, and form controls that consist of more than text. */
const CONTROLS = ['range', 'color', 'date', 'time', 'month', 'week', 'datetime-local'].map(
  (type) => `input[type="${type}" i]`,
);
/** Elements that a DOCX file can only contain as images. External images were not loaded. */
const DRAWINGS = `svg:not(svg svg), img[src^="data:" i]:not(${PLAIN_IMAGES.join()}), math, canvas, meter, progress, input[type="image" i][src^="data:" i], ${CONTROLS.join()}`;
/** Number of base64 characters that contain a JPEG's orientation. */
const EXIF_CHARACTERS = 2 ** 16;

/**
 * Runs in the page: counts the nodes, removes page numbers from drawings and numbers the drawings. A page number in a
 * root attribute represents the removed ones.
 */
const LOOK_AROUND = `(() => {
  const walker = createTreeWalker(document);
  let nodes = 1;
  while (walker.nextNode()) nodes += 1;

  const token = /${PAGE_TOKENS.page}|${PAGE_TOKENS.pages}/gu;
  const hasToken = (text) => text.search(token) >= 0;
  const texts = createTreeWalker(document, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (!hasToken(text.data) || !text.parentElement || !closest(text.parentElement, 'svg, math')) continue;
    setAttribute(root, 'trifold-lost', '${PAGE_TOKENS.page}');
    text.data = text.data.replaceAll(token, '');
  }

  /* Exif 2.32, 4.6.4: the tag is 0x0112; its value follows type and count. */
  const isTurned = (image) => {
    const source = getAttribute(image, 'src');
    if (getComputedStyle(image).imageOrientation === 'none' || !/^data:image.jpe?g;/i.test(source)) return false;
    const start = source.indexOf(',') + 1;
    const base64 = source.slice(start, start + ${EXIF_CHARACTERS}).replaceAll(/[^A-Za-z0-9+/]/g, '');
    const bytes = atob(base64.slice(0, base64.length - (base64.length % 4)));
    const [, order, entry] = /Exif\\0\\0(II|MM)[^]*?(\\x12\\x01\\x03\\0\\x01\\0\\0\\0[^]|\\x01\\x12\\0\\x03\\0\\0\\0\\x01\\0[^])/.exec(bytes) ?? [];
    return order !== undefined && entry.charCodeAt(8) + (entry.charCodeAt(9) || 0) > 1;
  };
  const hasEffect = (image) => {
    const { borderRadius, filter, clipPath, opacity } = getComputedStyle(image);
    return borderRadius !== '0px' || filter !== 'none' || clipPath !== 'none' || opacity < 1;
  };
  const isChosen = ({ currentSrc }, source) => currentSrc.startsWith('data:') && currentSrc !== source;
  const chosen = [...querySelectorAll('img[srcset], picture > img')].filter((image) => isChosen(image, getAttribute(image, 'src')));
  const drawn = new Set([...querySelectorAll(${JSON.stringify(DRAWINGS)}), ...chosen]);
  const changed = [...querySelectorAll(${JSON.stringify(`img:is(${PLAIN_IMAGES.join()})`)})].filter((image) => isTurned(image) || hasEffect(image));

  const drawings = [];
  for (const element of [...drawn, ...changed]) {
    if (drawings.length === ${MAX_IMAGES}) break;
    const { x, y, width, height } = getBoundingClientRect(element);
    if (width < 1 || height < 1 || width * height > ${LARGEST_DRAWING}) continue;
    if (hasToken(getAttribute(element, 'src') ?? '')) continue;
    setAttribute(element, '${DRAWING_ATTRIBUTE}', drawings.length);
    drawings.push({ x: Math.max(0, x + scrollX), y: Math.max(0, y + scrollY), width, height, isOptional: !drawn.has(element) });
  }
  return { nodes, drawings };
})()`;

type Rectangle = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

interface Drawing extends Rectangle {
  /** Whether the file can contain the image's source instead. Optional drawings come last. */
  readonly isOptional: boolean;
}

/** Result of LOOK_AROUND. */
interface Found {
  readonly nodes: number;
  readonly drawings: readonly Drawing[];
}

/** Takes a snapshot of the page. Rejects with PrintError `output_too_large`. */
export async function takeSnapshot(
  session: CDPSession,
  frameId: string,
  transport: PipeTransport,
): Promise<PageSnapshot> {
  const found = await measured<Found>(session, frameId, LOOK_AROUND);
  if (found === undefined) throw new PrintError('print_failed', 'the document layout cannot be read');
  const { nodes, drawings } = found;
  if (nodes > MAX_NODES) {
    const message = `the document has ${nodes} elements and text nodes; the limit for this format is ${MAX_NODES}`;
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
    if (bytes > MAX_IMAGE_BYTES && drawing.isOptional) break;
    if (bytes > MAX_IMAGE_BYTES) {
      const message = `the images for the document's drawings exceed ${MAX_IMAGE_BYTES} bytes`;
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
