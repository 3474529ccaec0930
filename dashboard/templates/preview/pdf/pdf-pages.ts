import { signal } from '@preact/signals';
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist';
import { preview as messages } from '../../../messages/template-pages.ts';
import { createPageText, type PageText } from './page-text.ts';
import { pdfEngine, type PdfEngine } from './pdf-engine.ts';
import styles from '../preview.module.css';

/** `width`: as wide as the view. `page`: a whole page is visible. A number: a factor; 1 is the paper size. */
export type Zoom = 'width' | 'page' | number;

/** State of the view. */
export interface PagesState {
  readonly count: number;
  /** Number of the page in the middle of the view, starting at 1. */
  readonly current: number;
  /** Size relative to the paper. */
  readonly scale: number;
}

/** CSS pixels per PDF point. */
const PIXELS_PER_POINT = 96 / 72;
/** A small page is not enlarged to the width of the view. */
const LARGEST_FIT = 1.5;
/** Milliseconds without a newer document before the strings and the pages outside the view are rendered. */
const SETTLE_MS = 300;
/** Browsers limit the area of a canvas. */
const MAX_CANVAS_PIXELS = 2 ** 24;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A page's position in the view. */
interface Slot {
  readonly element: HTMLElement;
  /** In points. Until the page is rendered, the size of the first page. */
  size: Size;
  isNear: boolean;
  /** Whether the canvas, if any, shows another document or scale. */
  isStale: boolean;
  /** Text over the canvas; undefined until it is added. */
  text?: PageText | undefined;
}

/** A rendered page. */
interface Picture {
  readonly canvas: HTMLCanvasElement;
  readonly size: Size;
}

interface OpenDocument {
  readonly engine: PdfEngine;
  readonly task: PDFDocumentLoadingTask;
  readonly pages: PDFDocumentProxy;
}

/**
 * The pages of a PDF in a scrollable element. Only pages near the visible area have a canvas. The visible pages of a
 * newer document are rendered before they replace the old ones, so nothing flickers and the scroll position is kept.
 */
export class PdfPages {
  /** Strings of the pages near the visible area; undefined until a newer document's strings are added. */
  readonly texts = signal<readonly PageText[] | undefined>(undefined);
  readonly #view: HTMLElement;
  readonly #onState: (state: PagesState) => void;
  readonly #near: IntersectionObserver;
  readonly #resized: ResizeObserver;
  #slots: Slot[] = [];
  #open: OpenDocument | undefined;
  #zoom: Zoom = 'width';
  /** Scale that last fitted the view. */
  #fitted = PIXELS_PER_POINT;
  /** Aborts when the slots need different canvases from those being rendered. */
  #rendering = new AbortController();
  #settling: ReturnType<typeof setTimeout> | undefined;

