import type { KeyMode } from '@trifold/crds';
import type { PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import type { PageSnapshot } from '../../browser/page/page-snapshot.ts';

/** To the process that composes documents. */
export interface ComposeRequest {
  readonly body: PageSnapshot;
  readonly header?: PageSnapshot | undefined;
  readonly footer?: PageSnapshot | undefined;
  readonly geometry: PageGeometry;
  readonly mode: KeyMode;
  readonly title?: string | undefined;
}

/** From it. */
export type ComposeReply =
  | { readonly status: 'composed'; readonly file: Uint8Array }
  | { readonly status: 'failed'; readonly message: string };
