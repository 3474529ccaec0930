import type { ConformanceLevel } from '@trifold/crds';
import { identificationOf } from './level.ts';

/** Levels to which a rule applies: a part of ISO 19005, or the conformance letters. */
type Scope = '2' | '3' | 'A' | 'UA';

/** Why a file that we return conforms to a rule. */
interface Rule<By extends string = 'browser' | 'writer' | 'check'> {
  /**
   * `browser`: Chromium never breaks it. `writer`: this service writes what it requires. `check`: the finished file is
   * checked.
   */
  readonly by: By;
  /** The reason, or the subject of the check. */
  readonly why: string;
  /** @default all levels */
  readonly scope?: Scope | undefined;
}

const browser = (why: string, scope?: Scope): Rule<'browser'> => ({ by: 'browser', why, scope });
const writer = (why: string, scope?: Scope): Rule<'writer'> => ({ by: 'writer', why, scope });
const check = (why: string, scope?: Scope): Rule<'check'> => ({ by: 'check', why, scope });

/**
 * Every rule of ISO 19005-2 and -3 that veraPDF tests, by clause and test number. The deep test compares the names and
 * scopes with veraPDF's profiles.
 */
export const RULES = {
  '6.1.2-1': browser('the header is %PDF-1.4 and a comment with four bytes over 127'),
  '6.1.2-2': browser('the header is %PDF-1.4 and a comment with four bytes over 127'),
  '6.1.3-1': writer('the trailer has an ID of the document and its content'),
  '6.1.3-2': browser('PdfFile does not read encrypted files'),
  '6.1.3-3': writer('PdfUpdate ends the file with %%EOF and a line feed'),
  '6.1.4-2': writer('PdfUpdate writes the only cross-reference table'),
  '6.1.6-1': browser('hexadecimal strings have two digits for each byte'),
  '6.1.6-2': browser('hexadecimal strings have two digits for each byte'),
  '6.1.7.1-1': writer('PdfFile and PdfUpdate keep and check lengths and keywords'),
  '6.1.7.1-2': writer('PdfFile and PdfUpdate keep and check lengths and keywords'),
  '6.1.7.1-3': browser('no stream is in another file'),
  '6.1.7.2-1': browser('the only filters are FlateDecode and DCTDecode'),
  '6.1.8-1': check('names'),
  '6.1.9-1': writer('PdfUpdate writes, and PdfFile reads, only this spacing'),
  '6.1.10-1': browser('there are no inline images'),
  '6.1.12-1': browser('no file is signed or restricted'),
  '6.1.12-2': browser('no file is signed or restricted'),
  '6.1.13-1': check('numbers'),
  '6.1.13-2': check('numbers'),
  '6.1.13-3': check('strings'),
  '6.1.13-4': check('names'),
  '6.1.13-5': check('numbers'),
  '6.1.13-7': check('objects'),
  '6.1.13-8': check('nesting'),
  '6.1.13-9': browser('there are no spot colors'),
  '6.1.13-10': browser('glyph numbers have 16 bits'),
  '6.1.13-11': check('page size'),
  '6.2.2-1': browser('content has only operators of PDF 1.4'),
  '6.2.2-2': browser('each content stream has its own resources'),
  '6.2.3-1': writer('the only output intent has our sRGB profile'),
  '6.2.3-2': writer('the only output intent has our sRGB profile'),
  '6.2.3-3': writer('the only output intent has our sRGB profile'),
  '6.2.4.2-1': check('color profiles'),
  '6.2.4.2-2': browser('there are no CMYK colors'),
  '6.2.4.3-2': writer('the only output intent has our sRGB profile'),
  '6.2.4.3-3': browser('there are no CMYK colors'),
  '6.2.4.3-4': writer('the only output intent has our sRGB profile'),
  '6.2.4.4-1': browser('there are no spot colors'),
  '6.2.4.4-2': browser('there are no spot colors'),
  '6.2.5-1': browser('graphics states have only opacity, blend modes, masks and line styles'),
  '6.2.5-2': browser('graphics states have only opacity, blend modes, masks and line styles'),
  '6.2.5-3': browser('graphics states have only opacity, blend modes, masks and line styles'),
  '6.2.5-4': browser('graphics states have only opacity, blend modes, masks and line styles'),
  '6.2.5-5': browser('graphics states have only opacity, blend modes, masks and line styles'),
  '6.2.5-6': browser('graphics states have only opacity, blend modes, masks and line styles'),
  '6.2.6-1': browser('no rendering intent is set'),
  '6.2.8-1': browser('images have only a size, 8 bits for each component, a color space and a mask'),
  '6.2.8-2': browser('images have only a size, 8 bits for each component, a color space and a mask'),
  '6.2.8-3': browser('images have only a size, 8 bits for each component, a color space and a mask'),
  '6.2.8-4': browser('images have only a size, 8 bits for each component, a color space and a mask'),
  '6.2.8-5': browser('images have only a size, 8 bits for each component, a color space and a mask'),
  '6.2.8.3-1': browser('there are no JPEG 2000 images'),
  '6.2.8.3-2': browser('there are no JPEG 2000 images'),
  '6.2.8.3-3': browser('there are no JPEG 2000 images'),
  '6.2.8.3-4': browser('there are no JPEG 2000 images'),
  '6.2.8.3-5': browser('there are no JPEG 2000 images'),
  '6.2.9-1': browser('XObjects are images and simple forms'),
  '6.2.9-2': browser('XObjects are images and simple forms'),
  '6.2.9-3': browser('XObjects are images and simple forms'),
  '6.2.10-1': browser('Skia maps every mix-blend-mode to a mode of PDF'),
  '6.2.10-2': writer('the only output intent has our sRGB profile'),
  '6.2.11.2-1': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.2-2': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.2-3': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.2-4': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.2-5': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.2-6': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.2-7': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.3.1-1': browser('the encoding of every Type 0 font is Identity-H'),
  '6.2.11.3.2-1': browser('Skia writes complete Type 0 and Type 3 fonts'),
  '6.2.11.3.3-1': browser('the encoding of every Type 0 font is Identity-H'),
  '6.2.11.3.3-2': browser('the encoding of every Type 0 font is Identity-H'),
  '6.2.11.3.3-3': browser('the encoding of every Type 0 font is Identity-H'),
  '6.2.11.4.1-1': check('embedded fonts'),
  '6.2.11.4.1-2': browser('the subset of a font has every glyph that is shown'),
  '6.2.11.4.2-1': browser('there are no Type 1 fonts and no CIDSet'),
  '6.2.11.4.2-2': browser('there are no Type 1 fonts and no CIDSet'),
  '6.2.11.5-1': browser('widths come from the font'),
  '6.2.11.6-1': browser('there are no simple TrueType fonts'),
  '6.2.11.6-2': browser('there are no simple TrueType fonts'),
  '6.2.11.6-3': browser('there are no simple TrueType fonts'),
  '6.2.11.6-4': browser('there are no simple TrueType fonts'),
  '6.2.11.7.2-1': check('Unicode', 'UA'),
  '6.2.11.7.2-2': check('Unicode', 'UA'),
  '6.2.11.7.3-1': check('Unicode', 'A'),
  '6.2.11.8-1': check('glyphs'),
  '6.3.1-1': check('annotations'),
  '6.3.2-1': check('annotations'),
  '6.3.2-2': check('annotations'),
  '6.3.3-1': browser('links need no appearance'),
  '6.3.3-2': browser('links need no appearance'),
  '6.3.3-3': browser('links need no appearance'),
  '6.3.3-4': browser('links need no appearance'),
  '6.4.1-1': browser('form controls are drawings'),
  '6.4.1-2': browser('form controls are drawings'),
  '6.4.1-3': browser('form controls are drawings'),
  '6.4.2-1': browser('form controls are drawings'),
  '6.4.2-2': browser('form controls are drawings'),
  '6.4.3-1': browser('no file is signed or restricted'),
  '6.4.3-2': browser('no file is signed or restricted'),
  '6.4.3-3': browser('no file is signed or restricted'),
  '6.5.1-1': writer('removeActions leaves only links to URLs'),
  '6.5.1-2': writer('removeActions leaves only links to URLs'),
  '6.5.2-1': browser('neither the catalog nor a page has actions'),
  '6.5.2-2': browser('neither the catalog nor a page has actions'),
  '6.6.2.1-1': writer('xmpPacket writes the only metadata'),
  '6.6.2.1-2': writer('xmpPacket writes the only metadata'),
  '6.6.2.1-3': writer('xmpPacket writes the only metadata'),
  '6.6.2.1-4': writer('xmpPacket writes the only metadata'),
  '6.6.2.1-5': writer('xmpPacket writes the only metadata'),
  '6.6.2.3.1-1': writer('xmpPacket writes the only metadata'),
  '6.6.2.3.1-2': writer('xmpPacket writes the only metadata'),
  '6.6.2.3.2-1': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-1': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-2': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-3': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-4': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-5': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-6': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-7': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-8': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-9': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-10': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-11': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-12': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-13': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-14': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-15': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-16': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-17': writer('xmpPacket needs no extension schema'),
  '6.6.2.3.3-18': writer('xmpPacket needs no extension schema'),
  '6.6.4-1': writer('xmpPacket writes the only metadata'),
  '6.6.4-2': writer('xmpPacket writes the only metadata'),
  '6.6.4-3': writer('xmpPacket writes the only metadata'),
  '6.6.4-4': writer('xmpPacket writes the only metadata'),
  '6.6.4-5': writer('xmpPacket writes the only metadata'),
  '6.6.4-6': writer('xmpPacket writes the only metadata'),
  '6.6.4-7': writer('xmpPacket writes the only metadata'),
  '6.7.2.2-1': check('structure', 'A'),
  '6.7.3.3-1': check('structure', 'A'),
  '6.7.3.4-1': check('structure types', 'A'),
  '6.7.3.4-2': writer('ROLE_MAP maps other types to standard types', 'A'),
  '6.7.3.4-3': writer('ROLE_MAP maps other types to standard types', 'A'),
  '6.7.4-1': check('languages', 'A'),
  '6.8-1': writer('attachFiles describes the only embedded files', '3'),
  '6.8-2': writer('attachFiles describes the only embedded files'),
  '6.8-3': writer('attachFiles describes the only embedded files', '3'),
  '6.8-4': writer('attachFiles describes the only embedded files', '3'),
  '6.8-5': check('attachments', '2'),
  '6.9-1': browser('there are no layers'),
  '6.9-2': browser('there are no layers'),
  '6.9-3': browser('there are no layers'),
  '6.9-4': browser('there are no layers'),
  '6.10-1': browser('there are no alternate presentations'),
  '6.10-2': browser('there are no alternate presentations'),
  '6.11-1': browser('the catalog has no requirements'),
} as const satisfies Readonly<Record<string, Rule>>;

type Rules = typeof RULES;
/** A rule that a finished file can break. */
export type CheckedRule = {
  [Name in keyof Rules]: Rules[Name]['by'] extends 'check' ? Name : never;
}[keyof Rules];

/** Whether a rule applies to a level. */
export function applies(rule: keyof Rules, level: ConformanceLevel): boolean {
  const { scope }: Rule = RULES[rule];
  const { part, conformance } = identificationOf(level);
  return scope === undefined || scope === String(part) || scope.includes(conformance);
}

/** Returns the clause of a rule: `6.1.13`. */
export function clauseOf(rule: keyof Rules): string {
  return rule.replace(/-\d+$/, '');
}
