import {
  groupsOf,
  valueOf,
  type GroupId,
  type InvoiceGroup,
  type InvoiceValue,
  type TermId,
} from '../invoice.ts';
import type { Group, Term } from '../terms/term.ts';
import { INVOICE, termOrGroup } from '../terms/terms.ts';
import { ciiPrefix } from '../writing/cii-writer.ts';
import { fromCiiText } from '../writing/cii-codes.ts';
import { trimXml, type XmlElement } from '../xml/xml-element.ts';
import { findAt, parsePath, textAt, type Lookup, type Path } from '../xml/xml-path.ts';
import { ReadNodes } from './read-nodes.ts';

/** Reads the terms of a Cross Industry Invoice with the paths in the table. */
export class CiiReader {
  readonly nodes = new ReadNodes();
  /**
   * Terms and groups for which several elements contradict each other. The VAT point date (BT-7) may not even be
   * repeated (CII-SR-461).
   */
  readonly contradictory = new Set<TermId | GroupId>();
  readonly #lookup: Lookup;
  readonly #paths = new Map<string, Path>();

  constructor(root: XmlElement) {
    const found = new Map<string, string>();
    this.#lookup = (id) => {
      const term = termOrGroup(id);
      const text = found.get(id) ?? (term && textAt(root, this.#path(term.cii), NO_LOOKUP)) ?? '';
      found.set(id, text);
      return text;
    };
  }

  readInvoice(root: XmlElement): InvoiceGroup {
    return this.#group(root, INVOICE) ?? { id: INVOICE.id, terms: {}, groups: {} };
  }

  /**
   * Returns undefined for a group without values. Terms outside the element are read only for the first of its kind, so
   * that thousands of elements do not each search their siblings.
   */
  #group(element: XmlElement, declared: Group, isFirst = true): InvoiceGroup | undefined {
    const terms = this.#terms(element, declared, isFirst);
    const groups: Partial<Record<GroupId, readonly InvoiceGroup[]>> = {};
    for (const child of declared.groups) {
      const found = this.#children(element, child)
        .map((inner, index) => this.#group(inner, child, isFirst && index === 0))
        .filter((group) => group !== undefined);
      if (found.length > 0) groups[child.id] = child.id === 'BG-16' ? this.#payment(found) : found;
    }
    const isEmpty = Object.keys(terms).length === 0 && Object.keys(groups).length === 0;
    return isEmpty ? undefined : { id: declared.id, terms, groups };
  }

  #terms(element: XmlElement, declared: Group, isFirst: boolean): InvoiceGroup['terms'] {
    const terms: Partial<Record<TermId, readonly InvoiceValue[]>> = {};
    for (const term of declared.terms) {
      if (!isFirst && term.cii.startsWith('../')) continue;
      const values = this.#values(element, term);
      if (values.length > 0) terms[term.id] = values;
    }
    return terms;
  }

  /** Further elements of a group that occurs only once are not read, and thus reported. */
  #children(element: XmlElement, declared: Group): readonly XmlElement[] {
    const path = this.#path(declared.cii);
    const found = findAt(element, path, this.#lookup, this.nodes);
    return path.steps.at(-1)?.repeat === 'each' ? found : found.slice(0, 1);
  }

  #values(element: XmlElement, term: Term): readonly InvoiceValue[] {
    const paths = [term.cii, ...(term.otherCii ? [term.otherCii.path] : [])];
    const values = paths.flatMap((text) => this.#valuesAt(element, term, text));
    const isRepeated = term.id === 'BT-7' && values.length > 1;
    if (isRepeated || (!term.isList && values.some((value) => !isSameValue(value, values[0])))) {
      this.contradictory.add(term.id);
    }
    return term.isList ? values : values.slice(0, 1);
  }

  #valuesAt(element: XmlElement, term: Term, text: string): readonly InvoiceValue[] {
    const path = this.#path(text);
    return findAt(element, path, this.#lookup, this.nodes)
      .map((found, index) => this.#value(found, term, path.attribute, index === 0))
      .filter((value) => value !== undefined);
  }

  #value(
    element: XmlElement,
    term: Term,
    attribute: string | undefined,
    isFirst: boolean,
  ): InvoiceValue | undefined {
    this.nodes.read(element, attribute);
    const text = attribute === undefined ? element.text : (element.attributes.get(attribute) ?? '');
    const value = trimXml(text);
    if (value === '') return undefined;
    // A unit does not replace the quantity.
    if (attribute === undefined) this.nodes.fill(element);
    const scheme = this.#schemeOf(element, term, isFirst);
    const version = term.id === 'BT-158' ? this.#scheme(element, '@listVersionID') : undefined;
    return {
      value: fromCiiText(term, term.id === 'BT-20' ? withLineBreak(text, value) : value),
      ...(scheme !== undefined && { scheme }),
      ...(version !== undefined && { version }),
    };
  }

  /** Like terms, schemes outside the element are read only for the first of its kind. */
  #schemeOf(element: XmlElement, { scheme }: Term, isFirst: boolean): string | undefined {
    if (!scheme || (!isFirst && scheme.cii.startsWith('../'))) return undefined;
    return this.#scheme(element, scheme.cii);
  }

  #scheme(element: XmlElement, text: string): string | undefined {
    const path = this.#path(text);
    for (const found of findAt(element, path, this.#lookup, this.nodes)) {
      this.nodes.read(found, path.attribute);
    }
    return textAt(element, path, this.#lookup);
  }

  /** CII repeats the payment instructions for each account. */
  #payment(instructions: readonly InvoiceGroup[]): readonly InvoiceGroup[] {
    const [first, ...others] = instructions;
    if (!first) return [];
    if (others.some((other) => !isSameMeans(first, other))) this.contradictory.add('BG-16');
    const accounts = instructions.flatMap((group) => groupsOf(group, 'BG-17'));
    return [{ ...first, groups: { ...first.groups, ...(accounts.length > 0 && { 'BG-17': accounts }) } }];
  }

  #path(text: string): Path {
    const path = this.#paths.get(text) ?? parsePath(text, ciiPrefix);
    this.#paths.set(text, path);
    return path;
  }
}

function isSameValue(left: InvoiceValue, right: InvoiceValue | undefined): boolean {
  return left.value === right?.value && left.scheme === right.scheme;
}

const NO_LOOKUP: Lookup = () => '';

/** Whether payment instructions only add an account to the first ones. */
function isSameMeans(first: InvoiceGroup, other: InvoiceGroup): boolean {
  const text = valueOf(other, 'BT-82')?.value;
  return (
    valueOf(other, 'BT-81')?.value === valueOf(first, 'BT-81')?.value &&
    (text === undefined || text === valueOf(first, 'BT-82')?.value) &&
    Object.keys(other.groups).every((id) => id === 'BG-17')
  );
}

/** XRechnung requires a line break after a discount for early payment (BR-DE-18). */
function withLineBreak(text: string, value: string): string {
  return text.slice(text.lastIndexOf(value) + value.length).includes('\n') ? `${value}\n` : value;
}
