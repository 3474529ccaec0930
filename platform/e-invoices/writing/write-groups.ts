import {
  groupsOf,
  valueOf,
  valuesOf,
  type Invoice,
  type InvoiceGroup,
  type InvoiceValue,
} from '../invoice.ts';
import type { EInvoiceSyntax } from '../e-invoice-spec.ts';
import type { Group, Term } from '../terms/term.ts';
import { INVOICE } from '../terms/terms.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { createAt, parsePath, setAt, type Lookup, type Path, type Prefix } from '../xml/xml-path.ts';

/** How a syntax writes values. */
export interface SyntaxWriter {
  readonly syntax: EInvoiceSyntax;
  readonly prefix: Prefix;
  /** Returns the path if it differs from the path in the table. */
  readonly otherPath?: (declared: Term | Group, value?: InvoiceValue) => string | undefined;
  /** Returns a value's text. */
  readonly text: (term: Term, value: string) => string;
  /** Completes a value's element. */
  readonly complete?: (element: XmlElement, term: Term, lookup: Lookup) => void;
}

/** Writes every term of an invoice into its root element, with the children in any order. */
export function writeGroups(root: XmlElement, invoice: Invoice, writer: SyntaxWriter): void {
  new GroupWriter(invoice, writer).write(root, invoice, INVOICE);
}

class GroupWriter {
  readonly #writer: SyntaxWriter;
  readonly #lookup: Lookup;
  readonly #paths = new Map<string, Path>();

  constructor(invoice: Invoice, writer: SyntaxWriter) {
    this.#writer = writer;
    this.#lookup = (id) => valueOf(invoice, id as 'BT-5')?.value ?? '';
  }

  write(element: XmlElement, group: InvoiceGroup, declared: Group): void {
    const [late, early] = partition(declared.terms, (term) => this.#pathText(term).includes('+'));
    for (const term of early) this.#writeTerm(element, group, term);
    for (const child of declared.groups) {
      const path = this.#path(this.#pathText(child), false);
      for (const entry of groupsOf(group, child.id)) {
        for (const found of createAt(element, path, this.#lookup)) this.write(found, entry, child);
      }
    }
    // These are written into elements of the groups.
    for (const term of late) this.#writeTerm(element, group, term);
  }

  #writeTerm(element: XmlElement, group: InvoiceGroup, term: Term): void {
    for (const value of valuesOf(group, term.id)) this.#writeValue(element, term, value);
  }

  #writeValue(element: XmlElement, term: Term, value: InvoiceValue): void {
    const { syntax, text, complete } = this.#writer;
    const path = this.#path(this.#pathText(term, value));
    for (const written of setAt(element, path, text(term, value.value), this.#lookup)) {
      complete?.(written, term, this.#lookup);
      const { scheme } = term;
      if (scheme === undefined || value.scheme === undefined) continue;
      setAt(written, this.#path(scheme[syntax]), value.scheme, this.#lookup);
      if (value.version !== undefined) written.attributes.set('listVersionID', value.version);
    }
  }

  #pathText(declared: Term | Group, value?: InvoiceValue): string {
    const { syntax, otherPath } = this.#writer;
    return otherPath?.(declared, value) ?? declared[syntax];
  }

  #path(text: string, isValue = true): Path {
    const key = `${text} ${isValue}`;
    const path = this.#paths.get(key) ?? parsePath(text, this.#writer.prefix, isValue);
    this.#paths.set(key, path);
    return path;
  }
}

function partition<T>(list: readonly T[], isFirst: (entry: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((entry) => !isFirst(entry))];
}
