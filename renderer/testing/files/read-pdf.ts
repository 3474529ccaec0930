import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface ReadPage {
  readonly text: string;
  /** Points. */
  readonly width: number;
  readonly height: number;
  /** Positions of texts, in points from the page's left and top. */
  readonly items: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  /** Fill colours, as `#rrggbb`. */
  readonly fills: readonly string[];
  readonly images: number;
}

export interface ReadPdf {
  readonly pages: readonly ReadPage[];
  readonly title: string | undefined;
  /** Whether the PDF is tagged. */
  readonly tagged: boolean;
  /** Titles of the outline in order, inner ones after their parent. */
  readonly outline: readonly string[];
  /** The info dictionary. */
  readonly info: Readonly<Record<string, unknown>>;
}

/** Reads a PDF with a different implementation than its writer's. */
export async function readPdf(file: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0, useSystemFonts: false });
  const document = await task.promise;
  const info = (await document.getMetadata()).info as { Title?: string; [name: string]: unknown };
  // A Map, although its type says otherwise.
  const markings = (await document.getMarkInfo()) as unknown as ReadonlyMap<string, boolean> | null;
  const outline = titlesOf((await document.getOutline()) ?? []);
  const pages: ReadPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    pages.push(await readPage(await document.getPage(number)));
  }
  await task.destroy();
  return { pages, title: info.Title, tagged: markings?.get('Marked') === true, outline, info };
}

interface OutlineNode {
  readonly title: string;
  readonly items: readonly OutlineNode[];
}

function titlesOf(nodes: readonly OutlineNode[]): string[] {
  return nodes.flatMap(({ title, items }) => [title, ...titlesOf(items)]);
}

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>;

async function readPage(page: PdfPage): Promise<ReadPage> {
  const [, , width = 0, height = 0] = page.view;
  const content = await page.getTextContent();
  const items = content.items.flatMap((item) =>
    'str' in item && item.str !== ''
      ? [{ text: item.str, x: item.transform[4] as number, y: height - (item.transform[5] as number) }]
      : [],
  );
  const operators = await page.getOperatorList();
  const fills = operators.fnArray.flatMap((code, index) =>
    code === OPS.setFillRGBColor ? [colour(operators.argsArray[index] as unknown[])] : [],
  );
  const images = operators.fnArray.filter((code) => code === OPS.paintImageXObject).length;
  const parts = content.items.map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : ''));
  const text = parts.join('').replaceAll(/\s+/g, ' ').trim();
  return { text, width, height, items, fills, images };
}

function colour(values: unknown[]): string {
  const [first] = values;
  if (typeof first === 'string') return first;
  return `#${values.map((value) => Number(value).toString(16).padStart(2, '0')).join('')}`;
}
