import type { PdfFile } from '../file/pdf-file.ts';
import { inflatedStream } from '../file/inflated-stream.ts';
import { referenceIn, type PdfDictionary, type Span } from '../file/pdf-syntax.ts';

/** A font in a content stream. */
export interface ShownFont {
  /** Length of a glyph code in bytes. */
  readonly codeBytes: 1 | 2;
  /** Characters by glyph code; undefined if no level needs them, or the font has standard names. */
  readonly unicode?: ReadonlyMap<number, string> | undefined;
  /** PostScript name for messages. */
  readonly label: string;
}

/** Entries of a map from codes to UTF-16 (ISO 32000-1, 9.10.3), as the browser writes them. */
const SECTION = /beginbf(char|range)([^]*?)endbf/g;
const CHARACTER = /<([\da-f]+)>\s*<([\da-f]+)>/gi;
const RANGE = /<([\da-f]+)>\s*<([\da-f]+)>\s*<([\da-f]+)>/gi;
/** Size in bytes of a map with all 65,536 codes. */
const MAX_MAP_BYTES = 2 ** 22;

/** Reads the fonts of a file, each once. */
export class ShownFonts {
  readonly #file: PdfFile;
  readonly #needsUnicode: boolean;
  readonly #known = new Map<number, ShownFont>();

  constructor(file: PdfFile, needsUnicode: boolean) {
    this.#file = file;
    this.#needsUnicode = needsUnicode;
  }

  /** Returns the fonts in resources, by name. Rejects with PdfSyntaxError. */
  async in(resources: PdfDictionary | undefined): Promise<Map<string, ShownFont>> {
    const fonts = new Map<string, ShownFont>();
    const value = resources?.get('Font');
    for (const [name, font] of value ? this.#file.dictionary(value) : []) {
      fonts.set(name, await this.#font(font));
    }
    return fonts;
  }

  async #font(value: Span): Promise<ShownFont> {
    const object = referenceIn(this.#file.bytes, value);
    const known = object === undefined ? undefined : this.#known.get(object);
    if (known) return known;
    const entries = this.#file.dictionary(value);
    const [kind, name] = [this.#text(entries, 'Subtype'), this.#text(entries, 'BaseFont')];
    const isNamed = kind === '/Type1';
    const font: ShownFont = {
      codeBytes: kind === '/Type0' ? 2 : 1,
      unicode: this.#needsUnicode && !isNamed ? await this.#unicode(entries) : undefined,
      label: fontName(name),
    };
    if (object !== undefined) this.#known.set(object, font);
    return font;
  }

  #text(entries: PdfDictionary, name: string): string {
    const value = entries.get(name);
    return value ? this.#file.text(value) : '';
  }

  async #unicode(entries: PdfDictionary): Promise<ReadonlyMap<number, string>> {
    const value = entries.get('ToUnicode');
    const stream = value && this.#file.stream(value);
    if (!stream) return new Map();
    let map = '';
    for await (const chunk of inflatedStream(this.#file, stream)) {
      map += chunk.toString('latin1');
      if (map.length > MAX_MAP_BYTES) break;
    }
    return unicodeMap(map);
  }
}

/** Returns a font's PostScript name without its subset prefix. */
export function fontName(baseFont: string): string {
  return baseFont.replace(/^\/(?:[A-Z]{6}\+)?/, '');
}

/** Returns a ToUnicode map's characters, by code. */
export function unicodeMap(map: string): ReadonlyMap<number, string> {
  const characters = new Map<number, string>();
  for (const [, kind, section = ''] of map.matchAll(SECTION)) {
    if (kind === 'char') {
      for (const [, code = '', text = ''] of section.matchAll(CHARACTER)) {
        characters.set(Number.parseInt(code, 16), utf16(text));
      }
    } else {
      for (const range of section.matchAll(RANGE)) addRange(characters, range);
    }
  }
  return characters;
}

function addRange(
  characters: Map<number, string>,
  [, first = '', last = '', text = '']: RegExpMatchArray,
): void {
  const from = Number.parseInt(first, 16);
  const start = utf16(text);
  const end = start.charCodeAt(start.length - 1);
  const until = Math.min(Number.parseInt(last, 16), 0xffff);
  for (let code = from; code <= until; code += 1) {
    characters.set(code, start.slice(0, -1) + String.fromCharCode(end + code - from));
  }
}

function utf16(hex: string): string {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le');
}
