import type { PDFPageProxy } from 'pdfjs-dist';
import type { TextRange } from '../../code/text-position.ts';
import { foldTexts, type FoldedText } from '../../source/source-map.ts';
import type { PdfEngine } from './pdf-engine.ts';
import styles from '../preview.module.css';

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** Watermark strings of previews and test documents. */
const WATERMARK = /^(?:PREVIEW|TEST|\s)*$/;

/** Returns the text of a page. Its size follows the property `--total-scale-factor`, CSS pixels per point. */
export async function createPageText({ TextLayer }: PdfEngine, page: PDFPageProxy): Promise<PageText> {
  const element = document.createElement('div');
  element.className = styles.pageText ?? '';
  const content = await page.getTextContent();
  const layer = new TextLayer({
    textContentSource: { ...content, items: withoutWatermark(content) },
    container: element,
    viewport: page.getViewport({ scale: 1 }),
  });
  await layer.render();
  return new PageText(element, layer.textDivs);
}

/** The text of a page, over its canvas. */
export class PageText {
  readonly element: HTMLElement;
  readonly text: FoldedText<HTMLElement>;

  constructor(element: HTMLElement, spans: readonly HTMLElement[]) {
    this.element = element;
    this.text = foldTexts(spans, ({ textContent }) => textContent);
  }

  /** Returns the index in `text` of a node's character; -1 if there is none. */
  indexAt(node: Node, offset: number): number {
    return this.text.places.findLastIndex(({ part, offset: at }) => part.contains(node) && at <= offset);
  }

  /** Returns characters of `text` as a range of the document. */
  rangeOf({ from, to }: TextRange): Range {
    const range = document.createRange();
    range.setStart(...this.#nodeAt(from, 0));
    range.setEnd(...this.#nodeAt(to - 1, 1));
    return range;
  }

  /** Returns the distance of a character of `text` from the top of the page, as a fraction of the height. */
  topOf(index: number): number {
    return Number.parseFloat(this.text.places[index]?.part.style.top ?? '') / 100 || 0;
  }

  #nodeAt(index: number, behind: number): [Node, number] {
    const place = this.text.places[index];
    return [place?.part.firstChild ?? this.element, (place?.offset ?? 0) + behind];
  }
}

/** The watermark contains its word as invisible text, last and in a separate font, outside the document's text. */
function withoutWatermark({ items }: TextContent): TextItem[] {
  const texts = items.filter((item): item is TextItem => 'str' in item);
  const font = texts.findLast(({ str }) => str !== '')?.fontName;
  const isWatermark = texts.every(({ fontName, str }) => fontName !== font || WATERMARK.test(str));
  return isWatermark ? texts.filter(({ fontName }) => fontName !== font) : texts;
}
