import type { DeclaredInvoice } from '@trifold/platform/e-invoices/declared-invoice.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import type { DocumentFeatures } from '../pdf/finish-pdf.ts';
import type { MergedDocument, MergeExtras } from '../merge/template-merger.ts';
import type { Printing } from '../task/print-settings.ts';

/** A merged document and everything that determines its file. */
export interface DocumentToWrite extends MergedDocument {
  readonly account: string;
  /** @default interactive */
  readonly priority?: Priority;
  /** The template's CSS. */
  readonly css?: string | undefined;
  readonly printing: Printing;
  readonly features: DocumentFeatures;
  /** Values of the e-invoice that the pages must show. @default none */
  readonly declared?: DeclaredInvoice | undefined;
}

/** Time limit for a document. */
export interface WritingTurn {
  readonly signal: AbortSignal;
  /** Signals that the document is waiting for a browser; the wait does not count toward its deadline. */
  readonly waiting: () => void;
  /** Signals that the document has a browser. */
  readonly working: () => void;
  /** Receives possible differences from the author's intent as soon as they are found, even if the document fails. */
  readonly warnings: FoundWarning[];
}

export interface WrittenFile {
  readonly body: Buffer;
  /** Number of pages in a PDF; 0 for formats that have no pages or are paginated by the reader's program. */
  readonly pages: number;
}

/** Creates the file of one format. Rejects with PrintError or DocumentError, or with the signal's reason. */
export interface FormatWriter {
  /** Returns what the format needs from the merge in addition to the options. */
  mergeExtras?(document: Pick<DocumentToWrite, 'printing' | 'features'>): MergeExtras;
  write(document: DocumentToWrite, turn: WritingTurn): Promise<WrittenFile>;
}
