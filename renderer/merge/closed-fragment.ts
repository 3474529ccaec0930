import { randomUUID } from 'node:crypto';
import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { defaultTreeAdapter, html as HTML, Parser, type DefaultTreeAdapterMap } from 'parse5';

/** Elements in one another that a header or a footer may have. */
export const DEEPEST_ELEMENT = 100;

/** An attribute that no content has. */
const PROBE = `trifold-${randomUUID()}`;
/** An element that may begin wherever an element may, also in a table or a list of options. */
const PROBE_TAG = `<template ${PROBE}>`;

/** What ends a text in which no element can begin: a comment, a tag, elements of nothing but text. */
const ENDS = [
  '',
  '>',
  '-->',
  '">',
  "'>",
  ...['style', 'script', 'title', 'textarea', 'iframe', 'noembed', 'noframes', 'xmp'].map(
    (name) => `</${name}>`,
  ),
  '--></script>',
  ']]>',
];

/**
 * A piece of html with whatever it leaves open closed, so that what is put behind it is not within it. End tags may be
 * left out at the end of a document; a header or a footer is rarely there. Read as browsers read it (without script), in
 * time that is linear in its length: parse5 looks at each token once, and at no more than the open elements for it.
 * Throws MergeFailure `merge_failed` for elements that nest deeper than DEEPEST_ELEMENT. What nothing closes
 * (`plaintext`) is left as it is.
 */
export function closedFragment(html: string): string {
  for (const end of ENDS) {
    const open = openElements(html + end);
    if (!open) continue;
    const closed = html + end + open.map((name) => `</${name}>`).join('');
    if (open.length === 0 || openElements(closed)?.length === 0) return closed;
  }
  return html;
}

/**
 * Names of what is open behind the html, the innermost first: elements, then formatting that the next text would take
 * up again. Undefined when no element could begin there.
 */
function openElements(html: string): string[] | undefined {
  let open: string[] | undefined;
  const body = defaultTreeAdapter.createElement('body', HTML.NS.HTML, []);
  const treeAdapter = { ...WITHOUT_CHILDREN };
  const options = { treeAdapter, scriptingEnabled: false };
  const parser = Parser.getFragmentParser<DefaultTreeAdapterMap>(body, options);
  treeAdapter.createElement = (name, namespace, attributes) => {
    // Behind a tag without an end, the probe is a part of that tag.
    const isProbe = name === 'template' && attributes.length === 1 && attributes[0]?.name === PROBE;
    if (isProbe) open = openIn(parser);
    else if (parser.openElements.depth > DEEPEST_ELEMENT) throw tooDeep();
    return defaultTreeAdapter.createElement(name, namespace, attributes);
  };
  parser.tokenizer.write(html + PROBE_TAG, true);
  return open;
}

/** Nothing asks for the children of an element, and long lists of them are slow to change. */
const WITHOUT_CHILDREN: typeof defaultTreeAdapter = {
  ...defaultTreeAdapter,
  appendChild: (parent, child) => void (child.parentNode = parent),
  insertBefore: (parent, child) => void (child.parentNode = parent),
  detachNode: (node) => void (node.parentNode = null),
  insertText: () => undefined,
  insertTextBefore: () => undefined,
  adoptAttributes: () => undefined,
};

function openIn({ openElements: stack, activeFormattingElements }: Parser<DefaultTreeAdapterMap>): string[] {
  const { items } = stack;
  const open: string[] = [];
  // The lowest is the root of every fragment.
  for (let at = stack.stackTop; at > 0; at = stack.slotBelow(at)) {
    const element = items[at];
    if (element && 'tagName' in element) open.push(element.tagName);
  }
  for (let entry = activeFormattingElements.newest; entry; entry = entry.older) {
    if ('element' in entry && !stack.contains(entry.element)) open.push(entry.element.tagName);
  }
  return open;
}

function tooDeep(): MergeFailure {
  return new MergeFailure('merge_failed', `its elements nest deeper than ${DEEPEST_ELEMENT}`);
}
