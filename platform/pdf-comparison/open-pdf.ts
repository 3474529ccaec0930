/** Text and images of a PDF. Pages are numbered from 1. */
export interface OpenPdf {
  readonly pages: number;
  /** Returns the lines of a page. */
  textOf(page: number): Promise<readonly string[]>;
  /** Draws a page. Absent if nothing on this machine can draw. */
  readonly imageOf?: ((page: number) => Promise<PageImage>) | undefined;
  close(): Promise<void>;
}

export type PdfReader = (bytes: Uint8Array) => Promise<OpenPdf>;

/** RGBA, row by row from the top. */
export interface PageImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}
