import type { Text } from '@codemirror/state';
import type { SyntaxNode, Tree } from '@lezer/common';
import { numberOf, numbersFrom } from './terms.ts';

/** Returns the name of a property in JSON; empty while it is not valid. */
export function nameOf(property: SyntaxNode, doc: Text): string {
  return stringIn(property.getChild('PropertyName'), doc);
}

function stringIn(node: SyntaxNode | null, doc: Text): string {
  if (!node) return '';
  try {
    return String(JSON.parse(doc.sliceString(node.from, node.to)));
  } catch {
    return '';
  }
}

/** Returns the nodes around a node, innermost first. */
function around(node: SyntaxNode): SyntaxNode[] {
  return node.parent ? [node.parent, ...around(node.parent)] : [];
}

/** Returns the names of the properties around a node, innermost first. */
export function namesAround(node: SyntaxNode, doc: Text): string[] {
  return around(node)
    .filter(({ name }) => name === 'Property')
    .map((property) => nameOf(property, doc));
}

/** Returns the innermost object that a node is in, or that it is. */
export function objectAround(node: SyntaxNode): SyntaxNode | undefined {
  return [node, ...around(node)].find(({ name }) => name === 'Object');
}

/** Returns the names of an object's properties. */
export function namesIn(object: SyntaxNode, doc: Text): string[] {
  return object.getChildren('Property').map((property) => nameOf(property, doc));
}

/** Returns the lists whose items a node belongs to, as the tags of Handlebars blocks. */
export function blocksAround(node: SyntaxNode, doc: Text): string {
  const items = around(node)
    .filter(({ name }) => name === 'Property')
    .filter((property) => nameOf(property, doc) === 'item');
  const lists = items.map(({ parent }) => {
    const each = parent?.getChildren('Property').find((property) => nameOf(property, doc) === 'each');
    return stringIn(each?.getChild('String') ?? null, doc);
  });
  return lists
    .toReversed()
    .map((list) => `{{#each ${list}}}`)
    .join('');
}

/** Returns the property that maps a term or, if none does, the property of the closest group around the term. */
export function propertyOfTerm(tree: Tree, text: string, title: string): SyntaxNode | undefined {
  const numbers = numbersFrom(title);
  let found: SyntaxNode | undefined;
  let rank = numbers.length;
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      if (name !== 'PropertyName') return;
      const at = numbers.indexOf(numberOf(text.slice(from + 1, to - 1)));
      if (at < 0 || at >= rank) return;
      found = node.parent ?? undefined;
      rank = at;
    },
  });
  return found;
}
