import { useComputed, useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import type { Preview, PreviewRequest } from '@trifold/client';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { preview as messages } from '../../../messages/template-pages.ts';
import { useSession } from '../../../session/session.ts';
import { markedTemplate, readMarks } from '../../source/marked-template.ts';
import { isLinkKey, type SourceLink } from '../../source/source-link.ts';
import { SourceMap } from '../../source/source-map.ts';
import { bytesOf } from '../use-preview.ts';
import type { PageText } from './page-text.ts';
import type { PdfPages } from './pdf-pages.ts';

const HIGHLIGHT = 'source';

/** Milliseconds without a change before the template is rendered again. */
const DEBOUNCE_MS = 300;

/** A character on a page. */
interface PagePlace {
  readonly page: PageText;
  readonly index: number;
}

/**
 * Links pages with their source: a click on a page, or the shortcut in it, goes to the source; the text at the source's
 * cursor is highlighted in the pages, and revealed on request. Returns a note about what was not found, and a function
 * that goes to the source of the selected text, otherwise of the first visible text.
 */
export function useSourceLink(
  link: SourceLink | undefined,
  view: RefObject<HTMLElement | null>,
  pages: ReadonlySignal<PdfPages | undefined>,
) {
  const texts = useComputed(() => pages.value?.texts.value);
  const map = useSourceMap(link, texts);
  const note = useSignal('');
  const asked = useSignal<PagePlace | undefined>(undefined);
  const revealed = useRef(link?.reveals.peek());

  useSignalEffect(() => {
    void link?.cursor.value;
    note.value = '';
  });

  useSignalEffect(() => {
    if (!asked.value || !map.value || !link) return;
    const { page, index } = asked.value;
    const source = map.value.sourcesOf(page.text)[index];
    asked.value = undefined;
    note.value = source ? '' : messages.noSource;
    if (source) link.revealTarget.value = { path: '/html', rangeIn: () => source };
  });

  useSignalEffect(() => {
    const [shown, offset] = [map.value, link?.cursor.value];
    if (!shown || offset === undefined) return undefined;
    return highlight(
      (texts.value ?? []).flatMap((page) =>
        shown.madeBy(page.text, offset).map((made) => page.rangeOf(made)),
      ),
    );
  });

  useSignalEffect(() => {
    const shown = map.value;
    if (!link || !shown || !pages.value || link.reveals.value === revealed.current) return;
    revealed.current = link.reveals.value;
    const offset = link.cursor.peek();
    void pages.value
      .reveal((page) => shown.madeBy(page.text, offset)[0]?.from)
      .then((isFound) => (note.value = isFound || map.peek() !== shown ? '' : messages.noPlace));
  });

  const goToSource = () => {
    asked.value = selectedPlace(texts.peek()) ?? firstVisible(texts.peek(), view.current);
  };

  useEffect(() => {
    const { current: element } = view;
    if (!element || !link) return undefined;
    const listeners = new AbortController();
    const { signal } = listeners;
    const click = (event: MouseEvent) => {
      if (getSelection()?.isCollapsed !== false) asked.value = placeAt(texts.peek(), event);
    };
    const press = (event: KeyboardEvent) => {
      if (!isLinkKey(event)) return;
      event.preventDefault();
      goToSource();
    };
    element.addEventListener('click', click, { signal });
    element.addEventListener('keydown', press, { signal });
    link.hasPages.value = true;
    return () => {
      link.hasPages.value = false;
      listeners.abort();
    };
  }, [link]);
  return { note, goToSource };
}

/** Returns the source map of a preview, or undefined until it has loaded. It loads after the strings. */
function useSourceMap(
  link: SourceLink | undefined,
  texts: ReadonlySignal<readonly PageText[] | undefined>,
): ReadonlySignal<SourceMap | undefined> {
  const { client } = useSession();
  const map = useSignal<SourceMap | undefined>(undefined);
  const hasTexts = useComputed(() => texts.value !== undefined);
  const { current: session } = useRef(crypto.randomUUID());
  useSignalEffect(() => {
    const request = link?.request.value;
    map.value = undefined;
    if (!request || !hasTexts.value) return undefined;
    const abort = new AbortController();
    const load = async () => {
      const loaded = await loadMap(request, async (marked) =>
        client.templates.preview(marked, { session, signal: abort.signal }),
      );
      if (!abort.signal.aborted) map.value = loaded;
    };
    const timer = setTimeout(() => void load(), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
  return map;
}

/** The service renders the marked template as HTML, which needs no browser. */
async function loadMap(
  request: PreviewRequest,
  preview: (marked: PreviewRequest) => Promise<Preview>,
): Promise<SourceMap> {
  const html = request.html.replaceAll(/\r\n?/g, '\n');
  try {
    const marked = { ...request, html: markedTemplate(html), format: 'html' } as const;
    const { file } = await preview(marked);
    return new SourceMap(readMarks(html, textOf(new TextDecoder().decode(bytesOf(file ?? '')))));
  } catch {
    // The preview shows the error. Without a map, there are no matches.
    return new SourceMap([]);
  }
}

/** Returns the text of rendered HTML, including its marks. */
function textOf(html: string): string {
  const untagged = html.replaceAll(/<[^<>\uFDD0-\uFDD2]*>/g, ' ').replaceAll('<', '&lt;');
  return new DOMParser().parseFromString(`<body>${untagged}`, 'text/html').body.textContent;
}

/** Highlights ranges of the pages, if the browser has the Highlight API. Returns a function that removes them. */
function highlight(ranges: readonly Range[]): (() => void) | undefined {
  if (ranges.length === 0 || !('highlights' in CSS)) return undefined;
  CSS.highlights.set(HIGHLIGHT, new Highlight(...ranges));
  return () => void CSS.highlights.delete(HIGHLIGHT);
}

type Pages = readonly PageText[] | undefined;

function placeAt(pages: Pages, { clientX, clientY, target }: MouseEvent): PagePlace | undefined {
  if (!(target instanceof HTMLSpanElement)) return undefined;
  // Older Safari versions report only the text node, not the character.
  const caret = document.caretPositionFromPoint?.(clientX, clientY);
  const isOwn = caret && target.contains(caret.offsetNode);
  return findPlace(pages, (page) => page.indexAt(target, isOwn ? caret.offset : 0));
}

function selectedPlace(pages: Pages): PagePlace | undefined {
  const { anchorNode, anchorOffset = 0, isCollapsed } = getSelection() ?? {};
  if (!anchorNode || isCollapsed) return undefined;
  return findPlace(pages, (page) => page.indexAt(anchorNode, anchorOffset));
}

function firstVisible(pages: Pages, view: HTMLElement | null): PagePlace | undefined {
  const top = view?.getBoundingClientRect().top ?? 0;
  return findPlace(pages, ({ text: { places } }) =>
    places.findIndex(({ part }) => part.getBoundingClientRect().top >= top),
  );
}

function findPlace(pages: Pages = [], find: (page: PageText) => number): PagePlace | undefined {
  for (const page of pages) {
    const index = find(page);
    if (index >= 0) return { page, index };
  }
  return undefined;
}
