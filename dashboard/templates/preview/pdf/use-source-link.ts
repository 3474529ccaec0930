import { useComputed, useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { text } from '../../../messages/text.ts';
import { useSourceMap } from '../../source/use-source-map.ts';
import { isLinkKey, type SourceLink } from '../../source/source-link.ts';
import type { PageSource, SourceMap } from '../../source/source-map.ts';
import type { PageText } from './page-text.ts';
import type { PdfPages } from './pdf-pages.ts';

const { preview: messages } = text;
const HIGHLIGHT = 'source';

/** A character of a page. */
interface PagePlace {
  readonly page: PageText;
  readonly index: number;
}

/** Pages of a preview that are linked with their source. */
export interface LinkedPages {
  /** What could not be found; empty if nothing is missing. */
  readonly note: ReadonlySignal<string>;
  /** Goes to the source of the selected text, otherwise of the first visible one. */
  readonly goToSource: () => void;
}

/**
 * Links pages with their source: a click, or the key in the pages, goes to the source; what the cursor of the source is
 * in is highlighted, and revealed on request.
 */
export function useSourceLink(
  link: SourceLink | undefined,
  view: RefObject<HTMLElement | null>,
  pages: ReadonlySignal<PdfPages | undefined>,
): LinkedPages {
  const hasTexts = useComputed(() => pages.value?.texts.value !== undefined);
  const map = useSourceMap(link, hasTexts);
  const note = useSignal('');
  const asked = useSignal<PagePlace | undefined>(undefined);
  const revealed = useSignal(link?.reveals.peek() ?? 0);

  useSignalEffect(() => {
    void link?.cursor.value;
    note.value = '';
  });

  useSignalEffect(() => {
    if (!asked.value || !map.value || !link) return;
    const { page, index } = asked.value;
    const source = sourceOfPage(map.value, page).sourceOf(index);
    asked.value = undefined;
    note.value = source ? '' : messages.noSource;
    if (source) link.wanted.value = source;
  });

  useSignalEffect(() => {
    const offset = link?.cursor.value;
    const made =
      map.value && offset !== undefined ? pages.value?.texts.value?.flatMap(madeBy(map.value, offset)) : [];
    return highlight(made ?? []);
  });

  useSignalEffect(() => {
    if (!link || !map.value || !pages.value || link.reveals.value === revealed.peek()) return undefined;
    const [shown, offset, abort] = [map.value, link.cursor.peek(), new AbortController()];
    revealed.value = link.reveals.value;
    const find = (page: PageText) => sourceOfPage(shown, page).madeBy(offset)[0]?.from;
    void pages.value.reveal(find, abort.signal).then((isFound) => {
      if (!abort.signal.aborted) note.value = isFound ? '' : messages.noPlace;
    });
    return () => abort.abort();
  });

  const goToSource = () => {
    const found = pages.peek()?.texts.peek() ?? [];
    asked.value = selectedPlace(found) ?? (view.current ? firstVisible(found, view.current) : undefined);
  };

  useEffect(() => {
    const { current: element } = view;
    if (!element || !link) return undefined;
    const click = (event: MouseEvent) => {
      if (getSelection()?.isCollapsed === false) return;
      asked.value = placeAt(pages.peek()?.texts.peek() ?? [], event);
    };
    const press = (event: KeyboardEvent) => {
      if (!isLinkKey(event)) return;
      event.preventDefault();
      goToSource();
    };
    link.hasPages.value = true;
    element.addEventListener('click', click);
    element.addEventListener('keydown', press);
    return () => {
      link.hasPages.value = false;
      element.removeEventListener('click', click);
      element.removeEventListener('keydown', press);
    };
  }, [link]);
  return { note, goToSource };
}

const sources = new WeakMap<SourceMap, WeakMap<PageText, PageSource>>();

function sourceOfPage(map: SourceMap, page: PageText): PageSource {
  const known = sources.get(map) ?? new WeakMap<PageText, PageSource>();
  const source = known.get(page) ?? map.pageSource(page.text);
  sources.set(map, known.set(page, source));
  return source;
}

const madeBy = (map: SourceMap, offset: number) => (page: PageText) =>
  sourceOfPage(map, page)
    .madeBy(offset)
    .map((place) => page.rangeOf(place));

/** Highlights parts of the pages. Returns a function that ends it. Browsers without highlights show none. */
function highlight(ranges: readonly Range[]): (() => void) | undefined {
  if (ranges.length === 0 || !('highlights' in CSS)) return undefined;
  CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
  return () => void CSS.highlights.delete(HIGHLIGHT);
}

function placeAt(
  pages: readonly PageText[],
  { clientX, clientY, target }: MouseEvent,
): PagePlace | undefined {
  if (!(target instanceof HTMLSpanElement)) return undefined;
  // Older versions of Safari know only the text, not the character.
  const caret = document.caretPositionFromPoint?.(clientX, clientY);
  const isOwn = caret && target.contains(caret.offsetNode);
  return isOwn ? placeOf(pages, caret.offsetNode, caret.offset) : placeOf(pages, target, 0);
}

function selectedPlace(pages: readonly PageText[]): PagePlace | undefined {
  const { anchorNode, anchorOffset = 0, isCollapsed } = getSelection() ?? {};
  return anchorNode && !isCollapsed ? placeOf(pages, anchorNode, anchorOffset) : undefined;
}

function placeOf(pages: readonly PageText[], node: Node, offset: number): PagePlace | undefined {
  for (const page of pages) {
    const index = page.indexAt(node, offset);
    if (index !== undefined) return { page, index };
  }
  return undefined;
}

function firstVisible(pages: readonly PageText[], view: HTMLElement): PagePlace | undefined {
  const { top } = view.getBoundingClientRect();
  for (const page of pages) {
    const spans = Array.from(page.element.querySelectorAll('span'));
    const span = spans.find(
      (each) => each.textContent.trim() !== '' && each.getBoundingClientRect().top >= top,
    );
    if (span?.firstChild) return placeOf(pages, span.firstChild, 0);
  }
  return undefined;
}
