import type { CDPSession, Protocol } from 'puppeteer-core';
import { PrintError } from './print-error.ts';

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

/** What a page shows: its nodes, what was laid out of them and where, and pictures of what is drawn. */
export interface PageSnapshot {
  /** Of the document, with its white space collapsed; empty when it has none. */
  readonly title: string;
  readonly strings: readonly string[];
  readonly nodes: Protocol.DOMSnapshot.NodeTreeSnapshot;
  readonly layout: Protocol.DOMSnapshot.LayoutTreeSnapshot;
  /** PNG of SVG and of images that are no PNG, JPEG or GIF, by the index of their node. */
  readonly pictures: ReadonlyMap<number, Buffer>;
}

/** Most nodes of a document of which a snapshot is taken. */
export const MOST_NODES = 200_000;
/** Most drawings of which pictures are taken; further ones are left out. */
const MOST_PICTURES = 100;
/** Bytes that they may have together. */
const MOST_PICTURE_BYTES = 50 * 2 ** 20;
/** Pixels of such a picture for each CSS pixel, while it is not larger than this. */
const PICTURE_SCALE = 3;
const LARGEST_DRAWING = 4_000_000;

/** Takes a snapshot of what the page shows. Rejects with PrintError `output_too_large`. */
export async function takeSnapshot(session: CDPSession): Promise<PageSnapshot> {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', {
    computedStyles: [...SNAPSHOT_STYLES],
  });
  const [document] = documents;
  if (!document) throw PrintError.of(new Error('the browser has no document'));
  const { nodes, layout } = document;
  const title = strings[document.title] ?? '';
  const count = nodes.nodeName?.length ?? 0;
  if (count > MOST_NODES) throw PrintError.tooManyNodes(count, MOST_NODES);
  const pictures = new Map<number, Buffer>();
  let bytes = 0;
  for (const { node, bounds } of drawings({ strings, nodes, layout })) {
    const picture = await pictureOf(session, bounds);
    bytes += picture.length;
    if (bytes > MOST_PICTURE_BYTES) throw picturesTooLarge();
    pictures.set(node, picture);
  }
  return { title, strings, nodes, layout, pictures };
}

function picturesTooLarge(): PrintError {
  const message = `the pictures of the document's drawings have more than ${MOST_PICTURE_BYTES} bytes`;
  return new PrintError('output_too_large', message, false);
}

interface Drawing {
  readonly node: number;
  readonly bounds: readonly [number, number, number, number];
}

type Parts = Pick<PageSnapshot, 'strings' | 'nodes' | 'layout'>;

function drawings(parts: Parts): Drawing[] {
  const found: Drawing[] = [];
  for (const [index, node] of parts.layout.nodeIndex.entries()) {
    if (found.length === MOST_PICTURES) break;
    const bounds = shownBounds(parts.layout.bounds[index]);
    if (bounds && isDrawing(parts, node)) found.push({ node, bounds });
  }
  return found;
}

function shownBounds([x = 0, y = 0, width = 0, height = 0]: readonly number[] = []):
  | Drawing['bounds']
  | undefined {
  if (width < 1 || height < 1 || width * height > LARGEST_DRAWING) return undefined;
  return [Math.max(0, x), Math.max(0, y), width, height];
}

/** Whether something can only be put into a document as a picture of it. */
function isDrawing({ strings, nodes }: Parts, node: number): boolean {
  const name = strings[nodes.nodeName?.[node] ?? -1]?.toLowerCase();
  if (name !== 'img') return name === 'svg';
  const attributes = nodes.attributes?.[node] ?? [];
  const at = attributes.findIndex((attribute, index) => index % 2 === 0 && strings[attribute] === 'src');
  const source = at === -1 ? '' : (strings[attributes[at + 1] ?? -1] ?? '');
  // What is not in the document was not loaded.
  return /^data:(?!image\/(?:png|jpeg|jpg|gif);base64,)/i.test(source);
}

async function pictureOf(session: CDPSession, [x, y, width, height]: Drawing['bounds']): Promise<Buffer> {
  const scale = width * height * PICTURE_SCALE ** 2 > LARGEST_DRAWING ? 1 : PICTURE_SCALE;
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'png',
    captureBeyondViewport: true,
    clip: { x, y, width, height, scale },
  });
  return Buffer.from(data, 'base64');
}
