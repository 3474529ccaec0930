import { BoundedPool, type Turn } from '@trifold/platform/child-process/bounded-pool.ts';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { DECORATION_NAMES } from '@trifold/platform/templating/decorations.ts';
import { styleElement } from '@trifold/platform/templating/merge/stylesheet.ts';
import { maySetDirection, type Direction } from '../../browser/page/base-direction.ts';
import { withBlocked, type DocumentPage } from '../../browser/page/document-page.ts';
import type { FoundWarning } from '../../browser/page/document-requests.ts';
import type { LazyBrowserPool } from '../../browser/pool/lazy-browser-pool.ts';
import type { PageSnapshot } from '../../browser/page/page-snapshot.ts';
import { watermarkText } from '../../pdf/watermark/watermark-tile.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';
import type { DocumentToWrite, FormatWriter, WritingTurn, WrittenFile } from '../format-writer.ts';
import type { ComposedDocx, ComposeSettings, PartName } from './compose.ts';
import type { ComposeReply, ComposeRequest } from './compose-process.ts';
import { unsupportedOptions } from './unsupported-options.ts';

const PIXELS_PER_INCH = 96;
/** Time and memory limits for composing one document. */
const COMPOSE_MS = 30_000;
const MEMORY_MIB = 1024;

/** Word has no last-page footers. */
const DECORATIONS = DECORATION_NAMES.filter((name) => !name.endsWith('.last'));

type Snapshots = ReadonlyMap<PartName, PageSnapshot>;

/**
 * Creates Word documents: a browser lays out the document, and a separate process, started on demand, composes a file
 * from that layout.
 */
export class DocxWriter implements FormatWriter {
  readonly #browsers: Pick<LazyBrowserPool, 'withPage'>;
  readonly #processes = new BoundedPool<ComposeRequest, ComposeReply>({
    entry: new URL('./compose-process.ts', import.meta.url),
    workers: BOUNDS.compositions.limit.value,
    memoryMib: MEMORY_MIB,
    timeoutMs: COMPOSE_MS,
  });

  /** The browsers must draw frames: content that the file cannot represent is inserted as an image. */
  constructor(browsers: Pick<LazyBrowserPool, 'withPage'>) {
    this.#browsers = browsers;
  }

  async write(document: DocumentToWrite, turn: WritingTurn): Promise<WrittenFile> {
    const { signal, waiting, working, warnings } = turn;
    waiting();
    const { account, priority, features, printing, properties } = document;
    const use = (page: DocumentPage) => {
      working();
      return snapshotsOf(page, document, warnings);
    };
    const snapshots = await this.#browsers.withPage(account, signal, use, priority);
    warnings.push(...unsupportedOptions(document));
    const { mode, title } = features;
    const { geometry } = printing;
    const settings = { geometry, watermark: watermarkText(mode), title, properties };
    const composed = await this.#compose(snapshots, settings, { account, signal });
    const { buffer, byteOffset, byteLength } = composed.file;
    const body = Buffer.from(buffer, byteOffset, byteLength);
    warnings.push(...composed.warnings);
    return { body, pages: 0 };
  }

  async stop(): Promise<void> {
    await this.#processes.stop();
  }

  async #compose(snapshots: Snapshots, settings: ComposeSettings, turn: Turn): Promise<ComposedDocx> {
    try {
      const reply = await this.#processes.run(async (child) => {
        await child.ask({ kind: 'begin', settings });
        for (const request of partsOf(snapshots)) await child.ask(request);
        return child.ask({ kind: 'compose' });
      }, turn);
      if (reply.status === 'composed') return reply;
      const reason = reply.status === 'failed' ? reply.message : 'no file';
      throw new DocumentError('docx_failed', `the document could not be composed (${reason})`);
    } catch (error) {
      throw documentErrorOf(error) ?? error;
    }
  }
}

/**
 * Splits snapshots into requests that each block this thread for a few milliseconds at most; other events run in
 * between.
 */
function* partsOf(snapshots: Snapshots): Generator<ComposeRequest> {
  for (const [part, { json, pictures }] of snapshots) {
    for (const piece of json) yield { kind: 'json', part, piece };
    for (const png of pictures) yield { kind: 'picture', part, png };
  }
}

async function snapshotsOf(
  page: DocumentPage,
  document: DocumentToWrite,
  warnings: FoundWarning[],
): Promise<Snapshots> {
  const { html, imagePixels } = document;
  const viewport = viewportOf(document);
  const snapshot = async (part: string): Promise<PageSnapshot> =>
    withBlocked(page, page.snapshot(part, viewport, imagePixels), warnings);
  const snapshots = new Map<PartName, PageSnapshot>([['body', await snapshot(html)]]);
  const given = DECORATIONS.filter((name) => document[name] !== undefined);
  const direction = given.length > 0 && maySetDirection(html) ? await page.direction() : undefined;
  for (const name of given) {
    snapshots.set(name, await snapshot(decorationHtml(document[name] ?? '', document, direction)));
  }
  return snapshots;
}

function decorationHtml(
  content: string,
  { css = '', rootAttributes = '' }: DocumentToWrite,
  direction: Direction | undefined,
): string {
  const style = direction ? ` style="direction:${direction}!important"` : '';
  const head = styleElement(`${css} body{margin:0!important}`);
  return `<!doctype html><html${rootAttributes}${style}><head>${head}</head><body${style}>${content}</body></html>`;
}

/** The area between the margins. */
function viewportOf({ printing: { geometry } }: DocumentToWrite) {
  const { width, height, margins, header, footer } = geometry;
  const pixels = (inches: number) => Math.max(1, Math.round(inches * PIXELS_PER_INCH));
  return {
    width: pixels(width - margins.left - margins.right),
    height: pixels(height - margins.top - margins.bottom - header - footer),
    deviceScale: 1,
    fullPage: false,
  };
}

function documentErrorOf(error: unknown): DocumentError | undefined {
  if (!(error instanceof ChildProcessError)) return undefined;
  if (error.code === 'time_limit') {
    return new DocumentError('output_too_large', `composing the document took longer than ${COMPOSE_MS} ms`);
  }
  if (error.code === 'out_of_memory') {
    return new DocumentError('output_too_large', 'the document is too large for DOCX', {
      cause: error,
    });
  }
  return undefined;
}
