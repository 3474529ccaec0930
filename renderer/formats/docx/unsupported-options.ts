import type { DocumentToWrite } from '../format-writer.ts';
import type { FoundWarning } from '../../browser/page/document-requests.ts';
import { Findings } from './findings.ts';

type Given = Pick<DocumentToWrite, 'printing' | 'header.last' | 'footer.last'>;

const LAST = 'The last page has the same header and footer as the others.';

/** Options that Word files cannot follow. docs/formats.md lists them. */
const UNSUPPORTED: Readonly<
  Record<string, readonly [isUsed: (given: Given) => boolean, consequence: string]>
> = {
  scale: [({ printing }) => printing.options.scale !== 1, 'The content has its full size.'],
  print_background: [({ printing }) => !printing.options.printBackground, 'Backgrounds are shown.'],
  page_ranges: [({ printing }) => printing.options.pageRanges !== '1-', 'The file contains all pages.'],
  'header.last': [(given) => given['header.last'] !== undefined, LAST],
  'footer.last': [(given) => given['footer.last'] !== undefined, LAST],
  'first.height': [({ printing }) => hasOwnHeight(printing), 'All pages have the same margins.'],
};

/** Returns warnings about the options of a document that Word files cannot follow. */
export function unsupportedOptions(document: Given): FoundWarning[] {
  const findings = new Findings();
  for (const [name, [isUsed, consequence]] of Object.entries(UNSUPPORTED)) {
    if (isUsed(document)) findings.unsupported(name, consequence);
  }
  return findings.warnings.map((warning) => ({ ...warning, part: 'options' }));
}

function hasOwnHeight({ geometry: { header, footer, firstPage } }: Given['printing']): boolean {
  return header !== firstPage.header || footer !== firstPage.footer;
}
