import { readZip } from '@trifold/test-support/files/zip.ts';
import { Parser } from 'htmlparser2';

/** An element of an XML part in a DOCX file. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** An open DOCX file. Throws for an incomplete file, or one whose XML is not well-formed. */
export class DocxFile {
  readonly parts = new Map<string, Buffer>();

  constructor(file: Buffer) {
    for (const { name, bytes } of readZip(file)) this.parts.set(name, bytes);
    for (const name of this.parts.keys()) if (/\.(?:xml|rels)$/.test(name)) this.xml(name);
  }

  /** Parses a part. */
  xml(name: string): XmlElement {
    const part = this.parts.get(name);
    if (!part) throw new Error(`there is no ${name}`);
    return parse(part.toString());
  }

  /** Returns all elements with the given name in a part, at any depth. */
  all(part: string, name: string): XmlElement[] {
    return descendants(this.xml(part)).filter((element) => element.name === name);
  }

  paragraphs(part = 'word/document.xml'): string[] {
    return this.all(part, 'w:p').map(textOf);
  }
}

export function descendants(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => [child, ...descendants(child)]);
}

/** Returns the displayed text of an element. */
export function textOf(element: XmlElement): string {
  return descendants(element)
    .map(({ name, text }) => ({ 'w:t': text, 'w:br': '\n', 'w:tab': '\t' })[name] ?? '')
    .join('');
}

function parse(text: string): XmlElement {
  // oxlint-disable-next-line no-control-regex -- these are what XML 1.0 forbids
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text))
    throw new Error('a character that XML cannot have');
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, children: [], text: '' };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext(more) {
        const element = open.at(-1);
        if (element) element.text += more;
      },
      onclosetag(name, implied) {
        if (implied && open.length > 0 && !text.includes(`<${name}`))
          throw new Error(`${name} is not closed`);
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  if (open.length !== 1) throw new Error('elements are left open');
  return root;
}
