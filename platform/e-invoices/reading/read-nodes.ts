import type { PathVisitor } from '../xml/xml-path.ts';
import type { XmlElement } from '../xml/xml-element.ts';

/** Elements and attributes that the paths of the table lead to, and elements that do not match their path. */
export class ReadNodes implements PathVisitor {
  /** Elements that lack the constant which their path requires. */
  readonly withoutConstant = new Set<XmlElement>();
  /** Elements that occur more often than their path allows. */
  readonly tooMany = new Set<XmlElement>();
  readonly #elements = new Set<XmlElement>();
  readonly #texts = new Set<XmlElement>();
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

  constant(element: XmlElement, attribute: string | undefined): void {
    this.value(element, attribute);
  }

  /** Records that the attribute, or the text, has been read. */
  value(element: XmlElement, attribute: string | undefined): void {
    if (attribute === undefined) {
      this.#texts.add(element);
      return;
    }
    const attributes = this.#attributes.get(element) ?? new Set();
    this.#attributes.set(element, attributes.add(attribute));
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
