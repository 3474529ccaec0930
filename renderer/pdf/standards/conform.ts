import { createHash } from 'node:crypto';
import type { ConformanceLevel, EInvoiceProfile } from '@trifold/crds';
import type { AccessibleContent } from '../../browser/page/accessible-content.ts';
import { runInSlices, sha256 } from '../../time-slices.ts';
import { PdfFile } from '../file/pdf-file.ts';
import { pdfText, textOf } from '../file/pdf-text.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';
import { checkFile } from './finished-file.ts';
import { identificationOf, isAccessible, isTagged } from './level.ts';
import { lostContent, withCauses } from './cause.ts';
import { languageAttributes } from './limits-check.ts';
import type { Report } from './report.ts';
import { ruleAt } from './rule-at-level.ts';
import { srgbProfile } from './srgb-profile.ts';
import { addStructure } from './structure.ts';
import { checkStructure } from './structure-check.ts';
import { assertNone, type Violations } from './violations.ts';
import { xmpPacket } from './xmp.ts';

const CONDITION = 'sRGB IEC61966-2.1';
/** Length in bytes of each half of a file identifier. */
const ID_BYTES = 16;

/** Catalog entry that makes a viewer show the title instead of the file name. */
const SHOWN_TITLE = ['ViewerPreferences', '<</DisplayDocTitle true>>'] as const;

let profile: string | undefined;

export interface ConformingMetadata {
  readonly level: ConformanceLevel;
  /** Info dictionary entries, as PDF strings. */
  readonly properties: ReadonlyMap<string, string>;
  readonly createdAt: Date;
  /** Document language. Without one, the browser writes its process's language. */
  readonly language: string | undefined;
  /** Profile of the e-invoice that the file contains. @default none */
  readonly eInvoice?: EInvoiceProfile | undefined;
  readonly report: Report;
}

/**
 * Adds what PDF/A and PDF/UA require of every file: metadata, room for the file identifier, and an output intent for
 * PDF/A. Returns the entries to add to the catalog. Reports a tagged document without a title or a language.
 */
export function addConformance(
  file: PdfFile,
  update: PdfUpdate,
  metadata: ConformingMetadata,
): (readonly [name: string, value: string])[] {
  const { level, createdAt, eInvoice } = metadata;
  const texts = new Map(Array.from(metadata.properties, ([name, value]) => [name, textOf(value)]));
  if (isTagged(level)) reportMissing(file, metadata, texts.get('Title'));
  const packet = Buffer.from(xmpPacket(texts, { level, createdAt, eInvoice })).toString('latin1');
  const identifier = `<${'0'.repeat(ID_BYTES * 2)}>`;
  update.point('ID', `[${identifier} ${identifier}]`);
  return [
    ['Metadata', update.addStream(packet, '/Type /Metadata /Subtype /XML')],
    ...(identificationOf(level).archive ? [outputIntents(update)] : []),
    ...(isTagged(level) ? addStructure(file, update) : []),
    ...(isAccessible(level) ? [SHOWN_TITLE] : []),
  ];
}

/** Reports a missing title and a missing language. */
function reportMissing(
  file: PdfFile,
  { level, language, report }: ConformingMetadata,
  title: string | undefined,
): void {
  if (!title) {
    const rule = isAccessible(level) ? '7.1-9' : undefined;
    report(rule, 'it has no title: set properties.title, or add a title element');
  }
  if (language) return;
  const what = 'it has no language: set properties.language, or the lang attribute of html';
  const written = file.dictionary(file.trailer.get('Root')).get('Lang');
  // The browser's own language may not be a tag. It would be the same violation. Only `lang=""` can be its place.
  const [attribute = ''] = languageAttributes(written ? textOf(file.text(written)) : '');
  report('6.7.4-1', what, [attribute]);
}

/** Adds the color profile that PDF/A requires. Returns the catalog entry that refers to it. */
function outputIntents(update: PdfUpdate): [name: string, value: string] {
  profile ??= srgbProfile().toString('latin1');
  const intent = pdfDictionary([
    ['Type', '/OutputIntent'],
    ['S', '/GTS_PDFA1'],
    ['OutputConditionIdentifier', pdfText(CONDITION)],
    ['Info', pdfText(CONDITION)],
    ['DestOutputProfile', update.addStream(profile, '/N 3')],
  ]);
  return ['OutputIntents', `[${intent}]`];
}

/**
 * Identifies a finished file by its document and its content, and checks it. Changes the file in place. Rejects with
 * ConformanceError for the rules in `violations` and those that the file breaks, with the elements in `content` that
 * break them.
 */
export async function assertConformance(
  pdf: Buffer,
  violations: Violations,
  documentId: string,
  content: AccessibleContent = { links: [], problems: [], tables: [] },
): Promise<void> {
  const { level, report } = violations;
  const file = new PdfFile(pdf);
  const hash = await runInSlices(sha256(pdf));
  const identifier = createHash('sha256')
    .update(`${documentId}\n${hash}`)
    .digest('hex')
    .slice(0, ID_BYTES * 2);
  const id = file.trailer.get('ID');
  for (const { start } of (id && file.elements(id)) ?? []) pdf.write(identifier, start + 1, 'latin1');
  await checkFile(file, { needsUnicode: ruleAt('6.2.11.7.2-1', level) !== undefined, report });
  if (isAccessible(level)) await checkStructure(file, report);
  const found = await runInSlices(withCauses(violations.all, content));
  assertNone([...found, ...(isAccessible(level) ? lostContent(content, level) : [])]);
}
