import type { PdfFile } from '../file/pdf-file.ts';
import { referenceIn, type Span } from '../file/pdf-syntax.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';

/** Standard structure types (ISO 32000-1, 14.8.4). */
const STANDARD = new Set(
  `Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody
   Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP
   Figure Formula Form`.split(/\s+/),
);

/**
 * Standard types for the structure types that the browser writes although ISO 32000-1 lacks them (14.8.4). They come
 * from ISO 32000-2.
 */
const ROLE_MAP: Readonly<Record<string, string>> = {
  Aside: '/Sect',
  DocumentFragment: '/Part',
  Em: '/Span',
  FENote: '/Note',
  Strong: '/Span',
  Sub: '/Span',
  Title: '/P',
};

const ROLES = ['RoleMap', pdfDictionary(Object.entries(ROLE_MAP))] as const;

/** Whether a structure type is a standard one, or is mapped to one. */
export function isMapped(type: string): boolean {
  return STANDARD.has(type) || Object.hasOwn(ROLE_MAP, type);
}

/** Returns the standard type that a structure type is or maps to. */
export function standardType(type: string): string {
  return ROLE_MAP[type]?.slice(1) ?? type;
}

/** Returns the entries of the structure root, with a map from structure types to standard ones. */
export function structureRoot(file: PdfFile, root: Span): (readonly [name: string, value: string])[] {
  const entries = Array.from(file.dictionary(root), ([name, value]) => [name, file.text(value)] as const);
  return [...entries, ROLES];
}

/**
 * Maps structure types to standard ones. Returns catalog entries for a document without any structure, such as one with
 * only a drawing.
 */
export function addStructure(file: PdfFile, update: PdfUpdate): [name: string, value: string][] {
  const root = file.dictionary(file.trailer.get('Root')).get('StructTreeRoot');
  if (!root) {
    return [
      ['MarkInfo', '<</Marked true>>'],
      ['StructTreeRoot', update.add(pdfDictionary([['Type', '/StructTreeRoot'], ROLES]))],
    ];
  }
  const number = referenceIn(file.bytes, root);
  if (number !== undefined) update.replace(number, pdfDictionary(structureRoot(file, root)));
  return [];
}
