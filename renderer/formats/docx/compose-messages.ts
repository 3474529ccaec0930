import type { KeyMode } from '@trifold/crds';
import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';

/** Parts of a document, each with a snapshot of its own. */
export type PartName = 'body' | 'header' | 'footer';

/** What a file says besides its parts. */
export interface ComposeSettings {
  readonly geometry: PageGeometry;
  readonly mode: KeyMode;
  /** Where the html has no title. */
  readonly title?: string | undefined;
}

/**
 * To the process that composes documents. A document is one request after another: `begin`, the JSON of its snapshots in
 * pieces and their pictures in order, then `compose`.
 */
export type ComposeRequest =
  | { readonly kind: 'begin'; readonly settings: ComposeSettings }
  | { readonly kind: 'json'; readonly part: PartName; readonly piece: string }
  | { readonly kind: 'picture'; readonly part: PartName; readonly png: Uint8Array }
  | { readonly kind: 'compose' };

/** From it: one for each request. */
export type ComposeReply =
  | { readonly status: 'received' }
  | { readonly status: 'composed'; readonly file: Uint8Array }
  | { readonly status: 'failed'; readonly message: string };
