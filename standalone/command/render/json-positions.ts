import { positionOf } from '@trifold/platform/templating/syntax/template-bounds.ts';
import { isNode, parseDocument, type Document } from 'yaml';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Positions of the values in valid JSON, which is also YAML; `JSON.parse` does not keep them. */
export class JsonPositions {
  readonly #text: string;
  readonly #document: Document;

  constructor(text: string) {
    this.#text = text;
    this.#document = parseDocument(text, { uniqueKeys: false });
  }

  /** Returns the position of the value at a JSON Pointer; for an absent field, the position of its object. */
  at(pointer: string): Position | undefined {
    const names = pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    for (; ; names.pop()) {
      const node = this.#document.getIn(names, true);
      if (isNode(node) && node.range) return positionOf(this.#text, node.range[0]);
      if (names.length === 0) return undefined;
    }
  }
}
