import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import type { WatermarkText } from '../../pdf/watermark/watermark-tile.ts';

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

/**
 * Message to the process that composes documents. A document consists of several requests: `begin`, then the JSON of
 * its snapshots in pieces (UTF-8) and their pictures in order, then `compose`.
 */
export type ComposeRequest =
  | { readonly kind: 'begin'; readonly settings: ComposeSettings }
  | { readonly kind: 'json'; readonly part: PartName; readonly piece: Uint8Array }
  | { readonly kind: 'picture'; readonly part: PartName; readonly png: Uint8Array }
  | { readonly kind: 'compose' };

/** Message from the process: one for each request. */
export type ComposeReply =
  | { readonly status: 'received' }
  | { readonly status: 'composed'; readonly file: Uint8Array }
  | { readonly status: 'failed'; readonly message: string };
