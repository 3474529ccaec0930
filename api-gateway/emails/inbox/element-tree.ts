import { Element } from 'domhandler';
import { DomUtils } from 'htmlparser2';

/** The elements of plainly nested HTML, where parsers put them, without text. */
export class ElementTree {
  readonly html = new Element('html', {});
  readonly head = new Element('head', {});
  readonly body = new Element('body', {});
  /** Table bodies that parsers add around rows. */
  readonly impliedBodies = new Set<Element>();
  readonly open: Element[] = [];

  constructor() {
    DomUtils.appendChild(this.html, this.head);
    DomUtils.appendChild(this.html, this.body);
  }

  enter(name: string, attributes: Readonly<Record<string, string>>, isInHead: boolean): Element {
    const frame = [this.html, this.head, this.body].find((each) => each.name === name);
    const element = frame ?? new Element(name, {});
    // Selectors may refer to any name.
    element.attribs = Object.assign(Object.create(null), attributes, element.attribs);
    if (!frame) DomUtils.appendChild(this.#parentOf(name, isInHead), element);
    this.open.push(element);
    return element;
  }

  #parentOf(name: string, isInHead: boolean): Element {
    const around = this.open.at(-1) ?? this.html;
    if (around === this.html || around === this.head) return isInHead ? this.head : this.body;
    return name === 'tr' && around.name === 'table' ? this.#impliedBody(around) : around;
  }

  #impliedBody(table: Element): Element {
    const last = table.children.at(-1) as Element | undefined;
    if (last && this.impliedBodies.has(last)) return last;
    const body = new Element('tbody', {});
    DomUtils.appendChild(table, body);
    this.impliedBodies.add(body);
    return body;
  }
}
