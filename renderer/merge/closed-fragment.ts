import { randomUUID } from 'node:crypto';
import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { defaultTreeAdapter, html as HTML, Parser, type DefaultTreeAdapterMap } from 'parse5';

/** Maximum nesting depth of elements in a header or a footer. */
export const DEEPEST_ELEMENT = 100;

/** An attribute that no content contains. */
const PROBE = `trifold-${randomUUID()}`;
/** An element that is allowed wherever an element may start, including in a table or a list of options. */
const PROBE_TAG = `<template ${PROBE}>`;

/** Endings for contexts in which no element can start: a comment, a tag, a text-only element. */
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
 * Returns a piece of HTML with all open elements closed, so that content after it is not nested in it. End tags may be
 * omitted at the end of a document, but a header or footer is rarely placed there. Parses as browsers do (without
 * script) and in linear time: parse5 reads each token once and compares it with at most the open elements. Throws
 * MergeFailure `merge_failed` for elements that nest deeper than DEEPEST_ELEMENT. Elements that nothing closes
 * (`plaintext`) are left unchanged.
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
 * Names of the elements open at the end of the HTML, innermost first: elements, then formatting that the next text
 * would resume. Undefined when no element could start there.
 */
function openElements(html: string): string[] | undefined {
  let open: string[] | undefined;
  const body = defaultTreeAdapter.createElement('body', HTML.NS.HTML, []);
  const treeAdapter = { ...WITHOUT_CHILDREN };
  const options = { treeAdapter, scriptingEnabled: false };
  const parser = Parser.getFragmentParser<DefaultTreeAdapterMap>(body, options);
  treeAdapter.createElement = (name, namespace, attributes) => {
    // After an incomplete tag, the probe becomes part of that tag.
    const isProbe = name === 'template' && attributes.length === 1 && attributes[0]?.name === PROBE;
    if (isProbe) open = openIn(parser);
    else if (parser.openElements.depth > DEEPEST_ELEMENT) throw tooDeep();
    return defaultTreeAdapter.createElement(name, namespace, attributes);
  };
  parser.tokenizer.write(html + PROBE_TAG, true);
  return open;
}

/** For parsers whose tree is not used: long child lists are slow to change. */
export const WITHOUT_CHILDREN: typeof defaultTreeAdapter = {
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
  // The bottom of the stack is the root of every fragment.
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
  return new MergeFailure('merge_failed', `its elements are nested deeper than ${DEEPEST_ELEMENT} levels`);
}
