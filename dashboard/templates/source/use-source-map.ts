import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import type { PreviewRequest } from '@trifold/client';
import { useRef } from 'preact/hooks';
import { client } from '../../session/client.ts';
import { bytesOf } from '../preview/base64.ts';
import { markedTemplate } from './marked-template.ts';
import { renderedPieces } from './rendered-pieces.ts';
import { SourceMap } from './source-map.ts';
import type { SourceLink } from './source-link.ts';

/** Milliseconds without a change before the template is rendered again. */
const DEBOUNCE_MS = 300;

/**
 * Returns the source map of what a preview shows; undefined while it is not known. It loads after the texts of the
 * preview, which comes first.
 */
export function useSourceMap(
  link: SourceLink | undefined,
  hasTexts: ReadonlySignal<boolean>,
): ReadonlySignal<SourceMap | undefined> {
  const map = useSignal<SourceMap | undefined>(undefined);
  const { current: session } = useRef(crypto.randomUUID());
  useSignalEffect(() => {
    const request = link?.request.value;
    map.value = undefined;
    if (!request || !hasTexts.value) return undefined;
    const abort = new AbortController();
    const load = async () => {
      const loaded = await loadMap(request, { session, signal: abort.signal });
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

/** The service renders the template with marks as HTML, which needs no browser. */
async function loadMap(
  request: PreviewRequest,
  options: { readonly session: string; readonly signal: AbortSignal },
): Promise<SourceMap> {
  const html = request.html.replaceAll(/\r\n?/g, '\n');
  try {
    const marked = { ...request, html: markedTemplate(html), format: 'html' } as const;
    const { file } = await client.templates.preview(marked, options);
    const rendered = file === null ? '' : new TextDecoder().decode(bytesOf(file));
    return new SourceMap(renderedPieces(html, rendered));
  } catch {
    // The preview shows the error. Without a map, nothing is found.
    return new SourceMap([]);
  }
}
