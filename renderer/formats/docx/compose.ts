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
import type { DocumentProperties } from '@trifold/crds';
import {
  DECORATION_KINDS,
  type DecorationKind,
  type DecorationName,
} from '@trifold/platform/templating/decorations.ts';
import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import type { FoundWarning } from '../../browser/page/document-requests.ts';
import type { WatermarkText } from '../../pdf/watermark/watermark-tile.ts';
import { Anchors } from './anchors.ts';
import { Findings } from './findings.ts';
import { Flow, type Block } from './flow.ts';
import type { Images } from './images.ts';
import { fontOf } from './inline.ts';
import { Lists } from './lists.ts';
import { laidOutTree } from './laid-out-tree.ts';
import { attributesOf, stringAt, type LaidOut, type ParsedSnapshot } from './snapshot-tree.ts';
import { findPageRules } from './page-rules.ts';
import { addAsTable } from './tables.ts';
import { findLostPageNumbers, findUnsupported, removeDecorations } from './unsupported.ts';
import { xmlText } from './units.ts';

/** Twips per inch. */
const TWIPS = 1440;
/** Distance of the watermark from the top of a page without a header, in inches. */
const WATERMARK_DISTANCE = 0.2;

/** Parts of a document, each with a separate snapshot. */
export type PartName = 'body' | DecorationName;
export type Parts = Readonly<Partial<Record<PartName, IllustratedSnapshot | undefined>>>;

/** File-level settings, apart from its parts. */
export interface ComposeSettings {
  readonly geometry: PageGeometry;
  /** Text at the top of every page. */
  readonly watermark: WatermarkText | undefined;
  /** Title to use when the HTML has none. */
  readonly title?: string | undefined;
  readonly properties?: DocumentProperties | undefined;
}

/** The layout from a browser, with images of its drawings. */
export interface IllustratedSnapshot extends ParsedSnapshot {
  readonly pictures: Images;
}

/** A Word file, and its differences from the document. */
export interface ComposedDocx {
  readonly file: Uint8Array;
  readonly warnings: readonly FoundWarning[];
}

export async function composeDocx(
  parts: Parts & { readonly body: IllustratedSnapshot },
  { geometry, watermark, title, properties = {} }: ComposeSettings,
): Promise<ComposedDocx> {
  const lists = new Lists();
  const findings = new Findings();
  findPageRules(parts.body, geometry, findings);
  const warnings: FoundWarning[] = [...findings.warnings];
  const body = bodyOf(parts.body);
  const language = properties.language ?? languageOf(parts.body);
  const children = body ? blocksOf(body, { name: 'body', snapshot: parts.body, lists, warnings }) : [];
  const types = pageTypes(parts);
  const decorationBlocks = (kind: DecorationKind, type: PageType): Block[] => {
    const name = partOn(kind, type, parts);
    const snapshot = parts[name];
    const root = snapshot && bodyOf(snapshot);
    const blocks = root ? blocksOf(root, { name, type, snapshot, lists, warnings }) : [];
    if (blocks.length > 0 && !(blocks.at(-1) instanceof Paragraph)) blocks.push(new Paragraph({}));
    return blocks;
  };
  const headers = types.flatMap((type) => {
    const blocks = decorationBlocks('header', type);
    const header = [...(watermark ? [watermarkLine(watermark)] : []), ...blocks];
    return header.length > 0 ? [[type, new Header({ children: header })]] : [];
  });
  const footers = types.flatMap((type) => {
    const footer = decorationBlocks('footer', type);
    return footer.length > 0 ? [[type, new Footer({ children: footer })]] : [];
  });
  const section: ISectionOptions = {
    properties: {
      page: pageOf(geometry, watermark !== undefined),
      ...(types.includes('first') && { titlePage: true }),
    },
    children: children.length > 0 ? children : [new Paragraph({})],
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers) as NonNullable<ISectionOptions['headers']>,
    }),
    ...(footers.length > 0 && {
      footers: Object.fromEntries(footers) as NonNullable<ISectionOptions['footers']>,
    }),
  };
  const document = new Document({
    ...coreProperties(properties, parts.body.title || title),
    ...(types.includes('even') && { evenAndOddHeaderAndFooters: true }),
    numbering: { config: lists.config },
    styles: { default: { document: { run: defaultRun(body, language) } } },
    sections: [section],
  });
  return { file: await Packer.toBuffer(document), warnings };
}

