import type { PdfFile, PdfStream } from '../file/pdf-file.ts';
import { inflatedLines } from '../file/inflated-stream.ts';
import { PdfSyntaxError, type PdfDictionary } from '../file/pdf-syntax.ts';
import { bytesOf } from '../file/pdf-text.ts';
import { isNumber, scanTokens } from '../file/pdf-tokens.ts';
import { LimitsCheck } from './limits-check.ts';
import type { Report } from './report.ts';
import type { ShownFont, ShownFonts } from './shown-fonts.ts';

/** Content of a page or a drawing. */
export interface Content {
  /** For messages: `page 2`. */
  readonly owner: string;
  readonly streams: readonly PdfStream[];
  readonly resources: PdfDictionary | undefined;
}

/** Maximum nesting of graphics states (ISO 19005-2, 6.1.13). */
const MAX_NESTING = 28;

/** Checks the content of a page or a drawing. Rejects with PdfSyntaxError. */
export async function checkContent(
  file: PdfFile,
  { owner, streams, resources }: Content,
  fonts: ShownFonts,
  report: Report,
): Promise<void> {
  const state = new ContentState(owner, await fonts.in(resources), report);
  for (const stream of streams) {
    for await (const lines of inflatedLines(file, stream)) {
      scanTokens(lines, 0, lines.length, new LinesCheck(lines, state));
    }
  }
}

/** State set by the operators of a content stream. */
class ContentState {
  readonly owner: string;
  readonly report: Report;
  font: ShownFont | undefined;
  /** Nesting depth of dictionaries at the current token. */
  depth = 0;
  readonly #fonts: ReadonlyMap<string, ShownFont>;
  readonly #saved: (ShownFont | undefined)[] = [];
  /** Whether each open marked-content sequence has its own text. */
  readonly #marked: boolean[] = [];
  /** Codes of reported glyphs: a page can show a glyph a million times. */
  readonly #reported = new Map<ShownFont, Set<number>>();
  #hasText = false;

  constructor(owner: string, fonts: ReadonlyMap<string, ShownFont>, report: Report) {
    this.owner = owner;
    this.#fonts = fonts;
    this.report = report;
  }

  /** The next marked-content sequence has its own text. */
  text(): void {
    this.#hasText = true;
  }

  operator(name: string, operand: string): void {
    if (name === 'Tf') this.font = this.#fonts.get(operand);
    else if (name === 'q') this.#save();
    else if (name === 'Q') this.font = this.#saved.pop();
    else if (name === 'BDC' || name === 'BMC') this.#mark();
    else if (name === 'EMC') this.#marked.pop();
    else if (name === 'BI') throw new PdfSyntaxError('a page of the PDF has an inline image');
  }

  /** Checks glyph codes that are shown with the current font. */
  show(codes: Buffer): void {
    const { font } = this;
    if (!font) throw new PdfSyntaxError('a page of the PDF shows text without a font');
    const reported = this.#reported.get(font) ?? new Set<number>();
    this.#reported.set(font, reported);
    for (let at = 0; at + font.codeBytes <= codes.length; at += font.codeBytes) {
      const code = codes.readUIntBE(at, font.codeBytes);
      if (reported.has(code)) continue;
      const violation = this.#violation(font, code);
      if (!violation) continue;
      reported.add(code);
      this.report(...violation);
    }
  }

  #violation({ label, unicode }: ShownFont, code: number): Parameters<Report> | undefined {
    const { owner } = this;
    if (code === 0) return ['6.2.11.8-1', `${owner} shows a character that no font has`];
    if (!unicode) return undefined;
    const character = unicode.get(code);
    if (character === undefined) {
      return ['6.2.11.7.2-1', `${owner} shows a glyph of ${label} that stands for no character`];
    }
    if (/[\0\ufeff\ufffe]/.test(character)) {
      return ['6.2.11.7.2-2', `${owner} shows a glyph of ${label} that stands for an invalid character`];
    }
    if (!/\p{Co}/u.test(character) || this.#marked.includes(true)) return undefined;
    return ['6.2.11.7.3-1', `${owner} shows a private character of ${label}`, [character]];
  }

  #save(): void {
    this.#saved.push(this.font);
    if (this.#saved.length > MAX_NESTING) this.report('6.1.13-8', `${this.owner} is nested too deeply`);
  }

  #mark(): void {
    this.#marked.push(this.#hasText);
    this.#hasText = false;
  }
}

class LinesCheck extends LimitsCheck {
  readonly #lines: Buffer;
  readonly #state: ContentState;

  constructor(lines: Buffer, state: ContentState) {
    super(lines, state.report);
    this.#lines = lines;
    this.#state = state;
  }

  override word(start: number, end: number): void {
    super.word(start, end);
    if (!isNumber(this.#lines, start)) this.#state.operator(this.text(start, end), this.lastName);
  }

  override name(start: number, end: number): void {
    super.name(start, end);
    if (this.#state.depth > 0 && this.lastName === 'ActualText') this.#state.text();
  }

  override string(start: number, end: number): void {
    super.string(start, end);
    if (this.#state.depth === 0) this.#state.show(bytesOf(this.text(start, end)));
  }

  override dictionary(step: 1 | -1): void {
    this.#state.depth += step;
  }
}
