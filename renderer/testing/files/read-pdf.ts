import { openPdf, pagesOf, type PdfPage } from '@trifold/test-support/files/pdf.ts';

export interface ReadPdf {
  readonly pages: readonly PdfPage[];
  readonly title: string | undefined;
  /** Whether the PDF is tagged. */
  readonly tagged: boolean;
  /** Titles of the outline in order, nested ones after their parent. */
  readonly outline: readonly string[];
  /** The info dictionary. */
  readonly info: Readonly<Record<string, unknown>>;
}

/** Reads the pages of a PDF and its metadata. */
export async function readPdf(file: Uint8Array): Promise<ReadPdf> {
  return openPdf(file, async (document) => {
    const info = (await document.getMetadata()).info as { Title?: string; [name: string]: unknown };
    // A Map, although its type says otherwise.
    const markings = (await document.getMarkInfo()) as unknown as ReadonlyMap<string, boolean> | null;
    const outline = titlesOf((await document.getOutline()) ?? []);
    const tagged = markings?.get('Marked') === true;
    return { pages: await pagesOf(document), title: info.Title, tagged, outline, info };
  });
}

interface OutlineNode {
  readonly title: string;
  readonly items: readonly OutlineNode[];
}

function titlesOf(nodes: readonly OutlineNode[]): string[] {
  return nodes.flatMap(({ title, items }) => [title, ...titlesOf(items)]);
}
