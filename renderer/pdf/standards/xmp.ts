import type { ConformanceLevel, EInvoiceProfile } from '@trifold/crds';
import { embeddedInvoice } from '@trifold/platform/e-invoices/embedded-file.ts';
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
  fx: 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#',
} as const;

/** Characters that no XML document may contain (XML 1.0, 2.2). */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Replaces the characters that XML cannot contain. */
export function xmlText(text: string): string {
  return text.replaceAll(NOT_XML, '\ufffd');
}

/** Properties that repeat an info dictionary entry, with the kind of list (ISO 19005-1, table 1). */
const PROPERTIES = [
  ['dc:title', 'Title', 'Alt'],
  ['dc:creator', 'Author', 'Seq'],
  ['dc:description', 'Subject', 'Alt'],
  ['pdf:Keywords', 'Keywords', undefined],
  ['pdf:Producer', 'Producer', undefined],
  ['xmp:CreatorTool', 'Creator', undefined],
] as const;

/** A schema that PDF/A does not predefine, so the file must describe it (ISO 19005-2, 6.6.2.3.3). */
interface ExtensionSchema {
  readonly prefix: 'pdfuaid' | 'fx';
  readonly title: string;
  readonly properties: readonly (readonly [
    name: string,
    valueType: 'Integer' | 'Text',
    category: 'internal' | 'external',
    description: string,
  ])[];
}

const PDF_UA_SCHEMA: ExtensionSchema = {
  prefix: 'pdfuaid',
  title: 'PDF/UA identification schema',
  properties: [['part', 'Integer', 'internal', 'Part of ISO 14289']],
};

const FACTUR_X_SCHEMA: ExtensionSchema = {
  prefix: 'fx',
  title: 'Factur-X PDFA Extension Schema',
  properties: [
    ['DocumentFileName', 'Text', 'external', 'Name of the embedded XML file'],
    ['DocumentType', 'Text', 'external', 'Type of the document in the XML file'],
    ['Version', 'Text', 'external', 'Version of the standard of the XML file'],
    ['ConformanceLevel', 'Text', 'external', 'Profile of the XML file'],
  ],
};

function extensions(schemas: readonly ExtensionSchema[]): string[] {
  if (schemas.length === 0) return [];
  const items = schemas.map(({ prefix, title, properties }) => [
    element('pdfaSchema:schema', title),
    element('pdfaSchema:namespaceURI', NAMESPACES[prefix]),
    element('pdfaSchema:prefix', prefix),
    element('pdfaSchema:property', structures('Seq', properties.map(describedProperty))),
  ]);
  return [element('pdfaExtension:schemas', structures('Bag', items))];
}

function describedProperty([name, valueType, category, description]: ExtensionSchema['properties'][number]) {
  return [
    element('pdfaProperty:name', name),
    element('pdfaProperty:valueType', valueType),
    element('pdfaProperty:category', category),
    element('pdfaProperty:description', description),
  ];
}

/** Returns a list of structures with these fields. */
function structures(kind: 'Bag' | 'Seq', items: readonly (readonly string[])[]): string {
  const all = items.map((fields) => `<rdf:li rdf:parseType="Resource">${fields.join('')}</rdf:li>`);
  return `<rdf:${kind}>${all.join('')}</rdf:${kind}>`;
}

/** The properties that a file states about itself. */
interface FileStatement {
  readonly level: ConformanceLevel;
  readonly createdAt: Date;
  /** Profile of the e-invoice that the file contains. */
  readonly eInvoice?: EInvoiceProfile | undefined;
}

/**
 * Returns the XMP packet (ISO 16684-1) of a file, which states its level and repeats its info dictionary. The strings
 * must be XML text.
 */
export function xmpPacket(
  info: ReadonlyMap<string, string>,
  { level, createdAt, eInvoice }: FileStatement,
): string {
  const date = createdAt.toISOString().replace(/\.\d+/, '');
  const properties = PROPERTIES.flatMap(([name, entry, list]) => {
    const text = info.get(entry);
    return text === undefined ? [] : [element(name, listed(escaped(text), list))];
  });
  const elements = [
    ...identification(level, eInvoice),
    ...facturX(eInvoice),
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
function identification(level: ConformanceLevel, eInvoice: EInvoiceProfile | undefined): string[] {
  const { archive, accessible } = identificationOf(level);
  const schemas = [
    ...(archive && accessible ? [PDF_UA_SCHEMA] : []),
    ...(eInvoice === undefined ? [] : [FACTUR_X_SCHEMA]),
  ];
  return [
    ...extensions(schemas),
    ...(archive
      ? [element('pdfaid:part', String(archive.part)), element('pdfaid:conformance', archive.conformance)]
      : []),
    ...(accessible ? [element('pdfuaid:part', '1')] : []),
  ];
}

/** Describes the e-invoice that a file contains (Factur-X 1.0, 6.2.3). */
function facturX(profile: EInvoiceProfile | undefined): string[] {
  const embedded = profile && embeddedInvoice(profile);
  if (!embedded) return [];
  return [
    element('fx:DocumentType', 'INVOICE'),
    element('fx:DocumentFileName', embedded.filename),
    element('fx:Version', embedded.version),
    element('fx:ConformanceLevel', embedded.conformanceLevel),
  ];
}

function listed(content: string, kind: 'Alt' | 'Seq' | undefined): string {
  if (kind === undefined) return content;
  const language = kind === 'Alt' ? ' xml:lang="x-default"' : '';
  return `<rdf:${kind}><rdf:li${language}>${content}</rdf:li></rdf:${kind}>`;
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '\r': '&#13;' };

function escaped(text: string): string {
  return text.replaceAll(/[<>&\r]/g, (character) => ENTITIES[character] ?? character);
}
