import { jsonLanguage } from '@codemirror/lang-json';
import type { Text } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';

/** A range of text, as offsets. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the rest of the line at a line and column, both from 1. Positions past the end refer to the end. */
export function rangeAt(doc: Text, line: number, column: number): TextRange {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const start = Math.min(from + Math.max(column - 1, 0), to);
  return { from: start, to };
}

/** A text with its syntax tree. */
export interface ParsedText {
  readonly text: string;
  readonly tree: Tree;
}

/** Parses a JSON text, valid or not. Takes half a second for 2 MB: editors keep a tree that they update. */
export function parsedJson(text: string): ParsedText {
  return { text, tree: jsonLanguage.parser.parse(text) };
}

/**
 * Returns the range of the value at a JSON Pointer such as `/fields/0/type` in a JSON text. If the value is missing,
 * returns the closest enclosing one.
 */
export function rangeOfPointer(parsed: ParsedText, pointer: string): TextRange {
  return firstLineOf(nodeAt(parsed, pointer), parsed.text);
}

/** Like `rangeOfPointer`; a property's range includes its name. */
export function rangeOfProperty(parsed: ParsedText, pointer: string): TextRange {
  const node = nodeAt(parsed, pointer);
  return firstLineOf(node?.parent?.name === 'Property' ? node.parent : node, parsed.text);
}

function nodeAt({ text: json, tree }: ParsedText, pointer: string): SyntaxNode | undefined {
  let node = tree.topNode.firstChild ?? undefined;
  for (const segment of segmentsOf(pointer)) {
    const next = node && childOf(node, segment, json);
    if (!next) break;
    node = next;
  }
  return node;
}

/** Returns the range of the first JSON syntax error; of the first line if the syntax is valid. */
export function rangeOfSyntaxError({ text: json, tree }: ParsedText): TextRange {
  let found: TextRange | undefined;
  tree.iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) found ??= { from, to };
      return found === undefined;
    },
  });
  return found ?? firstLineOf(undefined, json);
}

function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function childOf(node: SyntaxNode, segment: string, json: string): SyntaxNode | undefined {
  if (node.name === 'Array') return valuesIn(node)[Number(segment)];
  for (const property of node.name === 'Object' ? node.getChildren('Property') : []) {
    const name = property.firstChild;
    if (name && JSON.parse(json.slice(name.from, name.to)) === segment)
      return property.lastChild ?? undefined;
  }
  return undefined;
}

const PUNCTUATION = ['[', ']', ',', '⚠'];

function valuesIn(array: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (!PUNCTUATION.includes(child.name)) values.push(child);
  }
  return values;
}

/** A highlight over many lines would obscure its text. Undefined: the whole text. */
export function firstLineOf(range: TextRange | undefined, json: string): TextRange {
  const { from, to } = range ?? { from: 0, to: json.length };
  const end = json.indexOf('\n', from);
  return { from, to: end === -1 ? to : Math.min(to, end) };
}
