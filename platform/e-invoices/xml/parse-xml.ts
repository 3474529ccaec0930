import sax from 'sax';
import { E_INVOICE_XML_BYTES, E_INVOICE_XML_DEPTH, E_INVOICE_XML_ELEMENTS } from '../e-invoice-limits.ts';
import { appendChild, xmlElement, type XmlElement } from './xml-element.ts';

/** Characters that no XML document may contain (XML 1.0, 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** XML that is not well-formed, or that we do not accept. The message contains no data. */
export class XmlError extends Error {}

/**
 * Parses a document in one scan. Names get our prefixes: `namespaces` maps namespace URIs to prefixes.
 * Document types, and thus entities, are not allowed. Throws XmlError.
 */
export function parseXml(xml: string, namespaces: ReadonlyMap<string, string>): XmlElement {
  if (Buffer.byteLength(xml) > E_INVOICE_XML_BYTES) {
    throw new XmlError(`The XML is larger than ${E_INVOICE_XML_BYTES / 1024 / 1024} MiB.`);
  }
  // The parser does not notice these in comments and attributes.
  if (!xml.isWellFormed() || NOT_XML.test(xml)) throw new XmlError('The XML contains a control character.');
  return new Parsing(namespaces).parse(xml.replace(/^\uFEFF/, ''));
}

/** The parser takes quadratic time for the attributes of one tag, so the length of a tag is checked after each portion. */
const PORTION = 1024;
const MAX_TAG = 4096;

class Parsing {
  readonly #namespaces: ReadonlyMap<string, string>;
  readonly #parser = sax.parser(true, { xmlns: true, trim: false, position: true });
  #root: XmlElement | undefined;
  #current: XmlElement | undefined;
  #tagStart: number | undefined;
  #depth = 0;
  #elements = 0;

  constructor(namespaces: ReadonlyMap<string, string>) {
    this.#namespaces = namespaces;
    Object.assign(this.#parser, {
      onopentagstart: () => {
        this.#tagStart = this.#parser.position;
      },
      onopentag: (tag) => this.#open(tag as sax.QualifiedTag),
      onclosetag: () => this.#close(),
      ontext: (text) => this.#addText(text),
      oncdata: (text) => this.#addText(text),
      ondoctype: () => this.#fail('a document type is not allowed'),
      onprocessinginstruction: ({ name, body }) => this.#checkDeclaration(name, body),
      // The parser's message quotes the XML.
      onerror: () => this.#fail('the XML is not well-formed'),
    } satisfies Partial<sax.SAXParser>);
  }

  parse(xml: string): XmlElement {
    for (let from = 0; from < xml.length; from += PORTION) {
      this.#parser.write(xml.slice(from, from + PORTION));
      const length = this.#tagStart === undefined ? 0 : this.#parser.position - this.#tagStart;
      if (length > MAX_TAG) this.#fail('a tag is too long');
    }
    this.#parser.close();
    return this.#root ?? this.#fail('the XML has no element');
  }

  #open({ uri, local, attributes }: sax.QualifiedTag): void {
    this.#tagStart = undefined;
    this.#depth += 1;
    this.#elements += 1;
    if (this.#depth > E_INVOICE_XML_DEPTH) this.#fail(`more than ${E_INVOICE_XML_DEPTH} levels of elements`);
    if (this.#elements > E_INVOICE_XML_ELEMENTS) this.#fail(`more than ${E_INVOICE_XML_ELEMENTS} elements`);
    if (this.#root && !this.#current) this.#fail('the XML is not well-formed');
    const name = `${this.#namespaces.get(uri) ?? '?'}:${local}`;
    const element = this.#current ? appendChild(this.#current, name) : xmlElement(name);
    for (const attribute of Object.values(attributes)) {
      if (attribute.prefix === '') element.attributes.set(attribute.local, attribute.value);
    }
    this.#root ??= element;
    this.#current = element;
  }

  #close(): void {
    this.#depth -= 1;
    const closed = this.#current;
    if (closed) closed.text = closed.text.trim();
    this.#current = closed?.parent;
  }

  #addText(text: string): void {
    if (this.#current) this.#current.text += text;
  }

  /** The bytes that we embed are UTF-8. */
  #checkDeclaration(name: string, body: string): void {
    const encoding = /\bencoding\s{0,9}=\s{0,9}["']([\w.-]{1,40})["']/.exec(body.slice(0, 200))?.[1];
    if (name === 'xml' && encoding !== undefined && encoding.toUpperCase() !== 'UTF-8') {
      this.#fail('the encoding must be UTF-8');
    }
  }

  #fail(reason: string): never {
    throw new XmlError(`Line ${this.#parser.line + 1}: ${reason}.`);
  }
}
