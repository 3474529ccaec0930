import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import type { DataShape } from '../code/data-shape.ts';
import { scopeAtEnd } from '../code/template-scope.ts';
import { blocksAround, nameOf } from './mapping-tree.ts';

/** Deeper lists are not completed. */
const MAX_DEPTH = 4;

/** Completes the path of a list in the data, in `"each": "…"`. */
export function completeList({ state, pos }: CompletionContext, root: DataShape): CompletionResult | null {
  const node = syntaxTree(state).resolveInner(pos, -1);
  if (
    node.name !== 'String' ||
    node.parent?.name !== 'Property' ||
    nameOf(node.parent, state.doc) !== 'each'
  ) {
    return null;
  }
  const { context } = scopeAtEnd(blocksAround(node, state.doc), root);
  return { from: node.from + 1, options: listsIn(context), validFor: /^[\w.$-]*$/ };
}

function listsIn({ members }: DataShape, path = '', depth = 1): Completion[] {
  return Array.from(members).flatMap(([name, shape]) => {
    if (shape.item || shape.type === 'array') return [optionOf(path + name, shape)];
    return depth < MAX_DEPTH ? listsIn(shape, `${path}${name}.`, depth + 1) : [];
  });
}

function optionOf(label: string, { description }: DataShape): Completion {
  return {
    label,
    type: 'property',
    detail: 'array',
    ...(description !== undefined && { info: description }),
  };
}
