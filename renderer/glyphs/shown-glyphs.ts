import { inflatedStream } from '../pdf/file/inflated-stream.ts';
import { PdfFile, type PdfStream } from '../pdf/file/pdf-file.ts';
import { referenceIn, type PdfDictionary } from '../pdf/file/pdf-syntax.ts';
import { runInSlices, type SlicedWork } from '../time-slices.ts';

/** Glyph codes in a content stream, as the browser writes them: four digits each. */
const GLYPHS = /<([\da-fA-F]+)>/g;
/** Glyph code for characters that no font has. */
const NO_GLYPH = '0000';

/** Limits of the search. Most files with missing glyphs show one early. */
const MAX_STREAMS = 2000;
const MAX_BYTES = 32 * 2 ** 20;

/**
 * Whether a file from the browser shows boxes or nothing in place of characters that no font has. Searches at most
 * 2,000 pages and drawings, up to 32 MiB of content. May miss a character between two chunks of content. False for a
 * file that cannot be read: only a warning depends on it.
 */
export async function lacksGlyphs(pdf: Buffer): Promise<boolean> {
  try {
    for await (const chunk of contentOf(new PdfFile(pdf))) {
      if (hasNoGlyph(chunk.toString('latin1'))) return true;
    }
  } catch {
    // Finishing the file reports any errors in it.
  }
  return false;
}

async function* contentOf(file: PdfFile): AsyncGenerator<Buffer, void, void> {
  let bytes = 0;
  const streams = await runInSlices(contentStreams(file));
  for (const stream of streams.slice(0, MAX_STREAMS)) {
    for await (const chunk of inflatedStream(file, stream)) {
      yield chunk;
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return;
    }
  }
}

/** Whether text in a content stream shows characters that no font has. */
export function hasNoGlyph(content: string): boolean {
  for (const [, codes = ''] of content.matchAll(GLYPHS)) {
    for (let at = codes.indexOf(NO_GLYPH); at !== -1; at = codes.indexOf(NO_GLYPH, at + 1)) {
      if (at % NO_GLYPH.length === 0) return true;
    }
  }
  return false;
}

/** Returns the content of each page and of the drawings that it uses, such as text with opacity. */
function* contentStreams(file: PdfFile): SlicedWork<PdfStream[]> {
  const streams: PdfStream[] = [];
  const seen = new Set<number>();
  for (const { entries } of file.pages()) {
    yield;
    const stream = file.content(entries);
    if (stream) streams.push(stream);
    const open = [entries];
    for (let next = open.pop(); next; next = open.pop()) {
      const drawings = yield* drawingsOf(file, next, seen);
      for (const drawing of drawings) {
        streams.push(drawing);
        open.push(drawing.entries);
      }
    }
  }
  return streams;
}

/** Returns the drawings in the resources of a page or a drawing, unless `seen` contains them. */
function* drawingsOf(file: PdfFile, owner: PdfDictionary, seen: Set<number>): SlicedWork<PdfStream[]> {
  const found: PdfStream[] = [];
  const resources = owner.get('Resources');
  const drawings = resources && file.dictionary(resources).get('XObject');
  for (const value of drawings ? file.dictionary(drawings).values() : []) {
    yield;
    const object = referenceIn(file.bytes, value);
    if (object === undefined || seen.has(object)) continue;
    seen.add(object);
    const stream = file.stream(value);
    const kind = stream?.entries.get('Subtype');
    if (stream && kind && file.text(kind) === '/Form') found.push(stream);
  }
  return found;
}
