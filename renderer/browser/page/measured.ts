import { MAX_LITERAL } from '@trifold/crds/limits.ts';
import type { CDPSession } from 'puppeteer-core';

/**
 * Reads DOM properties from their prototypes, because form controls, and a document's named images or forms, shadow
 * properties of the same name, even in isolated worlds.
 */
const DOM = `
const getter = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (node) => Reflect.apply(get, node, []);
};
const method = (prototype, name) => (node, ...args) => Reflect.apply(prototype[name], node, args);
const [localName, id, classList, outerHTML] =
  ['localName', 'id', 'classList', 'outerHTML'].map((name) => getter(Element.prototype, name));
const [clientWidth, clientHeight, scrollWidth, scrollHeight] =
  ['clientWidth', 'clientHeight', 'scrollWidth', 'scrollHeight'].map((name) => getter(Element.prototype, name));
const [getAttribute, setAttribute, closest, getBoundingClientRect, checkVisibility] =
  ['getAttribute', 'setAttribute', 'closest', 'getBoundingClientRect', 'checkVisibility'].map((name) => method(Element.prototype, name));
const [parentElement, firstChild, nextSibling] =
  ['parentElement', 'firstChild', 'nextSibling'].map((name) => getter(Node.prototype, name));
const cloneNode = method(Node.prototype, 'cloneNode');
const root = getter(Document.prototype, 'documentElement')(document);
const baseUri = getter(Node.prototype, 'baseURI')(document);
const elementsIn = method(Element.prototype, 'querySelectorAll');
const fonts = getter(Document.prototype, 'fonts')(document);
const scrollingElement = getter(Document.prototype, 'scrollingElement')(document);
const [createRange, createTreeWalker, querySelectorAll] =
  ['createRange', 'createTreeWalker', 'querySelectorAll'].map((name) => method(Document.prototype, name).bind(undefined, document));
const named = (element) => {
  const tag = outerHTML(cloneNode(element, false));
  const names = [localName(element), ...(id(element) ? ['#' + id(element)] : []), ...[...classList(element)].map((each) => '.' + each)];
  return { name: names.join('').slice(0, 256), tag: tag.slice(0, Math.min(tag.indexOf('>') + 1, ${MAX_LITERAL})) };
};
`;

/** Isolated worlds by page. A world is kept until its page navigates; `Page.setDocumentContent` does not navigate. */
const worlds = new WeakMap<CDPSession, Promise<number>>();

async function worldOf(session: CDPSession, frameId: string): Promise<number> {
  const known = worlds.get(session);
  if (known) return known;
  session.once('Page.frameNavigated', () => worlds.delete(session));
  const created = session
    .send('Page.createIsolatedWorld', { frameId, worldName: 'measurement' })
    .then(({ executionContextId }) => executionContextId);
  worlds.set(session, created);
  created.catch(() => worlds.delete(session));
  return created;
}

/**
 * Evaluates an expression in an isolated world and returns its JSON value; undefined if it throws. The expression uses
 * the functions in DOM instead of node properties.
 */
export async function measured<T>(
  session: CDPSession,
  frameId: string,
  expression: string,
): Promise<T | undefined> {
  const contextId = await worldOf(session, frameId);
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `(() => {${DOM} return ${expression}; })()`,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  return exceptionDetails === undefined ? (result.value as T) : undefined;
}
