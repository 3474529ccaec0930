import { DomUtils, parseDocument } from 'htmlparser2';

type Parsed = ReturnType<typeof parseDocument>;
type Found = ReturnType<typeof DomUtils.getElementsByTagName>[number];
/** A part of an S3 response. */
export type XmlNode = Parsed | Found;

/** Returns the elements with this name, at any depth. */
export function elements(node: XmlNode, name: string): Found[] {
  return DomUtils.getElementsByTagName(name, node);
}

/** Returns the text of the first element with this name. */
export function firstText(node: XmlNode, name: string): string | undefined {
  const [found] = DomUtils.getElementsByTagName(name, node, true, 1);
  return found && DomUtils.textContent(found);
}

/** Parses the part of a response that is XML. */
export function parseXml(xml: string): XmlNode {
  return parseDocument(xml, { xmlMode: true });
}

/**
 * Parses a document with this root element. Returns undefined for any other document, such as a proxy's page, and for a
 * truncated one.
 */
export function parseWhole(xml: string, root: string): XmlNode | undefined {
  const { children } = parseDocument(xml, { xmlMode: true });
  const [found] = DomUtils.getElementsByTagName(() => true, children, false);
  if (found?.name !== root) return undefined;
  const end = xml.trimEnd();
  const isWhole = end.endsWith(`</${root}>`) || (found.children.length === 0 && end.endsWith('/>'));
  return isWhole ? found : undefined;
}
