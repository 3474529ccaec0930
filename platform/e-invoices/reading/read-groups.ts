import type { GroupId, InvoiceGroup, InvoiceValue, TermId } from '../invoice.ts';
import type { Group, Term } from '../terms/term.ts';
import { INVOICE, termOrGroup } from '../terms/terms.ts';
import { ciiPrefix } from '../writing/cii-writer.ts';
import { fromCiiText } from '../writing/cii-codes.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { findAt, parsePath, textAt, type Lookup, type Path } from '../xml/xml-path.ts';

/** Reads the terms of a Cross Industry Invoice with the paths in the table. */
export class CiiReader {
  /** Elements that a path in the table led to. */
  readonly read = new Set<XmlElement>();
  /** Terms and groups that occur more often than they may. */
  readonly repeated = new Set<TermId | GroupId>();
  readonly #lookup: Lookup;
  readonly #paths = new Map<string, Path>();

  constructor(root: XmlElement) {
    this.#lookup = (id) => {
      const term = termOrGroup(id);
      return (term && textAt(root, this.#path(term.cii), NO_LOOKUP)) ?? '';
    };
  }

  readInvoice(root: XmlElement): InvoiceGroup {
    return this.#group(root, INVOICE) ?? { id: 'BG-0', terms: {}, groups: {} };
  }

  /**
   * Returns undefined for a group without values. Terms outside the element are read only for the first of its kind, so
   * that thousands of elements do not each search their siblings.
   */
  #group(element: XmlElement, declared: Group, isFirst = true): InvoiceGroup | undefined {
    const terms: Partial<Record<TermId, InvoiceValue[]>> = {};
    for (const term of declared.terms) {
      if (!isFirst && term.cii.startsWith('../')) continue;
      const values = this.#values(element, term);
      if (values.length > 0) terms[term.id] = values;
    }
    const groups: Partial<Record<GroupId, readonly InvoiceGroup[]>> = {};
    for (const child of declared.groups) {
      const found = this.#find(element, child.cii, false)
        .map((inner, index) => this.#group(inner, child, isFirst && index === 0))
        .filter((group) => group !== undefined);
      if (found.length > 0) groups[child.id] = this.#once(child, found);
    }
    const isEmpty = Object.keys(terms).length === 0 && Object.keys(groups).length === 0;
    return isEmpty ? undefined : { id: declared.id, terms, groups };
  }

  #values(element: XmlElement, term: Term): InvoiceValue[] {
    const paths = [term.cii, ...(term.otherCii ? [term.otherCii.path] : [])];
    const values = paths.flatMap((text) => {
      const { attribute } = this.#path(text);
      return this.#find(element, text, true)
        .map((found) => this.#value(found, term, attribute))
        .filter((value) => value !== undefined);
    });
    // Every VAT breakdown has this element.
    if (term.cii.includes('+')) return values.slice(0, 1);
    return this.#limited(term, values);
  }

  #value(element: XmlElement, term: Term, attribute: string | undefined): InvoiceValue | undefined {
    const text = attribute === undefined ? element.text : element.attributes.get(attribute);
    if (text === undefined || text === '') return undefined;
    const scheme = term.scheme && this.#text(element, term.scheme.cii);
    const version = term.id === 'BT-158' ? element.attributes.get('listVersionID') : undefined;
    return {
      value: fromCiiText(term, text),
      ...(scheme !== undefined && { scheme }),
      ...(version !== undefined && { version }),
    };
  }

  #text(element: XmlElement, text: string): string | undefined {
    const path = this.#path(text);
    for (const found of findAt(element, path, this.#lookup)) this.read.add(found);
    return textAt(element, path, this.#lookup);
  }

  /** Groups of a repeated element; CII repeats the payment instructions for each account. */
  #once(declared: Group, groups: readonly InvoiceGroup[]): readonly InvoiceGroup[] {
    const [first] = groups;
    if (declared.id !== 'BG-16' || !first) return this.#limited(declared, groups);
    const means = new Set(groups.map(({ terms }) => terms['BT-81']?.[0]?.value));
    if (means.size > 1) this.repeated.add('BT-81');
    const accounts = groups.flatMap((group) => group.groups['BG-17'] ?? []);
    return [{ ...first, groups: { ...first.groups, ...(accounts.length > 0 && { 'BG-17': accounts }) } }];
  }

  #limited<T>({ id, isList }: Term | Group, found: readonly T[]): T[] {
    if (!isList && found.length > 1) this.repeated.add(id);
    return [...found];
  }

  #find(element: XmlElement, text: string, isValue: boolean): readonly XmlElement[] {
    const found = findAt(element, this.#path(text, isValue), this.#lookup, (constant) =>
      this.read.add(constant),
    );
    if (isValue) for (const value of found) this.read.add(value);
    return found;
  }

  #path(text: string, isValue = true): Path {
    const key = `${text} ${isValue}`;
    const path = this.#paths.get(key) ?? parsePath(text, ciiPrefix, isValue);
    this.#paths.set(key, path);
    return path;
  }
}

const NO_LOOKUP: Lookup = () => '';
