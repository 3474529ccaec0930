import { constants, inflateSync } from 'node:zlib';
import { forEachInSlices, runInSlices, type SlicedWork } from '../../time-slices.ts';
import type { PdfFile, PdfStream } from '../file/pdf-file.ts';
import { dictionaryAt, valueAt, type PdfDictionary, type Span } from '../file/pdf-syntax.ts';
import { scanTokens } from '../file/pdf-tokens.ts';
import { checkContent, type Content } from './content-check.ts';
import { LimitsCheck } from './limits-check.ts';
import type { Report } from './report.ts';
import { fontName, ShownFonts } from './shown-fonts.ts';
import { isMapped } from './structure.ts';

/** ISO 19005-2, 6.1.13. */
const MAX_OBJECTS = 8_388_607;
const MIN_SIDE = 3;
const MAX_SIDE = 14_400;
/** Number of compressed bytes that contain the header of an ICC profile (ICC.1, 7.2). */
const PROFILE_START = 256;
const PROFILE_CLASSES = ['prtr', 'mntr', 'scnr', 'spac'];
const PROFILE_COLORS = ['RGB ', 'CMYK', 'GRAY', 'Lab '];

const FONT_FILES = ['FontFile', 'FontFile2', 'FontFile3'];

interface Options {
  readonly needsUnicode: boolean;
  readonly report: Report;
}

/**
 * Checks what only the finished file shows: the rules with `check` in RULES. Rejects with PdfSyntaxError for a file
 * that this service did not write.
 */
export async function checkFile(file: PdfFile, { needsUnicode, report }: Options): Promise<void> {
  const contents = await runInSlices(new FileCheck(file, report).contents());
  const fonts = new ShownFonts(file, needsUnicode);
  await forEachInSlices(contents, (content) => checkContent(file, content, fonts, report));
}

class FileCheck {
  readonly #file: PdfFile;
  readonly #report: Report;
  readonly #contents: Content[] = [];

  constructor(file: PdfFile, report: Report) {
    this.#file = file;
    this.#report = report;
  }

  /** Checks all objects and returns their contents. */
  *contents(): SlicedWork<readonly Content[]> {
    const { bytes, size } = this.#file;
    if (size > MAX_OBJECTS) this.#report('6.1.13-7', 'the file has too many objects');
    this.#checkCatalog();
    let number = 0;
    for (const page of this.#file.pages()) {
      number += 1;
      this.#checkPage(page.entries, `page ${number}`);
      yield;
    }
    const tokens = new ObjectTokens(bytes, this.#report);
    for (const [object, { start }] of yield* this.#file.objects()) {
      const value = valueAt(bytes, start + `${object} 0 obj`.length);
      scanTokens(bytes, value.start, value.end, tokens);
      if (bytes.toString('latin1', value.start, value.start + 2) === '<<') this.#checkObject(value);
      yield;
    }
    for (const profile of tokens.profiles.values()) this.#checkProfile(profile);
    return this.#contents;
  }

  #checkCatalog(): void {
    const catalog = this.#file.dictionary(this.#file.trailer.get('Root'));
    const marks = catalog.get('MarkInfo');
    const isMarked = marks && this.#text(this.#file.dictionary(marks), 'Marked') === 'true';
    if (!isMarked) this.#report('6.7.2.2-1', 'the document is not tagged');
    if (!catalog.has('StructTreeRoot')) this.#report('6.7.3.3-1', 'the document has no structure');
  }

  #checkPage(entries: PdfDictionary, owner: string): void {
    const [left, bottom, right, top] = this.#file.mediaBox(entries);
    for (const side of [right - left, top - bottom]) {
      const what = `the sides of ${owner} are not between ${MIN_SIDE} and ${MAX_SIDE} points`;
      if (side < MIN_SIDE || side > MAX_SIDE) this.#report('6.1.13-11', what);
    }
    const annotations = entries.get('Annots');
    for (const annotation of (annotations && this.#file.elements(annotations)) ?? []) {
      this.#checkAnnotation(this.#file.dictionary(annotation), owner);
    }
    this.#add(owner, entries.get('Contents'), entries);
  }

