import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextRange } from '../../code/text-position.ts';
import { foldText, type FoldedText } from '../../source/folded-text.ts';
import type { PdfEngine } from './pdf-engine.ts';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** Texts of the watermarks of previews and of test documents. */
const WATERMARK = /^(?:PREVIEW|TEST|\s)*$/;

/** Returns the text of a page. Its size follows the property `--total-scale-factor`, CSS pixels of a point. */
export async function createPageText({ TextLayer }: PdfEngine, page: PDFPageProxy): Promise<PageText> {
  const element = document.createElement('div');
  element.className = 'pdf-text';
  const content = await page.getTextContent();
  const layer = new TextLayer({
    textContentSource: { ...content, items: withoutWatermark(content) },
    container: element,
    viewport: page.getViewport({ scale: 1 }),
  });
  await layer.render();
  return new PageText(element, layer.textDivs);
}

/** The text of a page, over its picture. */
export class PageText {
  readonly element: HTMLElement;
  readonly text: FoldedText;
  readonly #spans: readonly HTMLElement[];
  /** Offset of each span in the text of the page. A space separates them. */
  readonly #starts: readonly number[];

  constructor(element: HTMLElement, spans: readonly HTMLElement[]) {
    this.element = element;
    this.#spans = spans.filter(({ textContent }) => textContent !== '');
    const texts = this.#spans.map(({ textContent }) => textContent);
    let end = 0;
    this.#starts = texts.map(({ length }) => (end += length + 1) - length - 1);
    this.text = foldText(texts.join(' '));
  }

  /** Returns the index in `text` of a character of the element; undefined for another node. */
  indexAt(node: Node, offset: number): number | undefined {
    const span = this.#spans.findIndex((each) => each.contains(node));
    const start = this.#starts[span];
    if (start === undefined) return undefined;
    const place = start + Math.min(offset, (node.textContent?.length ?? 1) - 1);
    const index = this.text.offsets.findIndex((each) => each >= place);
    return index < 0 ? undefined : index;
  }

  /** Returns characters of `text` as a part of the document. */
  rangeOf({ from, to }: TextRange): Range {
    const range = document.createRange();
    range.setStart(...this.#nodeAt(from, 0));
    range.setEnd(...this.#nodeAt(to - 1, 1));
    return range;
  }

  /** Returns how far below the top of the page a character of `text` is, as a fraction of the height. */
  topOf(index: number): number {
    const [node] = this.#nodeAt(index, 0);
    return Number.parseFloat(node.parentElement?.style.top ?? '') / 100 || 0;
  }

  #nodeAt(index: number, behind: number): [Text, number] {
    const place = this.text.offsets[index] ?? 0;
    const span = this.#starts.findLastIndex((start) => start <= place);
    return [this.#spans[span]?.firstChild as Text, place - (this.#starts[span] ?? 0) + behind];
  }
}

/** The watermark has its word as invisible text, last and in a separate font. It is not text of the document. */
function withoutWatermark({ items }: TextContent): TextItem[] {
  const texts = items.filter((item): item is TextItem => 'str' in item);
  const font = texts.findLast(({ str }) => str !== '')?.fontName;
  const isWatermark = texts.every(({ fontName, str }) => fontName !== font || WATERMARK.test(str));
  return isWatermark ? texts.filter(({ fontName }) => fontName !== font) : texts;
}
