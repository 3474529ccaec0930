import { createHash } from 'node:crypto';
import type { ConformanceLevel } from '@trifold/crds';
import { runInSlices, sha256 } from '../../time-slices.ts';
import { PdfFile } from '../file/pdf-file.ts';
import { pdfText, textOf } from '../file/pdf-text.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';
import { ConformanceError } from './conformance-error.ts';
import { checkFile } from './finished-file.ts';
import { isTagged } from './level.ts';
import { applies } from './rules.ts';
import { srgbProfile } from './srgb-profile.ts';
import { addStructure } from './structure.ts';
import { xmpPacket } from './xmp.ts';

const CONDITION = 'sRGB IEC61966-2.1';
/** Bytes of each half of a file identifier. */
const ID_BYTES = 16;

let profile: string | undefined;

export interface ConformingMetadata {
  readonly level: ConformanceLevel;
  /** Entries of the info dictionary, as strings of PDF. */
  readonly properties: ReadonlyMap<string, string>;
  readonly createdAt: Date;
  /** Language of the document. Without one, the browser writes that of its process. */
  readonly language: string | undefined;
}

/**
 * Adds what PDF/A requires of every file: metadata, an output intent, and room for the file identifier. Returns the
 * entries of the catalog that refer to them. Throws ConformanceError for a tagged document without a title or a language.
 */
export function addConformance(
  file: PdfFile,
  update: PdfUpdate,
  { level, properties, createdAt, language }: ConformingMetadata,
): [name: string, value: string][] {
  const texts = new Map(Array.from(properties, ([name, value]) => [name, textOf(value)]));
  if (isTagged(level) && !texts.get('Title')) {
    throw new ConformanceError({
      level,
      what: 'it has no title: set properties.title, or add a title element',
    });
  }
  if (isTagged(level) && !language) {
    throw new ConformanceError({
      level,
      rule: '6.7.4-1',
      what: 'it has no language: set properties.language, or the lang attribute of html',
    });
  }
  profile ??= srgbProfile().toString('latin1');
  const packet = Buffer.from(xmpPacket(texts, level, createdAt)).toString('latin1');
  const intent = pdfDictionary([
    ['Type', '/OutputIntent'],
    ['S', '/GTS_PDFA1'],
    ['OutputConditionIdentifier', pdfText(CONDITION)],
    ['Info', pdfText(CONDITION)],
    ['DestOutputProfile', update.addStream(profile, '/N 3')],
  ]);
  const identifier = `<${'0'.repeat(ID_BYTES * 2)}>`;
  update.point('ID', `[${identifier} ${identifier}]`);
  return [
    ['Metadata', update.addStream(packet, '/Type /Metadata /Subtype /XML')],
    ['OutputIntents', `[${intent}]`],
    ...(isTagged(level) ? addStructure(file, update) : []),
  ];
}

/**
 * Identifies a finished file by its document and its content, and checks it. Changes the file in place. Rejects with
 * ConformanceError for the first rule of the level that the file breaks.
 */
export async function assertConformance(
  pdf: Buffer,
  level: ConformanceLevel,
  documentId: string,
): Promise<void> {
  const file = new PdfFile(pdf);
  const content = await runInSlices(sha256(pdf));
  const identifier = createHash('sha256')
    .update(`${documentId}\n${content}`)
    .digest('hex')
    .slice(0, ID_BYTES * 2);
  const id = file.trailer.get('ID');
  for (const { start } of (id && file.elements(id)) ?? []) pdf.write(identifier, start + 1, 'latin1');
  await checkFile(file, {
    needsUnicode: applies('6.2.11.7.2-1', level),
    report: (rule, what, literals) => {
      if (applies(rule, level)) throw new ConformanceError({ level, rule, what, literals });
    },
  });
}
