import type { PathVisitor } from '../xml/xml-path.ts';
import { trimXml, type XmlElement } from '../xml/xml-element.ts';

/** Elements and attributes that the table's paths lead to, and elements that do not match their path. */
export class ReadNodes implements PathVisitor {
  /** Elements that lack the constant that their path requires. */
  readonly withoutConstant = new Set<XmlElement>();
  /** Elements that occur more often than their path allows. */
  readonly tooMany = new Set<XmlElement>();
  readonly #elements = new Set<XmlElement>();
  readonly #texts = new Set<XmlElement>();
  readonly #filled = new Set<XmlElement>();
  readonly #constants = new Set<XmlElement>();
  readonly #attributes = new Map<XmlElement, Set<string>>();

  element(element: XmlElement): void {
    this.#elements.add(element);
  }

  different(element: XmlElement): void {
    this.withoutConstant.add(element);
  }

  repeated(element: XmlElement): void {
    this.tooMany.add(element);
  }

  constant(owner: XmlElement, element: XmlElement, attribute: string | undefined): void {
    this.#read(element, attribute);
    for (let at: XmlElement | undefined = element; at && at !== owner; at = at.parent) {
      this.#constants.add(at);
    }
  }

  /** Records that the attribute, or the text, has been read. Empty attributes are reported: no rule checks them. */
  read(element: XmlElement, attribute: string | undefined): void {
    const isEmpty = attribute !== undefined && trimXml(element.attributes.get(attribute) ?? '') === '';
    if (!isEmpty) this.#read(element, attribute);
  }

  #read(element: XmlElement, attribute: string | undefined): void {
    if (attribute === undefined) {
      this.#texts.add(element);
      return;
    }
    const attributes = this.#attributes.get(element) ?? new Set();
    this.#attributes.set(element, attributes.add(attribute));
  }

  /** Records that an element, and so each element around it, contains a value of the invoice. */
  fill(element: XmlElement): void {
    for (let at: XmlElement | undefined = element; at && !this.#filled.has(at); at = at.parent) {
      this.#filled.add(at);
    }
  }

  /** Whether an element contains a value, or is part of a constant. */
  isFilled(element: XmlElement): boolean {
    return this.#filled.has(element) || this.#constants.has(element);
  }

  hasElement(element: XmlElement): boolean {
    return this.#elements.has(element);
  }

  hasText(element: XmlElement): boolean {
    return this.#texts.has(element);
  }

  hasAttribute(element: XmlElement, attribute: string): boolean {
    return this.#attributes.get(element)?.has(attribute) === true;
  }
}
