import { SaxesParser, type SaxesTagNS, type XMLDecl } from 'saxes';
import {
  E_INVOICE_XML_BYTES,
  E_INVOICE_XML_DEPTH,
  E_INVOICE_XML_ELEMENTS,
  E_INVOICE_XML_TOO_LARGE,
} from '../e-invoice-limits.ts';
import { appendChild, trimXml, xmlElement, type XmlElement } from './xml-element.ts';

/** XML that is not well-formed, or that we do not accept. The message contains no data. */
export class XmlError extends Error {}

const NAMESPACES = 'http://www.w3.org/2000/xmlns/';
/** Locations of schemas, which no reader needs. */
const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/**
 * Parses a document in one scan. Names get our prefixes: `namespaces` maps namespace URIs to prefixes. Document types,
 * and thus entities, are not allowed. Comments and processing instructions are ignored. Throws XmlError.
 */
export function parseXml(xml: string, namespaces: ReadonlyMap<string, string>): XmlElement {
  if (Buffer.byteLength(xml) > E_INVOICE_XML_BYTES) throw new XmlError(E_INVOICE_XML_TOO_LARGE);
  return new Parsing(namespaces).parse(xml);
}

class Parsing {
  readonly #namespaces: ReadonlyMap<string, string>;
  readonly #parser = new SaxesParser({ xmlns: true });
  #root: XmlElement | undefined;
  #current: XmlElement | undefined;
  #depth = 0;
  #elements = 0;

  constructor(namespaces: ReadonlyMap<string, string>) {
    this.#namespaces = namespaces;
    const parser = this.#parser;
    // Runs before the parser stores the attributes.
    parser.on('opentagstart', () => this.#count());
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('doctype', () => this.#fail('a document type (DOCTYPE) is not allowed'));
    parser.on('xmldecl', (declaration) => this.#checkDeclaration(declaration));
    // The parser's message quotes the XML.
    parser.on('error', () => this.#fail('the XML is not well-formed'));
  }

  parse(xml: string): XmlElement {
    this.#parser.write(xml).close();
    return this.#root ?? this.#fail('the XML has no element');
  }

  #count(): void {
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > E_INVOICE_XML_DEPTH) this.#fail(`more than ${E_INVOICE_XML_DEPTH} levels of elements`);
    if (this.#elements > E_INVOICE_XML_ELEMENTS) this.#fail(`more than ${E_INVOICE_XML_ELEMENTS} elements`);
  }

  #open({ uri, local, attributes }: SaxesTagNS): void {
    const name = `${this.#namespaces.get(uri) ?? '?'}:${local}`;
    const element = this.#current ? appendChild(this.#current, name) : xmlElement(name);
    for (const attribute of Object.values(attributes)) {
      if (attribute.uri === NAMESPACES) continue;
      if (attribute.uri === SCHEMA_INSTANCE && attribute.local === 'schemaLocation') continue;
      element.attributes.set(attribute.name, attribute.value);
    }
    this.#root ??= element;
    this.#current = element;
  }

  #close(): void {
    this.#depth -= 1;
    const closed = this.#current;
    if (closed && trimXml(closed.text) === '') closed.text = '';
    this.#current = closed?.parent;
  }

  #addText(text: string): void {
    if (this.#current) this.#current.text += text;
  }

  /** The bytes that we embed are UTF-8. */
  #checkDeclaration({ version, encoding = 'UTF-8' }: XMLDecl): void {
    if (version !== '1.0') this.#fail('the XML version must be 1.0');
    if (encoding.toUpperCase() !== 'UTF-8') this.#fail('the encoding must be UTF-8');
  }

  #fail(reason: string): never {
    throw new XmlError(`Line ${this.#parser.line}: ${reason}.`);
  }
}