  #checkAnnotation(entries: PdfDictionary, owner: string): void {
    if (this.#text(entries, 'Subtype') !== '/Link') {
      this.#report('6.3.1-1', `${owner} has annotations other than links`);
    }
    const flags = entries.get('F');
    if (!flags) return this.#report('6.3.2-1', `a link on ${owner} has no flags`);
    // Print is set; Invisible, Hidden, NoView and ToggleNoView are not.
    if ((this.#file.number(flags) & 0b1_0010_0111) !== 0b100) {
      this.#report('6.3.2-2', `a link on ${owner} is not printed`);
    }
  }

  #checkObject(value: Span): void {
    const entries = dictionaryAt(this.#file.bytes, value.start);
    const [kind, subtype] = [this.#text(entries, 'Type'), this.#text(entries, 'Subtype')];
    if (kind === '/StructElem') this.#checkStructure(entries);
    else if (subtype === '/Form' || entries.has('PatternType')) this.#add('a drawing', value, entries);
    else if (subtype === '/Type3') this.#addGlyphs(entries);
    else if (kind === '/Font') this.#checkEmbedded(entries);
  }

  #checkStructure(entries: PdfDictionary): void {
    const type = this.#text(entries, 'S').slice(1);
    if (!isMapped(type)) this.#report('6.7.3.4-1', `the structure type ${type} has no standard type`);
  }

  /** Only the watermark's font, which draws nothing, has no descriptor. */
  #checkEmbedded(entries: PdfDictionary): void {
    const value = entries.get('FontDescriptor');
    const descriptor = value && this.#file.dictionary(value);
    if (!descriptor || FONT_FILES.some((name) => descriptor.has(name))) return;
    this.#report('6.2.11.4.1-1', `the font ${fontName(this.#text(entries, 'BaseFont'))} is not embedded`);
  }

  /** The profiles of images come from the author's files. */
  #checkProfile(reference: Span): void {
    const stream = this.#file.stream(reference);
    const header = stream ? this.#startOf(stream) : Buffer.alloc(0);
    const [version = 0, kind, colors] = [
      header[8],
      header.toString('latin1', 12, 16),
      header.toString('latin1', 16, 20),
    ];
    if (version < 5 && PROFILE_CLASSES.includes(kind) && PROFILE_COLORS.includes(colors)) return;
    this.#report('6.2.4.2-1', 'the color profile of an image is not version 2 or 4');
  }

  #startOf({ entries, data }: PdfStream): Buffer {
    const bytes = this.#file.bytes.subarray(data.start, Math.min(data.end, data.start + PROFILE_START));
    return entries.has('Filter') ? inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
  }

  #addGlyphs(entries: PdfDictionary): void {
    for (const glyph of this.#file.dictionary(entries.get('CharProcs')).values()) {
      this.#add('a glyph', glyph, entries);
    }
  }

  #add(owner: string, contents: Span | undefined, entries: PdfDictionary): void {
    const resources = entries.get('Resources');
    const parts = contents ? [...(this.#file.elements(contents) ?? [contents])] : [];
    const streams = parts.map((part) => this.#file.stream(part)).filter((stream) => stream !== undefined);
    this.#contents.push({ owner, streams, resources: resources && this.#file.dictionary(resources) });
  }

  #text(entries: PdfDictionary, name: string): string {
    const value = entries.get(name);
    return value ? this.#file.text(value) : '';
  }
}

/** Checks the limits of objects, and finds color profiles. */
class ObjectTokens extends LimitsCheck {
  /** References by object number. */
  readonly profiles = new Map<number, Span>();
  readonly #file: Buffer;

  constructor(file: Buffer, report: Report) {
    super(file, report);
    this.#file = file;
  }

  override word(start: number, end: number): void {
    super.word(start, end);
    if (this.lastName !== 'ICCBased') return;
    this.profiles.set(Number(this.text(start, end)), valueAt(this.#file, start));
    this.lastName = '';
  }
}
