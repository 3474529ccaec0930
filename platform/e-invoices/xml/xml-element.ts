/** An element with text or children, not both. Attributes are in the order in which they were set. */
export interface XmlElement {
  /** With its prefix, such as `ram:ID`. */
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  readonly parent: XmlElement | undefined;
  text: string;
}

export function xmlElement(name: string, parent?: XmlElement): XmlElement {
  return { name, attributes: new Map(), children: [], parent, text: '' };
}

export function appendChild(parent: XmlElement, name: string): XmlElement {
  const child = xmlElement(name, parent);
  parent.children.push(child);
  return child;
}

const WHITE_SPACE = ' \t\n\r';

/** Removes XML white space from both ends. Other spaces, such as U+00A0, are part of the value. */
export function trimXml(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && WHITE_SPACE.includes(text.charAt(start))) start += 1;
  while (end > start && WHITE_SPACE.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Serializes a document with one element per line. */
export function toXml(root: XmlElement): string {
  const parts = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, '', parts);
  return parts.join('');
}

function write(element: XmlElement, indent: string, parts: string[]): void {
  const { name, attributes, children, text } = element;
  parts.push(indent, '<', name);
  for (const [key, value] of attributes) parts.push(' ', key, '="', escaped(value), '"');
  if (children.length === 0) {
    parts.push('>', escaped(text), '</', name, '>\n');
    return;
  }
  parts.push('>\n');
  for (const child of children) write(child, `${indent}  `, parts);
  parts.push(indent, '</', name, '>\n');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would turn these into other white space.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"\r\n\t]/g, (character) => ESCAPES[character] ?? '');
}
