import { runInSlices, type SlicedWork } from '../../time-slices.ts';
import type { PdfFile } from '../file/pdf-file.ts';
import { referenceIn, type PdfDictionary, type Span } from '../file/pdf-syntax.ts';
import { textOf } from '../file/pdf-text.ts';
import type { Report } from './report.ts';
import { DESCRIBED, HEADINGS, KIDS, ORDERS, PARENTS } from './structure-rules.ts';
import { isGroup, StructureTree, type StructureElement } from './structure-tree.ts';
import { checkTable } from './table-check.ts';

/**
 * Checks the structure and links of a finished file: the rules with `check` in UA_RULES. Rejects with PdfSyntaxError
 * for a file that this service did not write.
 */
export async function checkStructure(file: PdfFile, report: Report): Promise<void> {
  await runInSlices(new StructureCheck(file, report).check());
}

class StructureCheck {
  readonly #file: PdfFile;
  readonly #report: Report;
  /** Level of the last heading, and the kinds of headings. */
  #level = 0;
  readonly #headings = new Set<'H' | 'Hn'>();
  /** Object numbers of annotations in links. */
  readonly #links = new Set<number>();

  constructor(file: PdfFile, report: Report) {
    this.#file = file;
    this.#report = report;
  }

  *check(): SlicedWork<void> {
    const tree = yield* StructureTree.read(this.#file);
    for (const [element, parent] of tree.inOrder()) {
      this.#checkPlace(element, parent);
      // A group's content counts as content of the element around it.
      if (!isGroup(element)) this.#checkKids(tree, element);
      this.#checkHeading(element);
      this.#checkDescription(tree, element);
      if (element.type === 'Table') yield* checkTable(tree, element, this.#report);
      if (element.type === 'Link') for (const annotation of element.annotations) this.#links.add(annotation);
      yield;
    }
    let number = 0;
    for (const { entries } of this.#file.pages()) {
      number += 1;
      const annotations = entries.get('Annots');
      for (const annotation of (annotations && this.#file.elements(annotations)) ?? []) {
        this.#checkLink(annotation, `page ${number}`);
        yield;
      }
    }
  }

  #checkPlace({ type }: StructureElement, parent: StructureElement | undefined): void {
    const [rule, types] = PARENTS[type] ?? [];
    if (!rule || types?.includes(parent?.type ?? '')) return;
    this.#report(
      rule,
      `the structure has ${type} in ${parent?.type ?? 'no element'}, not in ${types?.join(', ')}`,
    );
  }

  #checkKids(tree: StructureTree, element: StructureElement): void {
    const kids = tree.kids(element).map(({ type }) => type);
    const [rule, types] = KIDS[element.type] ?? [];
    const other = types && kids.find((type) => !types.includes(type));
    if (rule && other !== undefined) {
      this.#report(
        rule,
        `the structure has ${other} in ${element.type}, which only has ${types?.join(', ')}`,
      );
    }
    const all = kids.join(' ');
    for (const [order, broken, what] of [...(ORDERS[element.type] ?? []), HEADINGS]) {
      if (broken.test(all)) this.#report(order, what);
    }
  }

  #checkHeading({ type }: StructureElement): void {
    const [, level] = /^H(\d?)$/.exec(type) ?? [];
    if (level === undefined) return;
    this.#headings.add(level === '' ? 'H' : 'Hn');
    if (this.#headings.size > 1) {
      this.#report('7.4.4-2', 'a heading has a level below 6, and others do not: use levels 1 to 6');
    }
    if (level === '') return;
    if (Number(level) > this.#level + 1) {
      this.#report('7.4.2-1', `a heading of level ${level} follows one of level ${this.#level}`);
    }
    this.#level = Number(level);
  }

  #checkDescription(tree: StructureTree, element: StructureElement): void {
    const [rule, what = ''] = DESCRIBED[element.type] ?? [];
    if (rule && !this.#isDescribed(element.type, tree.entries(element))) this.#report(rule, what);
  }

  #isDescribed(type: string, entries: PdfDictionary): boolean {
    if (type === 'Note') return entries.has('ID');
    const [alternative, attributes] = [entries.get('Alt'), entries.get('A')];
    if (type === 'Form') return attributes !== undefined && this.#file.text(attributes).includes('/Role ');
    const isEmpty = !alternative || textOf(this.#file.text(alternative)) === '';
    return entries.has('ActualText') || !isEmpty;
  }

  #checkLink(annotation: Span, owner: string): void {
    const object = referenceIn(this.#file.bytes, annotation);
    if (object === undefined || !this.#links.has(object)) {
      return this.#report('7.18.5-1', 'a link is not part of the structure');
    }
    const contents = this.#file.dictionary(annotation).get('Contents');
    if (!contents || textOf(this.#file.text(contents)) === '') {
      this.#report('7.18.5-2', `a link on ${owner} has neither text nor an address`);
    }
  }
}
