import type { Element } from 'domhandler';

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements whose end tag every parser adds in the same place. */
export const CLOSED_BY_PARSERS = names('base body br hr html img link meta');
const NOT_SHOWN = 'base link meta style title';
const INLINE = `${NOT_SHOWN} a abbr b big br code em font i img s small span strike strong sub sup u`;
const SECTIONS = 'article aside footer header main nav section';
const FLOW = `${INLINE} ${SECTIONS} address blockquote center div h1 h2 h3 h4 h5 h6 hr ol p pre table ul`;
const INSIDE_P = names(INLINE);
const HEADING = /^h[1-6]$/;
/** Elements that each element may contain; '' is the outermost level, and elements not listed contain FLOW. */
const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', names(`html head body ${FLOW}`)],
  ['html', names(`head body ${NOT_SHOWN}`)],
  ['head', names(NOT_SHOWN)],
  ...['ol', 'ul'].map((list) => [list, names(`li ${NOT_SHOWN}`)] as const),
  ['table', names('caption thead tbody tfoot tr')],
  ...['thead', 'tbody', 'tfoot'].map((section) => [section, names('tr')] as const),
  ['tr', names('td th')],
]);
const OTHER_CHILDREN = names(FLOW);
const MAX_DEPTH = 100;

/** Whether every parser nests the element as its start tag says, without closing, moving or adding another one. */
export function nestsPlainly(name: string, open: readonly Element[]): boolean {
  const parent = open.at(-1)?.name ?? '';
  const isInside = (around: string) => open.some((each) => each.name === around);
  if (open.length > MAX_DEPTH || !(CHILDREN.get(parent) ?? OTHER_CHILDREN).has(name)) return false;
  if (INSIDE_P.has(name)) return name !== 'a' || !isInside('a');
  return !isInside('p') && !(HEADING.test(name) && HEADING.test(parent));
}
