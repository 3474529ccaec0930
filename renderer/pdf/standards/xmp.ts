import type { ConformanceLevel } from '@trifold/crds';
import { identificationOf } from './level.ts';

const NAMESPACES = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
} as const;

/** Characters that no XML document may contain (XML 1.0, 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Replaces the characters that XML cannot contain. */
export function xmlText(text: string): string {
  return text.replaceAll(NOT_XML, '\ufffd');
}

/** Properties that repeat an entry of the info dictionary, with the kind of their list (ISO 19005-1, table 1). */
const PROPERTIES = [
  ['dc:title', 'Title', 'Alt'],
  ['dc:creator', 'Author', 'Seq'],
  ['dc:description', 'Subject', 'Alt'],
  ['pdf:Keywords', 'Keywords', undefined],
  ['pdf:Producer', 'Producer', undefined],
  ['xmp:CreatorTool', 'Creator', undefined],
] as const;

/**
 * Returns the XMP packet (ISO 16684-1) of a file, which states its level and repeats its info dictionary. All of its
 * properties are in schemas that PDF/A predefines, so it needs no extension schema. The strings must be XML text.
 */
export function xmpPacket(
  info: ReadonlyMap<string, string>,
  level: ConformanceLevel,
  createdAt: Date,
): string {
  const { part, conformance } = identificationOf(level);
  const date = createdAt.toISOString().replace(/\.\d+/, '');
  const properties = PROPERTIES.flatMap(([name, entry, list]) => {
    const text = info.get(entry);
    return text === undefined ? [] : [element(name, listed(escaped(text), list))];
  });
  const elements = [
    element('pdfaid:part', String(part)),
    element('pdfaid:conformance', conformance),
    element('dc:format', 'application/pdf'),
    ...properties,
    element('xmp:CreateDate', date),
    element('xmp:ModifyDate', date),
  ];
  const { rdf, ...others } = NAMESPACES;
  const prefixes = Object.entries(others).map(([name, uri]) => ` xmlns:${name}="${uri}"`);
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}">
<rdf:Description rdf:about=""${prefixes.join('')}>
${elements.join('\n')}
</rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

function listed(content: string, kind: 'Alt' | 'Seq' | undefined): string {
  if (kind === undefined) return content;
  return `<rdf:${kind}><rdf:li${kind === 'Alt' ? ' xml:lang="x-default"' : ''}>${content}</rdf:li></rdf:${kind}>`;
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '\r': '&#13;' };

function escaped(text: string): string {
  return text.replaceAll(/[<>&\r]/g, (character) => ENTITIES[character] ?? character);
}
