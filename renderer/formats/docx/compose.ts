import {
  AlignmentType,
  Document,
  Footer,
  Header,
  Packer,
  PageOrientation,
  Paragraph,
  TextRun,
  type ISectionOptions,
} from 'docx';
import type { PageGeometry } from '@trifold/platform/templating/page-size.ts';
import type { WatermarkText } from '../../pdf/watermark/watermark-tile.ts';
import { contentBox, Flow, type Block } from './flow.ts';
import type { Images } from './images.ts';
import { fontOf } from './inline.ts';
import { Lists } from './lists.ts';
import { laidOutTree, type LaidOut, type ParsedSnapshot } from './snapshot-tree.ts';
import { addAsTable } from './tables.ts';
import { xmlText } from './units.ts';

/** Twips per inch. */
const TWIPS = 1440;
/** Distance of the watermark from the top of a page without a header, in inches. */
const WATERMARK_DISTANCE = 0.2;

/** Parts of a document, each with its own snapshot. */
export type PartName = 'body' | 'header' | 'footer';

/** Settings of a file in addition to its parts. */
export interface ComposeSettings {
  readonly geometry: PageGeometry;
  /** Text at the top of every page. */
  readonly watermark: WatermarkText | undefined;
  /** Title to use when the HTML has none. */
  readonly title?: string | undefined;
}

/** The layout from a browser, with pictures of its drawings. */
export interface IllustratedSnapshot extends ParsedSnapshot {
  readonly pictures: Images;
}

export async function composeDocx(
  parts: { body: IllustratedSnapshot } & Partial<Record<PartName, IllustratedSnapshot | undefined>>,
  { geometry, watermark, title: otherTitle }: ComposeSettings,
): Promise<Uint8Array> {
  const lists = new Lists();
  const root = laidOutTree(parts.body);
  const body = root && bodyOf(root);
  const children = blocksOf(parts.body, lists);
  const header = [...(watermark ? [watermarkLine(watermark)] : []), ...decorationBlocks(parts.header, lists)];
  const footer = decorationBlocks(parts.footer, lists);
  const title = parts.body.title || otherTitle;
  const section: ISectionOptions = {
    properties: { page: pageOf(geometry, watermark !== undefined) },
    children: children.length > 0 ? children : [new Paragraph({})],
    ...(header.length > 0 && { headers: { default: new Header({ children: header }) } }),
    ...(footer.length > 0 && { footers: { default: new Footer({ children: footer }) } }),
  };
  const document = new Document({
    creator: 'Trifold',
    lastModifiedBy: 'Trifold',
    ...(title !== undefined && { title: xmlText(title) }),
    numbering: { config: lists.config },
    ...(body && { styles: { default: { document: { run: fontOf(body.style) } } } }),
    sections: [section],
  });
  return Packer.toBuffer(document);
}

/** Returns the blocks of a header or footer; empty without one. */
function decorationBlocks(snapshot: IllustratedSnapshot | undefined, lists: Lists): Block[] {
  const blocks = snapshot ? blocksOf(snapshot, lists) : [];
  if (blocks.length > 0 && !(blocks.at(-1) instanceof Paragraph)) blocks.push(new Paragraph({}));
  return blocks;
}

function blocksOf(snapshot: IllustratedSnapshot, lists: Lists): Block[] {
  const root = laidOutTree(snapshot);
  const body = root && bodyOf(root);
  if (!body) return [];
  const page = { x: 0, width: root.box.width };
  const shared = { images: snapshot.pictures, lists, tables: addAsTable };
  const flow = new Flow(shared, page, contentBox(body).y);
  flow.addChildren(body);
  return flow.blocks;
}

function bodyOf(root: LaidOut): LaidOut | undefined {
  return root.children.find(({ name }) => name === 'body') ?? root;
}

/** A line at the top of every page. Editors of the file can remove it (docs/formats.md). */
function watermarkLine(text: WatermarkText): Paragraph {
  return new Paragraph({
    alignment: AlignmentType.CENTER,
    spacing: { before: 0, after: 0 },
    children: [new TextRun({ text, bold: true, size: 40, color: 'BF1A1A', font: 'Arial' })],
  });
}

/** The library swaps width and height of a landscape page. */
function pageOf({ width, height, margins, header, footer }: PageGeometry, isStamped: boolean) {
  const twips = (inches: number) => Math.round(inches * TWIPS);
  const lies = width > height;
  return {
    size: {
      width: twips(lies ? height : width),
      height: twips(lies ? width : height),
      orientation: lies ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
    },
    margin: {
      top: twips(margins.top + header),
      right: twips(margins.right),
      bottom: twips(margins.bottom + footer),
      left: twips(margins.left),
      header: twips(isStamped ? Math.min(margins.top, WATERMARK_DISTANCE) : margins.top),
      footer: twips(margins.bottom),
      gutter: 0,
    },
  };
}
