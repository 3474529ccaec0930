import type { DocumentWarning, RenderOptions, WrittenFormat } from '@trifold/crds';
import type { DeclaredInvoice } from '../e-invoices/declared-invoice.ts';
import type { RevisionContent } from '../templating/revisions/revision.ts';
import type { DocumentFailure } from '../errors/document-error.ts';

/** A template with data, to be rendered for its author. */
export interface PreviewTask {
  /** Identifies the preview in logs. */
  readonly id: string;
  /** Namespace; an account must not see another account's data. */
  readonly account: string;
  readonly format: WrittenFormat;
  readonly template: RevisionContent;
  /** JSON object with the schema's defaults applied, UTF-8. */
  readonly data: Uint8Array;
  /** Values of the e-invoice that the page must show. @default none */
  readonly declared?: DeclaredInvoice | undefined;
  /** The request's options; the template contains its defaults. */
  readonly options: RenderOptions;
  /** ISO 8601: the date in the file. */
  readonly createdAt: string;
  /** Deadline in milliseconds, excluding the wait for a browser. */
  readonly deadlineMs: number;
}

/** Result of a preview. The file carries the watermark PREVIEW. */
export type PreviewOutcome =
  | {
      readonly status: 'completed';
      readonly file: Buffer;
      /** Possible differences from the author's intent. */
      readonly warnings: readonly DocumentWarning[];
      readonly timings: { readonly mergeMs: number; readonly printMs: number };
    }
  | {
      readonly status: 'failed';
      readonly failure: DocumentFailure;
      /** Includes the warnings before the failure. */
      readonly progress?: { readonly warnings?: readonly DocumentWarning[] };
    }
  /** The renderer has too many previews and has not begun this one. */
  | { readonly status: 'busy' };

/** Renders previews. They bypass the render queue, and nothing is stored. */
export interface PreviewRenderer {
  /** Rejects only when `signal` is aborted, with its reason. The abort also ends the work in the browser. */
  render(task: PreviewTask, signal: AbortSignal): Promise<PreviewOutcome>;
}