  /** `view`: a positioned, scrollable element whose content this object owns. */
  constructor(view: HTMLElement, onState: (state: PagesState) => void) {
    this.#view = view;
    this.#onState = onState;
    this.#near = new IntersectionObserver((entries) => this.#notice(entries), {
      root: view,
      rootMargin: '50% 0px',
    });
    this.#resized = new ResizeObserver(() => typeof this.#zoom === 'string' && this.#layOut(0));
    this.#resized.observe(view);
    view.addEventListener('scroll', this.#report, { passive: true });
  }

  /** Replaces the document. Rejects when the file is not a PDF; stops when the signal aborts. */
  async show(file: Uint8Array, signal: AbortSignal): Promise<void> {
    this.#pause();
    const engine = await pdfEngine();
    // A copy, because the file is transferred to the worker.
    const task = engine.open(file.slice());
    try {
      const pages = await task.promise;
      const first = sizeOf(await pages.getPage(1));
      const scale = this.#scaleFor(first);
      const visible = this.#slots.length === 0 ? [0] : this.#visible();
      const pictures = visible
        .filter((index) => index < pages.numPages)
        .map(async (index) => [index, await render(await pages.getPage(index + 1), scale, signal)] as const);
      const rendered = new Map(await Promise.all(pictures));
      signal.throwIfAborted();
      this.#replace({ engine, task, pages }, first, rendered);
    } catch (error) {
      await task.destroy();
      if (signal.aborted) return;
      this.#settle();
      throw error;
    }
  }

  /** Changes the zoom, keeping the middle of the view in place. */
  zoom(zoom: Zoom): void {
    this.#zoom = zoom;
    this.#layOut(0.5);
  }

  /** Scrolls to the first position, from the current page on, for which `find` returns an index in a page's text. */
  async reveal(find: (page: PageText) => number | undefined): Promise<boolean> {
    const open = this.#open;
    if (!open) return false;
    const { length } = this.#slots;
    for (let step = 0; step < length; step += 1) {
      const index = (this.#current() + step) % length;
      // A newer document destroys the older one and its strings.
      const page = this.#slots[index]?.text ?? (await textOf(open, index).catch(() => undefined));
      if (!page || open !== this.#open) return false;
      const found = find(page);
      if (found === undefined) continue;
      this.#scrollTo(index, page.topOf(found));
      return true;
    }
    return false;
  }

  /** Frees everything. */
  close(): void {
    this.#pause();
    this.#near.disconnect();
    this.#resized.disconnect();
    this.#view.removeEventListener('scroll', this.#report);
    void this.#open?.task.destroy();
  }

  #replace(open: OpenDocument, first: Size, pictures: ReadonlyMap<number, Picture>): void {
    this.#pause();
    void this.#open?.task.destroy();
    this.#open = open;
    const { numPages } = open.pages;
    for (const { element } of this.#slots.splice(numPages)) {
      this.#near.unobserve(element);
      element.remove();
    }
    const before = this.#slots[0]?.size;
    const isOtherPaper = before?.width !== first.width || before.height !== first.height;
    while (this.#slots.length < numPages) this.#addSlot(first);
    for (const [index, slot] of this.#slots.entries()) {
      slot.isStale = true;
      removeText(slot);
      if (isOtherPaper) slot.size = first;
      const picture = pictures.get(index);
      if (picture) this.#put(picture, index);
    }
    this.texts.value = undefined;
    this.#resize();
    this.#settle();
  }

  /** Cancels rendering of the other pages and the strings. */
  #pause(): void {
    clearTimeout(this.#settling);
    this.#rendering.abort();
  }

  /** Renders the other pages and the strings, unless a newer document replaces this one. */
  #settle(): void {
    this.#settling = setTimeout(() => void this.#renderStale(), SETTLE_MS);
  }

  #put({ canvas, size }: Picture, index: number): void {
    const slot = this.#slots[index];
    if (!slot) return;
    canvas.setAttribute('aria-label', messages.page(index + 1));
    const before = slot.element.querySelector('canvas');
    if (before) before.replaceWith(canvas);
    else slot.element.prepend(canvas);
    slot.size = size;
    slot.isStale = false;
  }

  #addSlot(size: Size): void {
    const element = document.createElement('div');
    element.className = styles.page ?? '';
    this.#view.append(element);
    this.#slots.push({ element, size, isNear: false, isStale: true });
    this.#near.observe(element);
  }

  /** Fits the pages to the view. `fixed`: the position that stays in place, as a fraction of the view's height. */
  #layOut(fixed: number): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#view;
    if (this.#slots.length === 0) return;
    const kept = (scrollTop + clientHeight * fixed) / scrollHeight;
    if (!this.#resize()) return;
    this.#view.scrollTop = kept * this.#view.scrollHeight - clientHeight * fixed;
    for (const slot of this.#slots) slot.isStale = true;
    void this.#renderStale();
  }

  /** Sets the sizes of the slots. Returns whether the first one changed. */
  #resize(): boolean {
    const scale = this.#scale();
    const [first] = this.#slots;
    const before = first?.element.style.width;
    this.#view.style.setProperty('--total-scale-factor', String(scale));
    for (const { element, size } of this.#slots) {
      element.style.width = `${Math.floor(size.width * scale)}px`;
      element.style.height = `${Math.floor(size.height * scale)}px`;
    }
    this.#report();
    return before !== first?.element.style.width;
  }

  /** Renders the pages near the visible area one after the other, then adds their strings. */
  async #renderStale(): Promise<void> {
    this.#pause();
    const { signal } = (this.#rendering = new AbortController());
    if (!this.#open) return;
    try {
      await this.#renderPictures(this.#open, signal);
      await this.#addTexts(this.#open, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #renderPictures({ pages }: OpenDocument, signal: AbortSignal): Promise<void> {
    for (;;) {
      const index = this.#slots.findIndex(({ isNear, isStale }) => isNear && isStale);
      if (index < 0) return;
      const picture = await render(await pages.getPage(index + 1), this.#scale(), signal);
      signal.throwIfAborted();
      this.#put(picture, index);
      this.#resize();
    }
  }

  async #addTexts(open: OpenDocument, signal: AbortSignal): Promise<void> {
    for (const [index, slot] of this.#slots.entries()) {
      if (!slot.isNear || slot.text) continue;
      const added = await textOf(open, index);
      signal.throwIfAborted();
      slot.element.append(added.element);
      slot.text = added;
    }
    this.texts.value = this.#slots.flatMap((slot) => slot.text ?? []);
  }

  #notice(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const slot = this.#slots.find(({ element }) => element === target);
      if (!slot) continue;
      slot.isNear = isIntersecting;
      if (isIntersecting) continue;
      slot.element.replaceChildren();
      slot.text = undefined;
      slot.isStale = true;
    }
    if (this.#slots.some(({ isNear, isStale, text: added }) => isNear && (isStale || !added)))
      void this.#renderStale();
  }

  /** Indexes of the pages that are at least partly visible. */
  #visible(): number[] {
    const { scrollTop, clientHeight } = this.#view;
    return this.#slots.flatMap(({ element: { offsetTop, offsetHeight } }, index) =>
      offsetTop < scrollTop + clientHeight && offsetTop + offsetHeight > scrollTop ? [index] : [],
    );
  }

  /** CSS pixels per point. */
  #scale(): number {
    const sizes = this.#slots.map(({ size }) => size);
    return this.#scaleFor({
      width: Math.max(...sizes.map(({ width }) => width)),
      height: Math.max(...sizes.map(({ height }) => height)),
    });
  }

  #scaleFor({ width, height }: Size): number {
    if (typeof this.#zoom === 'number') return this.#zoom * PIXELS_PER_POINT;
    const { clientWidth, clientHeight } = this.#view;
    // The view is in a hidden tab. Any other size would lose the scroll position.
    if (clientWidth === 0) return this.#fitted;
    const style = getComputedStyle(this.#view);
    const padding = (one: string, other: string) => Number.parseFloat(one) + Number.parseFloat(other);
    const wide = Math.max(clientWidth - padding(style.paddingLeft, style.paddingRight), 1) / width;
    const high = Math.max(clientHeight - padding(style.paddingTop, style.paddingBottom), 1) / height;
    const fitting = this.#zoom === 'page' ? Math.min(wide, high) : wide;
    this.#fitted = Math.min(LARGEST_FIT * PIXELS_PER_POINT, fitting);
    return this.#fitted;
  }

  /** Scrolls a position on a page to the upper third of the view, unless it is visible. */
  #scrollTo(index: number, top: number): void {
    const { element } = this.#slots[index] ?? {};
    if (!element) return;
    const { scrollTop, clientHeight } = this.#view;
    const place = element.offsetTop + top * element.offsetHeight;
    const isVisible = place >= scrollTop && place < scrollTop + clientHeight * 0.9;
    if (!isVisible) this.#view.scrollTop = place - clientHeight / 3;
  }

  /** Index of the page in the middle of the view. */
  #current(): number {
    const middle = this.#view.scrollTop + this.#view.clientHeight / 2;
    return Math.max(
      this.#slots.findLastIndex(({ element }) => element.offsetTop <= middle),
      0,
    );
  }

  readonly #report = (): void => {
    const count = this.#slots.length;
    if (count === 0) return;
    this.#onState({ count, current: this.#current() + 1, scale: this.#scale() / PIXELS_PER_POINT });
  };
}

