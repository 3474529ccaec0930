import type { DocumentWarning } from '@trifold/crds';
import type { DocumentPage } from '../browser/page/document-page.ts';
import type { BrowserPool } from '../browser/pool/browser-pool.ts';
import { glyphWarnings, type FontCoverage } from '../glyphs/font-coverage.ts';
import { charactersIn } from '../glyphs/used-scripts.ts';
import { lacksGlyphs } from '../glyphs/shown-glyphs.ts';
import { ConformanceError, type Violation } from '../pdf/standards/conformance-error.ts';
import { DeclaredSearch } from '../e-invoice/declared-search.ts';
import { finishPdf } from '../pdf/finish-pdf.ts';
import { withBrokenRules } from '../task/conformance-warnings.ts';
import { printDocument, type PrintedDocument } from '../task/print-document.ts';
import type { DocumentToWrite, FormatWriter, WritingTurn, WrittenFile } from './format-writer.ts';

/** Prints documents. */
export class PdfWriter implements FormatWriter {
  readonly #browsers: Pick<BrowserPool, 'withPage'>;
  readonly #fonts: Pick<FontCoverage, 'uncovered'>;

  constructor(browsers: Pick<BrowserPool, 'withPage'>, fonts: Pick<FontCoverage, 'uncovered'>) {
    this.#browsers = browsers;
    this.#fonts = fonts;
  }

  async write(document: DocumentToWrite, turn: WritingTurn): Promise<WrittenFile> {
    const { signal, waiting, working, warnings } = turn;
    const { printing, account, priority, properties } = document;
    const { conformance } = printing.options;
    const features = { ...document.features, properties, conformance };
    const declared = declaredSearch(document);
    waiting();
    const uncovered = await this.#fonts.uncovered(document.scripts);
    const use = (page: DocumentPage) => {
      working();
      return printDocument(page, { ...document, ...printing, declared }, warnings);
    };
    const print = await this.#browsers.withPage(account, signal, use, priority);
    warnings.push(...(declared?.warnings() ?? []));
    warnings.push(...(await missingGlyphs(uncovered, print)));
    const { pdf, pages } = await finishPdf(
      print.pdf,
      { ...features, content: print.content },
      print.decorations,
    ).catch((error: unknown) => {
      if (!(error instanceof ConformanceError)) throw error;
      const failure = withCharacters(error, charactersIn(document.html, uncovered));
      warnings.splice(0, warnings.length, ...withBrokenRules(warnings, failure));
      throw failure;
    });
    return { body: pdf, pages };
  }
}

function declaredSearch({ declared, printing }: DocumentToWrite): DeclaredSearch | undefined {
  return declared && new DeclaredSearch(declared, printing.extras?.locale);
}

/** Adds the characters that no font supports to the violation about them: the file does not contain them. */
function withCharacters(
  { violation, others }: ConformanceError,
  literals: readonly string[],
): ConformanceError {
  const located = (each: Violation) => (each.rule === '6.2.11.8-1' ? { ...each, literals } : each);
  return new ConformanceError(located(violation), others.map(located));
}

/**
 * The file decides: an embedded font may cover a script that no installed font covers, or the text may be invisible.
 */
async function missingGlyphs(
  uncovered: readonly string[],
  { pdf, decorations = [] }: PrintedDocument,
): Promise<DocumentWarning[]> {
  if (uncovered.length === 0) return [];
  for (const file of [pdf, ...decorations.map((decoration) => decoration.pdf)]) {
    if (await lacksGlyphs(file)) return glyphWarnings(uncovered);
  }
  return [];
}
