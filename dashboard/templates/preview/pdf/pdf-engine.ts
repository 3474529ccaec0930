import type { PDFDocumentLoadingTask, TextLayer } from 'pdfjs-dist';

/** The build makes it a file of this service. */
const WORKER_URL = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href;

/** Fonts that the files of the service use without embedding them: that of the watermark, in PDF.js' form. */
const STANDARD_FONTS: Readonly<Record<string, string>> = {
  'LiberationSans-Bold.ttf': new URL('pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf', import.meta.url)
    .href,
};

const loadedFonts = new Map<string, Uint8Array>();

/** Gives PDF.js the font of a file name. The fonts of the machine may have other widths. */
class StandardFonts {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const url = STANDARD_FONTS[filename];
    if (url === undefined) throw new Error(`the dashboard has no font ${filename}`);
    // Each document asks again.
    const font = loadedFonts.get(url) ?? (await loadFont(url));
    loadedFonts.set(url, font);
    return font;
  }
}

async function loadFont(url: string): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`no font at ${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Opens PDF files. */
export interface PdfEngine {
  /** The file is transferred: it is empty afterwards. `destroy` of the task frees what it uses. */
  readonly open: (file: Uint8Array) => PDFDocumentLoadingTask;
  /** Places the text of a page over its picture. */
  readonly TextLayer: typeof TextLayer;
}

let engine: Promise<PdfEngine> | undefined;

/** Returns PDF.js with one worker for all files. It is loaded with the first call. */
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
  // The policy of the page allows no WebAssembly. The files of the service need none: their images are JPEG or raw.
  const fonts = { useSystemFonts: false, BinaryDataFactory: StandardFonts };
  return { open: (data) => getDocument({ data, worker, verbosity, useWasm: false, ...fonts }), TextLayer };
}
