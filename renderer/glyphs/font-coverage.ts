import { inflateSync } from 'node:zlib';
import type { DocumentWarning } from '@trifold/crds';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { DocumentPage } from '../browser/page/document-page.ts';
import { WARM_UP_SETTINGS } from '../browser/pool/browser-slot.ts';
import { PdfFile } from '../pdf/file/pdf-file.ts';
import { hasNoGlyph } from './shown-glyphs.ts';
import { EMOJI, SCRIPT_SAMPLES } from './unicode-scripts.ts';

/** Knows the scripts that no font on this machine covers. It checks once, because a check occupies a browser. */
export class FontCoverage {
  readonly #find: () => Promise<readonly string[]>;
  readonly #logger: Logger;
  #missing: Promise<ReadonlySet<string>> | undefined;

  /** `find` returns all scripts that no font covers. */
  constructor(find: () => Promise<readonly string[]>, logger: Logger) {
    this.#find = find;
    this.#logger = logger;
  }

  /** Returns all scripts that no font covers. Rejects when the check fails; the next call repeats it. */
  missing(): Promise<ReadonlySet<string>> {
    this.#missing ??= this.#find().then(
      (scripts) => new Set(scripts),
      (error: unknown) => {
        this.#missing = undefined;
        throw error;
      },
    );
    return this.#missing;
  }

  /**
   * Returns the given scripts that no font covers. Waits for the check if any scripts are given. Returns none if the
   * check fails: only warnings depend on it.
   */
  async uncovered(scripts: readonly string[] = []): Promise<string[]> {
    if (scripts.length === 0) return [];
    try {
      const missing = await this.missing();
      return scripts.filter((script) => missing.has(script));
    } catch (error) {
      this.#logger.warn({ err: error }, 'failed to check which scripts the fonts cover');
      return [];
    }
  }
}

/** Returns one warning for each script. */
export function glyphWarnings(scripts: readonly string[]): DocumentWarning[] {
  return scripts.map((script) => {
    const name = script.replaceAll('_', ' ');
    const subject = script === EMOJI.name ? 'emoji' : `the ${name} script`;
    const message =
      `No installed font covers ${subject}, so such characters may appear as boxes or blanks. ` +
      'Install a font, or embed one with @font-face (docs/how-to/fonts.md).';
    return { code: 'glyphs_missing', message, name };
  });
}

/**
 * Prints a letter of each script and returns the scripts that no font covers: documents show them as boxes or nothing.
 * Rejects with PrintError.
 */
export async function findMissingScripts(page: Pick<DocumentPage, 'print'>): Promise<string[]> {
  const samples = { ...SCRIPT_SAMPLES, [EMOJI.name]: EMOJI.sample };
  const letters = Object.values(samples).map(
    (code) => `<p style="break-after:page">${String.fromCodePoint(code)}</p>`,
  );
  const html = `<!doctype html><meta charset="utf-8">${letters.join('')}`;
  const file = new PdfFile(await page.print(html, WARM_UP_SETTINGS));
  const contents = Array.from(file.pages(), ({ entries }) => {
    const stream = file.content(entries);
    return stream
      ? inflateSync(file.bytes.subarray(stream.data.start, stream.data.end)).toString('latin1')
      : '';
  });
  // Color glyphs may be drawings or images without any text.
  return Object.keys(samples).filter((_name, index) => hasNoGlyph(contents[index] ?? ''));
}