function removeText(slot: Slot): void {
  slot.text?.element.remove();
  slot.text = undefined;
}

async function textOf({ engine, pages }: OpenDocument, index: number): Promise<PageText> {
  return createPageText(engine, await pages.getPage(index + 1));
}

function sizeOf(page: PDFPageProxy): Size {
  const { width, height } = page.getViewport({ scale: 1 });
  return { width, height };
}

/** Renders a page at screen resolution. `scale`: CSS pixels per point. Rejects when the signal aborts. */
async function render(page: PDFPageProxy, scale: number, signal: AbortSignal): Promise<Picture> {
  signal.throwIfAborted();
  const size = sizeOf(page);
  const largest = Math.sqrt(MAX_CANVAS_PIXELS / (size.width * size.height));
  const viewport = page.getViewport({ scale: Math.min(scale * devicePixelRatio, largest) });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  canvas.setAttribute('role', 'img');
  // This way, PDF.js does not wait for an animation frame per font. A hidden tab gets no frames.
  const task: RenderTask = page.render({ canvas, viewport, intent: 'print' });
  task.onContinue = (proceed: () => void) => void setTimeout(proceed);
  const cancel = () => task.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  await task.promise.finally(() => signal.removeEventListener('abort', cancel));
  return { canvas, size };
}
