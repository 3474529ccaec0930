import type { DocumentFeatures } from '../pdf/finish-pdf.ts';
import type { MergedDocument, MergeExtras } from '../merge/merge-messages.ts';
import type { Printing } from '../task/print-settings.ts';

/** A merged document, and all that decides what its file looks like. */
export interface DocumentToWrite extends MergedDocument {
  readonly account: string;
  /** The template's. */
  readonly css?: string | undefined;
  readonly printing: Printing;
  readonly features: DocumentFeatures;
}

/** The time a document has. */
export interface WritingTurn {
  readonly signal: AbortSignal;
  /** Tells that a browser is waited for; its time stands meanwhile. */
  readonly waiting: () => void;
  /** Tells that the document has one. */
  readonly working: () => void;
}

export interface WrittenFile {
  readonly body: Buffer;
  /** Pages of a PDF; 0 of a format without pages, or whose pages the reader's program makes. */
  readonly pages: number;
}

/** Makes the file of one format. Rejects with PrintError or TaskError, or with the signal's reason. */
export interface FormatWriter {
  /** What it asks of the merge, beside what the options do. */
  mergeExtras?(document: Pick<DocumentToWrite, 'printing' | 'features'>): MergeExtras;
  write(document: DocumentToWrite, turn: WritingTurn): Promise<WrittenFile>;
}
