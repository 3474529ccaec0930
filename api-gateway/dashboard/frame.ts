import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/**
 * Shows HTML that its parent sends. A parsed document does not run scripts when it is adopted. The elements removed
 * here could make the frame navigate or send requests that no policy covers, such as a refresh or a preconnect. Frames
 * could contain links that this page does not see, and animations could change links. Links within the document work;
 * all others do nothing. Properties are read from prototypes, because elements in the HTML can shadow them by name.
 */
const SCRIPT = `'use strict';
const REMOVED = 'script, link, base, meta[http-equiv], iframe, frame, object, embed, animate, animateMotion, animateTransform, set';
const PICTURES = ['image', 'feImage'];
const getter = (prototype, name) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return (node) => Reflect.apply(get, node, []);
};
const documentElement = getter(Document.prototype, 'documentElement');
const localName = getter(Element.prototype, 'localName');
const attributes = getter(Element.prototype, 'attributes');
const { adoptNode } = Document.prototype;
const { replaceChild } = Node.prototype;
const { removeAttribute, closest } = Element.prototype;
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'string') return;
  const shown = documentElement(new DOMParser().parseFromString(data, 'text/html'));
  for (const element of shown.querySelectorAll(REMOVED)) element.remove();
  for (const element of shown.querySelectorAll('[ping], [target]')) {
    removeAttribute.call(element, 'ping');
    removeAttribute.call(element, 'target');
  }
  // In every namespace, for xlink:href.
  for (const element of shown.querySelectorAll('[*|href]')) {
    for (const attribute of attributes(element)) {
      const isShown = PICTURES.includes(localName(element)) && /^data:/i.test(attribute.value);
      if (attribute.localName === 'href' && !isShown && !attribute.value.startsWith('#')) attribute.value = '#';
    }
  }
  const { scrollX, scrollY } = window;
  replaceChild.call(document, adoptNode.call(document, shown), documentElement(document));
  scrollTo(scrollX, scrollY);
});
const cancelLink = (event) => {
  const link = closest.call(event.target, 'a, area');
  if (!link) return;
  const hrefs = ['href', 'xlink:href'].map((name) => link.getAttribute(name));
  if (event.type === 'auxclick' || hrefs.includes('#')) event.preventDefault();
};
addEventListener('click', cancelLink, true);
addEventListener('auxclick', cancelLink, true);
`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Preview</title><script>${SCRIPT}</script></head><body></body></html>`;

/** The hash allows only this script: no script or event handler in the shown document runs. */
const POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * GET /dashboard/frame: an empty page where the dashboard shows the HTML of documents and emails. The `sandbox`
 * directive of its policy gives it an opaque origin, so that the HTML can access neither the dashboard nor the session.
 * A `srcdoc` frame would inherit the dashboard's policy, which forbids documents' inline styles.
 */
export function frameRoute(app: FastifyInstance): void {
  app.get('/dashboard/frame', async (_request, reply) =>
    reply
      .header('content-security-policy', POLICY)
      .header('x-dns-prefetch-control', 'off')
      .header('cache-control', 'no-cache')
      .type('text/html')
      .send(PAGE),
  );
}