/**
 * Page types with separate headers and footers in Word. If there is an `even` type, `default` applies only to odd
 * pages.
 */
type PageType = 'default' | 'first' | 'even';

/** Word switches the header and footer together: a page type that one of them needs exists for both. */
function pageTypes(parts: Parts): PageType[] {
  const has = (position: 'first' | 'even' | 'odd') =>
    DECORATION_KINDS.some((kind) => parts[`${kind}.${position}`] !== undefined);
  const types = { default: true, first: has('first'), even: has('even') || has('odd') };
  return (['default', 'first', 'even'] as const).filter((type) => types[type]);
}

function partOn(kind: DecorationKind, type: PageType, parts: Parts): DecorationName {
  const has = (name: DecorationName) => parts[name] !== undefined;
  const odd = has(`${kind}.odd`) ? (`${kind}.odd` as const) : kind;
  if (type === 'default') return odd;
  if (has(`${kind}.${type}`)) return `${kind}.${type}`;
  return type === 'first' ? odd : kind;
}

/** Returns the text's default font and language. */
function defaultRun(body: LaidOut | undefined, language: string | undefined) {
  const isRtl = body?.style.direction === 'rtl';
  return {
    ...(body && fontOf(body.style)),
    ...(language !== undefined && {
      language: { value: language, ...(isRtl && { bidirectional: language }) },
    }),
  };
}

const LANGUAGE = /^[a-z\d-]{1,35}$/i;

/** Returns the `lang` attribute of the body, or else of the root element. */
function languageOf(snapshot: ParsedSnapshot): string | undefined {
  const elements = ['BODY', 'HTML'].map((name) =>
    (snapshot.nodes.nodeName ?? []).findIndex((at) => stringAt(snapshot, at) === name),
  );
  const languages = elements.map((index) => attributesOf(snapshot, index)['lang'] ?? '');
  return languages.find((language) => LANGUAGE.test(language));
}

/** Returns the properties that Word shows (ISO 29500-2, "Core properties"). */
function coreProperties(
  { title, author = 'Trifold', subject, keywords }: DocumentProperties,
  otherTitle: string | undefined,
) {
  const texts = Object.entries({
    title: title ?? otherTitle,
    subject,
    keywords: keywords?.join(', '),
    creator: author,
  });
  const given = texts.flatMap(([name, text]) => (text === undefined ? [] : [[name, xmlText(text)] as const]));
  return { ...Object.fromEntries(given), lastModifiedBy: 'Trifold' };
}

interface PartToCompose {
  readonly name: PartName;
  /** Page types of a header or footer. */
  readonly type?: PageType;
  readonly snapshot: IllustratedSnapshot;
  readonly lists: Lists;
  /** Receives the part's warnings. */
  readonly warnings: FoundWarning[];
}

function blocksOf(
  body: LaidOut,
  { name, type = 'default', snapshot, lists, warnings }: PartToCompose,
): Block[] {
  const findings = new Findings();
  const pageWidth = snapshot.width;
  findUnsupported(body, findings, pageWidth);
  removeDecorations(body);
  findLostPageNumbers(snapshot, findings);
  const anchors = new Anchors(body, `${name}-${type}-`.replaceAll(/[^a-z]/g, '_'));
  const shared = { images: snapshot.pictures, lists, anchors, findings, pageWidth, tables: addAsTable };
  const flow = new Flow(shared, { x: 0, width: pageWidth }, 0);
  flow.addChildren(body);
  const part = name === 'body' ? {} : { part: name };
  warnings.push(...findings.warnings.map((warning) => ({ ...warning, ...part })));
  return flow.blocks;
}

function bodyOf(snapshot: IllustratedSnapshot): LaidOut | undefined {
  const root = laidOutTree(snapshot);
  return root?.children.find(({ name }) => name === 'body') ?? root;
}

/** A line at the top of every page. Editors of the file can remove it (docs/formats.md). */
function watermarkLine(text: WatermarkText): Paragraph {
  return new Paragraph({
    alignment: AlignmentType.CENTER,
    spacing: { before: 0, after: 0 },
    children: [new TextRun({ text, bold: true, size: 40, color: 'BF1A1A', font: 'Arial' })],
  });
}

/** The library swaps the width and height of a landscape page. */
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
