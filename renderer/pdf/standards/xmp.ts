import type { ConformanceLevel } from '@trifold/crds';
import { identificationOf } from './level.ts';

const NAMESPACES = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  pdfaid: 'http://www.aiim.org/pdfa/ns/id/',
  pdfuaid: 'http://www.aiim.org/pdfua/ns/id/',
  pdfaExtension: 'http://www.aiim.org/pdfa/ns/extension/',
  pdfaSchema: 'http://www.aiim.org/pdfa/ns/schema#',
  pdfaProperty: 'http://www.aiim.org/pdfa/ns/property#',
  xmp: 'http://ns.adobe.com/xap/1.0/',
} as const;

/** Attribute of a list item that is a structure. */
const RESOURCE = ' rdf:parseType="Resource"';

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
 * Describes the schema of the PDF/UA identification, which PDF/A does not predefine (ISO 19005-2, 6.6.2.3.3). It is the
 * only such schema: all other properties are in schemas that PDF/A predefines.
 */
const EXTENSION_SCHEMA = element(
  'pdfaExtension:schemas',
  listed(
    [
      element('pdfaSchema:schema', 'PDF/UA identification schema'),
      element('pdfaSchema:namespaceURI', NAMESPACES.pdfuaid),
      element('pdfaSchema:prefix', 'pdfuaid'),
      element(
        'pdfaSchema:property',
        listed(
          [
            element('pdfaProperty:name', 'part'),
            element('pdfaProperty:valueType', 'Integer'),
            element('pdfaProperty:category', 'internal'),
            element('pdfaProperty:description', 'Part of ISO 14289'),
          ].join(''),
          'Seq',
          RESOURCE,
        ),
      ),
    ].join(''),
    'Bag',
    RESOURCE,
  ),
);

/**
 * Returns the XMP packet (ISO 16684-1) of a file, which states its level and repeats its info dictionary. The strings
 * must be XML text.
 */
export function xmpPacket(
  info: ReadonlyMap<string, string>,
  level: ConformanceLevel,
  createdAt: Date,
): string {
  const date = createdAt.toISOString().replace(/\.\d+/, '');
  const properties = PROPERTIES.flatMap(([name, entry, list]) => {
    const text = info.get(entry);
    return text === undefined ? [] : [element(name, listed(escaped(text), list))];
  });
  const elements = [
    ...identification(level),
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

/** Returns what a file of this level states about itself. */
function identification(level: ConformanceLevel): string[] {
  const { archive, accessible } = identificationOf(level);
  return [
    ...(archive && accessible ? [EXTENSION_SCHEMA] : []),
    ...(archive
      ? [element('pdfaid:part', String(archive.part)), element('pdfaid:conformance', archive.conformance)]
      : []),
    ...(accessible ? [element('pdfuaid:part', '1')] : []),
  ];
}

function listed(content: string, kind: 'Alt' | 'Bag' | 'Seq' | undefined, attribute = ''): string {
  if (kind === undefined) return content;
  const language = kind === 'Alt' ? ' xml:lang="x-default"' : attribute;
  return `<rdf:${kind}><rdf:li${language}>${content}</rdf:li></rdf:${kind}>`;
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '\r': '&#13;' };

function escaped(text: string): string {
  return text.replaceAll(/[<>&\r]/g, (character) => ENTITIES[character] ?? character);
}
