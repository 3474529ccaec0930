import type { PDFDocumentLoadingTask, TextLayer } from 'pdfjs-dist';
// The build makes it a file that this service serves, and shrinks it further.
// oxlint-disable-next-line import/default -- the default export is its URL, from Vite
import WORKER_URL from 'pdfjs-dist/build/pdf.worker.mjs?worker&url';

/** Opens PDF files. */
export interface PdfEngine {
  /** The file is transferred: it is empty afterwards. The task's `destroy` frees its resources. */
  readonly open: (file: Uint8Array) => PDFDocumentLoadingTask;
  /** Places the text of a page over its canvas. */
  readonly TextLayer: typeof TextLayer;
}

let engine: Promise<PdfEngine> | undefined;

/** Returns PDF.js with one worker for all files. The first call loads it. */
export async function pdfEngine(): Promise<PdfEngine> {
  engine ??= loadEngine().catch((error: unknown) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

async function loadEngine(): Promise<PdfEngine> {
  const { getDocument, GlobalWorkerOptions, PDFWorker, TextLayer, VerbosityLevel } =
    await import('pdfjs-dist');
  GlobalWorkerOptions.workerSrc = WORKER_URL;
  const verbosity = VerbosityLevel.ERRORS;
  const worker = new PDFWorker({ verbosity });
  await worker.promise;
  // The page's policy does not allow WebAssembly. The service's files do not need it: their images are JPEG or raw.
  // Only the watermark's font is not embedded, so any local font will do.
  const options = { worker, verbosity, useWasm: false, useSystemFonts: true };
  return { open: (data) => getDocument({ data, ...options }), TextLayer };
}
